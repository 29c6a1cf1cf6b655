import dataclasses
import functools
import random
import threading
import time

import numpy as np
import pytest
from grid import SIZES, open_boards
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_search import SlowSearch, value_at_the_end

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT, SCORE_SIGNATURE, jit
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.players.searcher import Searcher
from agents.score import WIN, WIN_BOUND
from agents.search import batch, negamax, task
from agents.search import parts as prepared
from agents.search.control import ABORTED, NODES
from agents.search.transpositions import empty_table

MINIMAX_NODES = [8, 57, 400, 2801, 19608, 137257, 960793]
COMPILED = [STANDARD, Rules(8, 7), Rules(5, 4, 3)]
"""Each is compiled once, which takes seconds."""
BOARDS = COMPILED if JIT else SIZES
DEEPEST = 4 if JIT else 3
HEURISTIC = "powers-of-ten"
UNLIMITED = 1 << 62


def middle_first(columns):
    return sorted(range(columns), key=lambda column: abs(column - (columns - 1) / 2))


STATIC = {"left-to-right": range, "centre": middle_first}


@functools.cache
def heuristic_on(rules):
    return prepared.heuristic(HEURISTIC, rules)


@functools.cache
def searcher_on(rules, **parameters):
    searcher = Searcher(heuristic=HEURISTIC, **parameters)
    searcher.prepare(rules)
    return searcher


def choose(board, limits=Limits(), **parameters):  # noqa: B008  it is immutable
    """Let a searcher, made ready once for all tests, choose as if a new game began."""
    searcher = searcher_on(board.rules, **parameters)
    searcher.new_game(0)
    return searcher.choose(board, limits)


@jit(SCORE_SIGNATURE, inline=True)
def crowd(own, opp, column):
    """Score a column by discs in its lowest bits: cheap, different in each position, with many ties."""
    return ((own | opp) >> column & 1) * 2 - (own >> 2 * column & 1)


@functools.cache
def order_on(rules):
    return batch.compile_order(crowd, "crowd", rules)


def run(board, depth, order="left-to-right", flags=task.PRUNE, hint=-1, megabytes=0, budget=UNLIMITED, score=None):
    """Run the kernel itself; return (value, column, nodes, principal variation)."""
    heuristic = heuristic_on(board.rules)
    search = negamax.bind(board.rules, heuristic.leaves, order_on(board.rules) if score else prepared.no_order)
    columns = np.array(STATIC[order](board.rules.columns), np.int64)
    control = np.array([0, budget, 0], np.int64)
    pv = np.full((depth + 1) ** 2, -1, np.int64)
    flags |= task.NORMAL_WIN | (task.SORT if score else 0) | (task.BATCH if heuristic.compiled else 0)
    value, column = search(board.own, board.opp, depth, flags, columns, hint, empty_table(megabytes), control, pv)
    line = pv[: depth + 1].tolist()
    return int(value), int(column), int(control[NODES]), tuple(line[: line.index(-1)])


def assert_equal_to_the_slow_search(board, depth, order, *, pruning, found):
    search = SlowSearch(heuristic_on(board.rules).evaluate, order, pruning)
    value, line = search.search(board, depth)
    assert found == (value, line[0], search.nodes, line)


boards = open_boards(BOARDS)
depths = st.integers(1, DEEPEST)
orders = st.sampled_from(sorted(STATIC))


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


@given(boards, st.integers(1, DEEPEST + 1))
def test_a_score_sorts_the_columns_of_every_node(board, depth):
    def order(board):
        by_rank = middle_first(board.rules.columns)
        legal = [column for column in by_rank if column in board.legal_moves()]
        return sorted(legal, key=lambda column: -crowd(board.own, board.opp, column))

    found = run(board, depth, "centre", score=crowd)
    assert_equal_to_the_slow_search(board, depth, order, pruning=True, found=found)


