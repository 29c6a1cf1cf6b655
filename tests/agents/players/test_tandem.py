import threading
import time

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.players import tandem
from agents.players.perfect import Perfect
from agents.players.tandem import Tandem
from agents.score import WIN, proven
from agents.search.control import STOP
from agents.solver.solver import Solver, Stopped

SMALL = Rules(4, 4)
POSITIONS = ["1", "12", "1223", "2332", "11223", "112244", "112233", "221133", "12341234"]
compiled = pytest.mark.skipif(not JIT, reason="uncompiled, a node takes longer than the limit")


def agent_without_a_book():
    return Tandem(table_size=1, book=False)


@pytest.mark.parametrize("moves", POSITIONS)
def test_where_the_solver_is_soon_done_it_plays_and_knows_as_perfect_does(moves):
    board = Board.from_moves(moves, SMALL)
    found, best = agent_without_a_book().choose(board, Limits()), Perfect(table_size=1).choose(board, Limits())
    assert (found.column, found.score, found.depth) == (best.column, best.score, best.depth)


@pytest.mark.parametrize("moves", POSITIONS)
def test_a_move_that_alpha_beta_proposes_is_judged_before_it_is_played(moves, monkeypatch):
    monkeypatch.setattr(tandem, "FIRST", 0.0)
    monkeypatch.setattr(tandem, "SEARCH", 0.0001)
    board = Board.from_moves(moves, SMALL)
    worth = Solver(SMALL, 1).column_scores(board.own, board.opp, weak=True)
    found = agent_without_a_book().choose(board, Limits())
    assert worth[found.column] == max(each for each in worth if each is not None)


def test_a_move_that_is_proven_to_lose_is_not_played_where_another_is_left(monkeypatch):
    def knows_of_one(solver, board, column, goal):
        if goal == 0 and column != order[0]:
            raise Stopped
        return False

    order = [0, 3, 1]
    monkeypatch.setattr(tandem, "reaches", knows_of_one)
    board = Board(SMALL)
    made = tandem.TandemMove(board, Limits(nodes=100), None, Solver(SMALL, 1), lambda: False, 0.0)
    assert made.judged(order) == 3


@pytest.mark.parametrize("moves", ["", "4", "44", "4444", "4453"])
def test_without_time_to_prove_anything_the_move_is_alpha_betas(moves, monkeypatch):
    monkeypatch.setattr(tandem, "FIRST", 0.0)
    monkeypatch.setattr(tandem, "SEARCH", 1.0)
    agent, board = agent_without_a_book(), Board.from_moves(moves)
    found = agent.choose(board, Limits(nodes=3000))
    agent.new_game(0)
    alone = agent.searcher.choose(board, Limits(nodes=3000))
    assert (found.column, found.score, found.depth, found.nodes) == (alone.column, alone.score, alone.depth, 3000)


@pytest.mark.parametrize("nodes", [1, 7, 60, 500, 5000])
def test_it_never_visits_more_nodes_than_it_may(nodes):
    agent = agent_without_a_book()
    for moves in ("4", "44", "44444", "123321", "4453"):
        agent.new_game(0)
        found = agent.choose(Board.from_moves(moves), Limits(nodes=nodes))
        assert found.nodes <= nodes
        assert found.column in range(7)


def test_the_same_game_gets_the_same_moves_and_nodes():
    agent = agent_without_a_book()

    def answers():
        agent.new_game(3)
        boards = [Board.from_moves(moves) for moves in ("44", "4435", "443522")]
        return [(found.column, found.nodes) for found in (agent.choose(board, Limits(nodes=4000)) for board in boards)]

    first = answers()
    assert answers() == first


def test_in_the_opening_the_book_answers_unless_it_is_off():
    board = Board.from_moves("43")
    assert Tandem(table_size=1).choose(board, Limits()).score == WIN - 37
    found = agent_without_a_book().choose(board, Limits(nodes=2000))
    assert found.nodes > 0
    assert found.score is None or not proven(found.score)


@pytest.mark.compiles
def test_where_most_fours_win_it_is_alpha_beta():
    agent = agent_without_a_book()
    board = Board.from_moves("12", Rules(4, 4, most_fours=True))
    found = agent.choose(board, Limits(nodes=2000))
    agent.new_game(0)
    alone = agent.searcher.choose(board, Limits(nodes=2000))
    assert (found.column, found.score, found.nodes) == (alone.column, alone.score, alone.nodes)


@compiled
def test_it_answers_in_time():
    agent, board = agent_without_a_book(), Board()
    agent.prepare(board.rules)
    began = time.perf_counter()
    found = agent.choose(board, Limits(seconds=0.05))
    assert time.perf_counter() - began < 3
    assert found.column in range(7)


@compiled
def test_a_search_without_end_is_stopped_from_another_thread():
    agent, board, done = agent_without_a_book(), Board(), threading.Event()
    agent.prepare(board.rules)

    def insist():
        while not done.wait(0.05):
            agent.stop()

    threading.Thread(target=insist, daemon=True).start()
    began = time.perf_counter()
    assert agent.choose(board, Limits(nodes=1 << 40)).column in range(7)
    done.set()
    assert time.perf_counter() - began < 10


def test_to_stop_it_is_to_stop_both():
    agent = agent_without_a_book()
    agent.stop()  # before it is prepared there is no solver yet
    agent.prepare(SMALL)
    agent.stop()
    assert agent.searcher.search.memory[STOP] == 1
    with pytest.raises(Stopped):
        agent._solver.score_of(Board.from_moves("1", SMALL))
