import pytest
from grid import open_boards
from hypothesis import given, settings
from hypothesis import strategies as st
from searched import (
    DEEPEST,
    HEURISTIC,
    STATIC,
    boards,
    choose,
    crowd,
    depths,
    heuristic_on,
    middle_first,
    orders,
    run,
    searcher_on,
)

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN_BOUND
from agents.search import compiled as prepared

from .slow_search import SlowSearch, value_at_the_end

MINIMAX_NODES = [8, 57, 400, 2801, 19608, 137257, 960793]


def assert_equal_to_the_slow_search(board, depth, order, *, pruning, found):
    search = SlowSearch(heuristic_on(board.rules).evaluate, order, pruning)
    value, line = search.search(board, depth)
    assert found == (value, line[0], search.nodes, line)


@pytest.mark.parametrize("depth", range(1, 8 if JIT else 5))
def test_minimax_visits_every_node_of_the_tree(depth):
    for heuristic in (HEURISTIC, "smart-aware", "zero"):
        found = Searcher(depth=depth, heuristic=heuristic, pruning=False).choose(Board(), Limits())
        assert found.nodes == MINIMAX_NODES[depth - 1]


@given(boards, depths, orders)
def test_minimax_is_the_slow_search(board, depth, order):
    columns = STATIC[order](board.rules.columns)
    found = run(board, depth, order, flags=0)
    assert_equal_to_the_slow_search(board, depth, lambda _: columns, pruning=False, found=found)


@given(boards, st.integers(1, DEEPEST + 1), orders)
def test_alpha_beta_is_the_slow_search_node_for_node(board, depth, order):
    columns = STATIC[order](board.rules.columns)
    found = run(board, depth, order)
    assert_equal_to_the_slow_search(board, depth, lambda _: columns, pruning=True, found=found)


@given(open_boards([STANDARD]), st.integers(1, DEEPEST + 1))
def test_a_score_sorts_the_columns_of_every_node(board, depth):
    def order(board):
        by_rank = middle_first(board.rules.columns)
        legal = [column for column in by_rank if column in board.legal_moves()]
        return sorted(legal, key=lambda column: -crowd(board.own, board.opp, column))

    found = run(board, depth, "centre", score=crowd)
    assert_equal_to_the_slow_search(board, depth, order, pruning=True, found=found)


@pytest.mark.compiles  # the leaves and the sorting of such a board are held in test_batch.py
@given(open_boards([Rules(14, 3, 3)]), st.integers(1, 3))
@settings(max_examples=30)
def test_a_board_of_more_columns_than_a_vector_is_sorted_and_cut_alike(board, depth):
    order = prepared.ordering("column-score", board.rules)
    found = choose(board, Limits(depth), order="column-score")

    def arranged(board):
        return sorted(order.columns, key=lambda column: -order.score(board.own, board.opp, column))

    value, line = SlowSearch(heuristic_on(board.rules).evaluate, arranged, pruning=True).search(board, depth)
    assert (found.score, found.pv) == (value, line)


@given(boards, depths, orders)
def test_pruning_changes_neither_value_nor_move(board, depth, order):
    value, column, nodes, _ = run(board, depth, order)
    exact = run(board, depth, order, flags=0)
    assert (value, column) == exact[:2]
    assert nodes <= exact[2]


@given(boards, st.integers(1, DEEPEST + 2), orders, st.data())
def test_neither_table_nor_hint_changes_value_or_move(board, depth, order, data):
    hash_move = data.draw(st.sampled_from([-1, *board.legal_moves()]))
    megabytes = data.draw(st.sampled_from([0, 1]))
    value, column, _, line = run(board, depth, order, hash_move=hash_move, megabytes=megabytes)
    assert (value, column) == run(board, depth, order)[:2]
    assert line[0] == column
    assert value_at_the_end(board, line, depth, heuristic_on(board.rules).evaluate) == value


@given(boards, st.integers(1, DEEPEST + 2), orders, st.booleans())
def test_deepening_with_one_table_ends_in_the_same_value_and_move(board, depth, order, table):
    searcher = searcher_on(board.rules, order=order, table=table, table_size=1, deepening=True)
    searcher.new_game(0)
    for position in (board, board.mirror()):
        found = searcher.choose(position, Limits(depth))
        value, column, _, _ = run(position, depth, order)
        assert found.score == value
        assert found.column == found.pv[0] == found.iterations[-1].column
        assert [iteration.depth for iteration in found.iterations] == list(range(1, found.depth + 1))
        if abs(value) < WIN_BOUND:
            assert found.column == column
        assert value_at_the_end(position, found.pv, found.depth, heuristic_on(board.rules).evaluate) == found.score


@given(boards, depths, orders)
def test_the_principal_variation_replays_to_its_value(board, depth, order):
    value, column, _, line = run(board, depth, order)
    assert line[0] == column
    assert value_at_the_end(board, line, depth, heuristic_on(board.rules).evaluate) == value


@given(boards, depths)
def test_a_mirror_image_has_the_same_value_and_tree(board, depth):
    value, _, nodes, _ = run(board, depth, flags=0)
    assert run(board.mirror(), depth, flags=0)[::2] == (value, nodes)
    assert run(board.mirror(), depth, "centre", megabytes=1)[0] == value


@given(boards, st.integers(2, DEEPEST + 1), orders)
def test_a_hint_that_comes_first_anyway_costs_nothing(board, depth, order):
    first = next(column for column in STATIC[order](board.rules.columns) if column in board.legal_moves())
    assert run(board, depth, order, hash_move=first) == run(board, depth, order)