@given(open_boards([Rules(9, 3, 3)]), st.integers(1, 3))
@settings(max_examples=30)
def test_a_board_of_more_columns_than_a_vector_is_sorted_and_cut_alike(board, depth):
    order = prepared.ordering("open-windows", board.rules)
    found = choose(board, Limits(depth), order="open-windows")

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
    hint = data.draw(st.sampled_from([-1, *board.legal_moves()]))
    megabytes = data.draw(st.sampled_from([0, 1]))
    value, column, _, line = run(board, depth, order, hint=hint, megabytes=megabytes)
    assert (value, column) == run(board, depth, order)[:2]
    assert line[0] == column
    assert value_at_the_end(board, line, depth, heuristic_on(board.rules).evaluate) == value


@given(boards, st.integers(1, DEEPEST + 2), orders, st.booleans())
def test_deepening_with_one_table_ends_in_the_same_value_and_move(board, depth, order, table):
    searcher = searcher_on(board.rules, order=order, table=table, deepening=True)
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


@given(boards, depths, st.booleans(), st.data())
def test_a_budget_is_spent_to_the_last_node_and_not_beyond(board, depth, pruning, data):
    flags = task.PRUNE if pruning else 0
    needed = run(board, depth, flags=flags)
    budget = data.draw(st.integers(1, needed[2] + 5))
    found = run(board, depth, flags=flags, budget=budget)
    if budget < needed[2]:
        assert found[1] == ABORTED
        assert found[2] == budget
    else:
        assert found == needed


@given(boards, st.integers(1, 2000))
def test_a_searcher_with_a_budget_answers_with_its_deepest_completed_depth(board, budget):
    found = choose(board, Limits(nodes=budget))
    assert found.nodes <= budget
    assert found.column in board.legal_moves()
    assert found.depth == len(found.iterations)
    if found.depth:
        assert (found.score, found.column) == run(board, found.depth)[:2]
        assert found.iterations[-1].nodes <= found.nodes
    complete = found.depth == board.rules.columns * board.rules.rows - board.ply
    if not complete and (found.score is None or abs(found.score) < WIN_BOUND):
        assert found.nodes == budget


def test_a_budget_of_a_round_number_is_met_exactly():
    for budget in (1, 8, 1000, 100_000 if JIT else 2000):
        found = choose(Board(), Limits(nodes=budget), order="centre")
        assert found.nodes == budget


def test_the_tighter_of_two_budgets_holds():
    assert choose(Board(), Limits(nodes=70), nodes=500).nodes == 70
    assert choose(Board(), Limits(nodes=500), nodes=70).nodes == 70


def test_a_stop_word_that_is_set_ends_the_search_at_once():
    search = negamax.bind(STANDARD, heuristic_on(STANDARD).leaves, prepared.no_order)
    for depth in (1, 9):
        control = np.array([1, UNLIMITED, 0], np.int64)
        pv = np.full((depth + 1) ** 2, -1, np.int64)
        found = search(0, 0, depth, task.NORMAL_WIN, np.arange(7), -1, empty_table(0), control, pv)
        assert found[1] == ABORTED
        assert control[NODES] == 1


def test_another_thread_can_stop_a_search():
    searcher, ended = searcher_on(STANDARD, deepening=True), threading.Event()

    def stop():
        while not ended.wait(0.2):  # a search that has not begun when it is stopped would go on for days
            searcher.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    began = time.perf_counter()
    found = searcher.choose(Board(), Limits(depth=30))
    ended.set()
    assert time.perf_counter() - began < 5
    assert 1 <= found.depth < 30
    thread.join()


def test_a_deadline_is_held():
    searcher = searcher_on(STANDARD)
    began = time.perf_counter()
    found = searcher.choose(Board(), Limits(seconds=0.1))
    assert 0.09 < time.perf_counter() - began < 2
    assert found.depth >= 1
    assert found.iterations[-1].seconds < 0.2


