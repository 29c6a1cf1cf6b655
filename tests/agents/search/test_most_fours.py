"""Searches where most fours win, held against a slow one that counts every four, and against each other."""

import functools

import pytest
from grid import nearly_full, open_boards
from hypothesis import given
from hypothesis import strategies as st
from samples import cells_of, windows

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.mcts import Mcts
from agents.players.mollerhoj import Mollerhoj
from agents.players.searcher import Searcher
from agents.players.smart_connect4 import SmartConnect4
from agents.score import WIN
from agents.search import compiled
from agents.specs.registry import parse

from .slow_search import SlowSearch

RULES = Rules(most_fours=True)
SMALL = Rules(4, 4, 3, most_fours=True)
"""What is compiled for a board takes seconds: these two are enough."""
LAST = nearly_full([RULES, SMALL], most=5 if JIT else 3)
ANY = st.one_of(nearly_full([RULES, SMALL]), open_boards([RULES]))
depths = st.integers(1, 4 if JIT else 3)


@functools.cache
def evaluate(heuristic, rules):
    return compiled.heuristic(heuristic, rules).evaluate


@functools.cache
def searcher(kind, **parameters):
    return kind(**parameters)


def ahead(board):
    """Return by how many fours the side to move leads, counted window by window."""
    cells = cells_of(board.own, board.opp, board.rules)
    sums = [sum(cells.get(cell, 0) for cell in window) for window in windows(board.rules)]
    return sums.count(board.rules.connect) - sums.count(-board.rules.connect)


def by_result(board, distance, left):
    """Return a win, a loss or a draw."""
    sign = (ahead(board) > 0) - (ahead(board) < 0)
    return sign * (WIN - distance)


def slow(board, depth, *, heuristic, pruning, order=range, worth=by_result):
    search = SlowSearch(evaluate(heuristic, board.rules), lambda _: order(board.rules.columns), pruning, worth=worth)
    value, line = search.search(board, depth)
    return value, line, search.nodes


def found(agent, board):
    answer = agent.choose(board, Limits())
    assert answer.column == answer.pv[0]
    return answer.score, answer.pv, answer.nodes


def open_board(board):
    return board.outcome is None


@given(ANY.filter(open_board), depths, st.booleans())
@pytest.mark.compiles
def test_minimax_and_alpha_beta_are_the_slow_search_node_for_node(board, depth, pruning):
    agent = searcher(Searcher, depth=depth, pruning=pruning)
    assert found(agent, board) == slow(board, depth, heuristic="powers-of-ten", pruning=pruning)


@given(LAST.filter(open_board), st.integers(1, 9), st.sampled_from(["simple", "aware"]), st.booleans())
@pytest.mark.compiles
def test_smart_connect4_counts_points_above_its_depth_and_asks_its_heuristic_there(board, depth, heuristic, pruning):
    def worth(end, distance, left):
        value = evaluate(f"smart-{heuristic}", board.rules)
        return {"simple": 4, "aware": 40}[heuristic] * ahead(end) if left else value(end.own, end.opp)

    if board.rules.connect != 4:
        return
    agent = searcher(SmartConnect4, depth=depth, heuristic=heuristic, pruning=pruning)
    order = lambda _: (3, 2, 4, 1, 5, 0, 6)  # noqa: E731  used in the next lines
    expected = slow(board, depth, heuristic=f"smart-{heuristic}", pruning=pruning, order=order, worth=worth)
    assert found(agent, board) == expected


@given(LAST.filter(open_board), st.integers(1, 6), st.booleans())
@pytest.mark.compiles
def test_mollerhoj_values_a_full_board_by_its_heuristic(board, depth, pruning):
    def worth(end, distance, left):
        return 10 ** (board.rules.connect - 1) * ahead(end)

    agent = searcher(Mollerhoj, depth=depth, pruning=pruning)
    assert found(agent, board) == slow(board, depth, heuristic="powers-of-ten", pruning=pruning, worth=worth)


@given(ANY.filter(open_board), depths, st.sampled_from(["centre", "open-windows"]))
@pytest.mark.compiles
def test_table_order_and_deepening_change_no_value(board, depth, order):
    agent = searcher(Searcher, depth=depth, order=order, table=True, table_size=1, deepening=True)
    for position in (board, board.mirror(), board):
        answer = agent.choose(position, Limits())
        value = slow(position, answer.depth, heuristic="powers-of-ten", pruning=False)[0]
        assert answer.score == value
        assert agent.choose(position.mirror(), Limits()).score == value


@given(LAST.filter(open_board))
@pytest.mark.compiles
def test_a_search_to_the_end_says_in_how_many_plies_the_board_is_full(board):
    left = board.rules.columns * board.rules.rows - board.ply
    answer = searcher(Searcher, depth=12).choose(board, Limits())
    assert abs(answer.score) in (0, WIN - left)
    after = board
    for column in answer.pv:
        after = after.play(column)
    assert len(answer.pv) == left
    assert (ahead(after) * (-1) ** left > 0) == (answer.score > 0)


def test_no_win_is_seen_where_a_four_is_made_before_the_end():
    board = Board.from_moves("112233", RULES)
    assert 900 < Searcher(depth=1).choose(board, Limits()).score < 10_000
    assert Searcher(depth=1).choose(Board.from_moves("112233"), Limits()).score == WIN - 1


@pytest.mark.compiles
def test_plain_python_finds_the_same():
    board = Board.from_moves("33331214421", SMALL)
    for depth in (1, 4, 5, 7):
        plain = Searcher(depth=depth, compiled=False, order="open-windows")
        assert found(plain, board) == found(Searcher(depth=depth, order="open-windows"), board)


@pytest.mark.parametrize("spec", ["oneil", "itu-2012", "perfect"])
def test_who_knows_the_standard_rules_alone_says_so(spec):
    with pytest.raises(InputError, match="knows the standard rules alone, not most-fours"):
        parse(spec).build().prepare(RULES)


@given(LAST.filter(open_board), st.integers(0, 9))
@pytest.mark.compiles
def test_random_games_are_scored_by_fours(board, seed):
    agent = Mcts(playouts=400)
    agent.new_game(seed)
    answer = agent.choose(board, Limits())
    value = slow(board, 5, heuristic="zero", pruning=True)[0]
    left = board.rules.columns * board.rules.rows - board.ply
    assert answer.column in board.legal_moves()
    if left == 1:
        assert answer.score == 1000 * ((value > 0) - (value < 0))
    if left <= 3 and value > 0:
        after = slow(board.play(answer.column), 5, heuristic="zero", pruning=True)[0] if left > 1 else -value
        assert after < 0


@pytest.mark.compiles
def test_a_four_at_once_does_not_end_a_random_game():
    agent = Mcts(playouts=50)
    answer = agent.choose(Board.from_moves("112233", RULES), Limits())
    assert answer.nodes > 50 * 30
    assert abs(answer.score) < 1000
