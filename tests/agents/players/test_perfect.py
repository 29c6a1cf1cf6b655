import contextlib
import functools
import time

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.players import perfect
from agents.players.perfect import Perfect, from_solver_score
from agents.score import WIN

SMALL = Rules(4, 4)


@functools.cache
def value(board):
    """Return the score of a position as searches give it, by plain recursion: WIN - n for a win in n plies."""
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else -WIN
    best = max(-value(board.play(column)) for column in board.legal_moves())
    return best - (best > 0) + (best < 0)  # a ply further away


POSITIONS = ["12", "1223", "2332", "11223", "112244", "221133", "1213", "12341234", "432131114423423",
             "1121", "1311", "3131", "2233", "4344", "12112", "13331"]  # fmt: skip


@pytest.mark.parametrize("moves", POSITIONS)
def test_it_plays_a_best_move_and_knows_its_score(moves):
    board = Board.from_moves(moves, SMALL)
    answer = Perfect(table_size=1).choose(board, Limits())
    assert answer.score == value(board)
    after = value(board.play(answer.column))
    assert -after + (after > 0) - (after < 0) == value(board)


def test_it_takes_a_win_at_once_and_delays_a_loss():
    win = Board.from_moves("112233", SMALL)
    assert Perfect(table_size=1).choose(win, Limits()).column == 3
    assert Perfect(table_size=1).choose(win, Limits()).score == WIN - 1


def test_of_equal_moves_it_plays_the_one_nearest_the_centre():
    board = Board.from_moves("4", Rules(5, 4))  # every move draws
    assert Perfect(table_size=1).choose(board, Limits()).column == 2


def test_nodes_are_those_of_one_move_and_fewer_when_asked_again():
    agent, board = Perfect(table_size=1), Board.from_moves("12", SMALL)
    first, again = (agent.choose(board, Limits()).nodes for _ in range(2))
    assert 0 <= again < first


@pytest.mark.parametrize(("moves", "column", "plies"), [("", 3, 41), ("4", 3, 40), ("1", 3, 39), ("43", 5, 37)])
def test_in_the_opening_the_book_tells_move_and_distance(moves, column, plies):
    answer = Perfect(table_size=1).choose(Board.from_moves(moves), Limits())
    assert (answer.column, abs(answer.score), answer.nodes) == (column, WIN - plies, 0)


@pytest.mark.parametrize(
    ("moves", "score", "plies"),
    [
        ("112233", 18, 1),  # the fourth disc now: 21 discs of a side, 4 played, 18 left with the winner's
        ("", 1, 41),  # the first player wins with its last disc
    ],
)
def test_a_solvers_score_becomes_a_distance(moves, score, plies):
    assert from_solver_score(score, Board.from_moves(moves)) == WIN - plies


def test_a_solvers_loss_becomes_a_distance():
    board = Board.from_moves("44553")  # three in a row with both ends free: whatever the second player does
    assert from_solver_score(-18, board) == 2 - WIN


def test_under_a_deadline_it_answers_with_a_legal_move():
    if not JIT:
        pytest.skip("uncompiled, a node takes longer than the deadline")
    answer = Perfect(table_size=1, seconds=0.02).choose(Board(Rules(8, 7)), Limits())
    assert answer.column in range(8)
    assert answer.score is None


HARD = Board(Rules(8, 7))
"""Nobody solves it in a second."""


@pytest.mark.skipif(not JIT, reason="uncompiled, a node takes longer than the deadline")
def test_after_a_timeout_it_thinks_again():
    agent = Perfect(table_size=1, seconds=0.05)
    assert agent.choose(HARD, Limits()).score is None
    agent.seconds = 60.0
    board = Board.from_moves("543832628334455714655223182422367776851111", HARD.rules)
    assert agent.choose(board, Limits()).score is not None


@pytest.mark.skipif(not JIT, reason="uncompiled, a node takes longer than the deadline")
def test_it_keeps_the_tighter_of_its_own_time_and_the_games():
    agent = Perfect(table_size=1)
    agent.prepare(HARD.rules)
    for own, game in ((5.0, 0.05), (0.05, 5.0), (None, 0.05), (0.05, None)):
        agent.seconds = own
        began = time.perf_counter()
        assert agent.choose(HARD, Limits(seconds=game)).score is None
        assert time.perf_counter() - began < 4


def test_it_counts_the_nodes_of_each_move_alone():
    agent = Perfect(table_size=1)
    board = Board.from_moves("1223", SMALL)
    first = agent.choose(board, Limits()).nodes
    assert 0 < agent.choose(board, Limits()).nodes < first  # the table knows it now


def test_a_search_that_was_stopped_leaves_the_next_one_to_think():
    agent, board = Perfect(table_size=1), Board.from_moves("12", SMALL)
    agent.prepare(SMALL)
    agent.stop()
    assert agent.choose(board, Limits()).score == value(board)


@pytest.mark.parametrize(("own", "game"), [(5.0, 3.0), (3.0, 5.0), (None, 3.0), (3.0, None)])
def test_the_tighter_of_two_times_is_its_deadline(monkeypatch, own, game):
    asked = []
    monkeypatch.setattr(perfect, "deadline", lambda seconds, _: asked.append(seconds) or contextlib.nullcontext())
    Perfect(table_size=1, seconds=own).choose(Board.from_moves("12", SMALL), Limits(seconds=game))
    assert asked == [3.0]


def test_a_move_that_is_broken_off_counts_its_own_nodes_alone(monkeypatch):
    agent, board = Perfect(table_size=1), Board.from_moves("12", SMALL)
    first = agent.choose(board, Limits())
    monkeypatch.setattr(perfect, "deadline", lambda _, stop: stop() or contextlib.nullcontext())
    broken = agent.choose(Board.from_moves("1223", SMALL), Limits())
    assert broken.score is None
    assert broken.nodes < first.nodes


@pytest.mark.parametrize(("rules", "kept"), [(Rules(), "shipped 7x6x4"), (Rules(5, 4), "shipped 5x4x4")])
def test_its_solver_has_the_book_that_is_shipped_for_the_board(monkeypatch, rules, kept):
    monkeypatch.setattr("agents.solver.book.shipped_book", lambda rules: f"shipped {rules}")
    made = []

    class Made:
        def __init__(self, *given):
            made.append(given)
            self.rules = given[0]

    monkeypatch.setattr("agents.solver.solver.Solver", Made)
    agent = Perfect(table_size=3)
    one = agent._solver_for(rules)
    assert agent._solver_for(rules) is one
    assert made == [(rules, 3, kept)]


def test_its_table_is_emptied_for_a_game_where_it_was_used_and_not_before(monkeypatch):
    agent = Perfect(table_size=1)
    agent.new_game(1)  # nothing is made ready yet
    agent.prepare(SMALL)
    solver, emptied = agent._solver, []
    monkeypatch.setattr(solver, "forget", lambda: emptied.append(solver.nodes))
    agent.new_game(1)
    assert emptied == []
    for _ in range(2):
        agent.choose(Board.from_moves("12", SMALL), Limits())
        agent.new_game(1)
        agent.new_game(2)
    assert len(emptied) == 2
    assert emptied[0] < emptied[1]
