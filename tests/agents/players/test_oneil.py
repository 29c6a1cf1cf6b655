import functools
import random

import pytest
from grid import open_boards
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import Board, Rules
from agents.players import oneil as module
from agents.players.oneil import Oneil
from agents.players.searcher import UNLIMITED
from agents.score import WIN

SMALL = Rules(5, 4)
"""Another test compiles the search and its order on this board, too."""
SORTED = Rules(6, 5, 3)
"""Its columns are sorted, since it has more than 20 cells; the games are short."""
LAST_TWO = "245242121433453351"
"""Columns 1 and 5 have an empty cell each; after the other's disc in 5, one in 1 makes a line."""
ORDERS = ["left-to-right", "centre", "column-score"]


@functools.cache
def value(board):
    """Return the value for the side to move by plain minimax."""
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else -WIN
    best = max(-value(board.play(column)) for column in board.legal_moves())
    return best - (best > 0) + (best < 0)


def replay(board, found):
    """Return the score that the principal variation ends in."""
    for column in found.pv:
        board = board.play(column)
    if board.outcome.winner is None:
        return 0
    return (WIN - len(found.pv)) * (1 if len(found.pv) % 2 else -1)


@pytest.fixture(scope="module")
def oneil():
    return Oneil(nodes=UNLIMITED)


def late_board(seed):
    """Return a random position with eight empty cells."""
    chance = random.Random(seed)
    while True:
        board = Board(SMALL)
        while board.outcome is None and board.ply < 12:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            return board


@given(board=st.integers(0, 1 << 32).map(late_board))
def test_every_column_is_searched_to_the_end(oneil, board):
    found = oneil.choose(board, Limits())
    assert found.score == value(board)
    assert replay(board, found) == found.score
    assert found.depth == found.iterations[-1].depth == 8


def test_columns_are_sorted_while_more_than_twenty_cells_are_empty():
    found = {order: Oneil(order=order).choose(Board.from_moves("2221235", SORTED), Limits()) for order in ORDERS}
    assert {analysis.score for analysis in found.values()} == {4 - WIN}
    counts = [[analysis.nodes for analysis in found.values()]]
    assert len({*counts[0]}) == len(ORDERS)
    for moves in ("222123511", "2221235116"):  # 20 are empty after the next move, or now
        found = {order: Oneil(order=order).choose(Board.from_moves(moves, SORTED), Limits()) for order in ORDERS}
        counts.append([analysis.nodes for analysis in found.values()])
        assert len({*counts[-1][1:]}) == 1
    assert counts == [[393, 2143, 164], [228, 109, 109], [358, 62, 62]]  # as computed


@given(board=open_boards([SMALL]), budget=st.integers(1, 3000))
@settings(max_examples=50)
def test_a_budget_is_not_overrun_and_the_best_of_the_finished_columns_answers(oneil, board, budget):
    found = oneil.choose(board, Limits(nodes=budget))
    assert found.nodes <= budget
    assert found.column in board.legal_moves()
    assert found.pv[0] == found.column
    if found.depth == 0:
        assert found.nodes == budget
        assert found.iterations == ()


def test_without_a_finished_column_the_first_in_the_order_answers():
    found = Oneil().choose(Board(), Limits(nodes=1000))
    assert (found.column, found.score, found.depth, found.nodes) == (3, None, 0, 1000)


def test_a_deadline_is_held():
    found = Oneil(seconds=0.05).choose(Board(), Limits())
    assert (found.column, found.score) == (3, None)
    assert found.nodes > 1


def test_a_win_with_the_last_disc_is_more_than_a_draw(oneil):
    board = Board.from_moves(LAST_TWO, SMALL)
    assert str(board.play(4).play(0).outcome) == "second player won"
    found = oneil.choose(board, Limits())
    assert (found.column, found.score) == (0, 0)


def test_the_root_is_counted_as_a_node(oneil):
    last = Board.from_moves(LAST_TWO, SMALL).play(4)
    assert len(last.legal_moves()) == 1
    assert oneil.choose(last, Limits()).nodes == 2
    stopped = oneil.choose(last, Limits(nodes=1))
    assert (stopped.column, stopped.score, stopped.depth, stopped.nodes) == (last.legal_moves()[0], None, 0, 1)


def test_a_search_that_was_broken_off_completed_no_depth(oneil):
    board = late_board(3)
    needed = oneil.choose(board, Limits()).nodes
    found = oneil.choose(board, Limits(nodes=needed - 1))
    assert found.score is not None
    assert (found.depth, found.iterations) == (0, ())


def test_seconds_stand_in_place_of_the_default_number_of_nodes(monkeypatch):
    monkeypatch.setattr(module, "DEFAULT_NODES", 50)
    board = late_board(3)
    assert Oneil().choose(board, Limits()).nodes == 50
    found = Oneil(seconds=60.0).choose(board, Limits())
    assert found.nodes > 50
    assert found.depth > 0
    assert Oneil(nodes=60, seconds=60.0).choose(board, Limits()).nodes == 60