def test_a_win_in_one_is_seen_and_the_sooner_win_is_taken():
    found = choose(Board.from_moves("112233"), depth=5)
    assert (found.score, found.column, found.pv) == (WIN - 1, 3, (3,))


def test_a_loss_that_cannot_be_averted_counts_its_plies():
    # The first player has 3, 4 and 5 on the bottom row with both ends open: the second can block one of them.
    for depth in (2, 3, 6):
        assert choose(Board.from_moves("33445"), depth=depth).score == 2 - WIN


def test_a_full_board_is_a_draw_whatever_the_heuristic_says():
    board = Board.from_moves("16324626147173444562435616551155333722277")
    full = board.play(6)
    assert prepared.heuristic("smart-simple", STANDARD).evaluate(full.own, full.opp) != 0
    for depth in (1, 2, 9):
        found = Searcher(depth=depth, heuristic="smart-simple").choose(board, Limits())
        assert (found.score, found.column, found.nodes, found.pv) == (0, 6, 2, (6,))


@given(boards, st.integers(2, DEEPEST + 1), orders)
def test_a_hint_that_comes_first_anyway_costs_nothing(board, depth, order):
    first = next(column for column in STATIC[order](board.rules.columns) if column in board.legal_moves())
    assert run(board, depth, order, hint=first) == run(board, depth, order)


def test_a_table_that_is_kept_changes_nothing_where_wins_are_near():
    # Wins count from the root, and their distances differ from one search to the next: the table must allow for that.
    chance = random.Random(5)
    tabled, plain = searcher_on(STANDARD, table=True, deepening=True), searcher_on(STANDARD)
    tabled.new_game(0)
    for _ in range(400 if JIT else 10):
        board = Board()
        plies = chance.randrange(10 if JIT else 22, 32)
        while board.outcome is None and board.ply < plies:
            board = board.play(chance.choice(board.legal_moves()))
        while board.outcome is None:
            depth = 8 if JIT else 6
            found, expected = tabled.choose(board, Limits(depth)), plain.choose(board, Limits(depth))
            assert (found.score, found.column) == (expected.score, expected.column), board.text
            board = board.play(found.column)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@given(boards, st.integers(1, 3), orders)
def test_uncompiled_searches_find_the_same(board, depth, order):
    compiled = choose(board, Limits(depth), order=order)
    plain = choose(board, Limits(depth), order=order, compiled=False)
    assert dataclasses.replace(plain, iterations=()) == dataclasses.replace(compiled, iterations=())


ON_ANY_BOARD = [name for name in complete(HEURISTICS) if name != "line-runs-published"]


@pytest.mark.parametrize(
    ("heuristic", "order"), [*((name, "centre") for name in ON_ANY_BOARD), *(("zero", name) for name in ORDERINGS)]
)
def test_a_board_that_fills_the_word_is_searched_as_plain_python_without_warnings(heuristic, order):
    # The last column is full: sums of its bits would reach the sign of the word.
    board = Board.from_moves("88888887", Rules(8, 7))
    searcher = Searcher(depth=2, heuristic=heuristic, order=order, table=True, compiled=False)
    evaluate = prepared.heuristic(heuristic, board.rules, compiled=False).evaluate
    search = SlowSearch(evaluate, lambda _: range(8), pruning=False)
    assert searcher.choose(board, Limits()).score == search.search(board, 2)[0]


def test_a_heuristic_for_one_size_of_board_refuses_others():
    with pytest.raises(InputError, match="7x6x4 only, not on 8x7x4"):
        Searcher(heuristic="line-runs-published").prepare(Rules(8, 7))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_board_that_fills_the_word_is_searched_with_its_last_column_full(compiled):
    board = Board.from_moves("88888887", Rules(8, 7))
    found = choose(board, Limits(4), table=True, compiled=compiled)
    search = SlowSearch(heuristic_on(board.rules).evaluate, lambda _: range(8), pruning=True)
    assert (found.score, found.pv) == search.search(board, 4)
