"""Searches that nodes, time or a word end."""

import threading
import time

from hypothesis import given
from hypothesis import strategies as st
from searched import UNLIMITED, boards, choose, depths, heuristic_on, run, searcher_on

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.jit.compiler import JIT
from agents.score import WIN_BOUND
from agents.search import compiled as prepared
from agents.search.control import ABORTED, PRUNE
from agents.search.negamax import NegamaxSearch


@given(boards, depths, st.booleans(), st.data())
def test_a_budget_is_spent_to_the_last_node_and_not_beyond(board, depth, pruning, data):
    flags = PRUNE if pruning else 0
    needed = run(board, depth, flags=flags)
    budget = data.draw(st.integers(1, needed[2] + 5))
    found = run(board, depth, flags=flags, budget=budget)
    if budget < needed[2]:
        assert found[1] == ABORTED
        assert found[2] == budget
    else:
        assert found == needed


def test_every_budget_is_spent_exactly_where_games_end_inside_the_tree():
    for moves in ("112233", "445566", "1727374"):
        needed = run(Board.from_moves(moves), 3)
        for budget in range(1, needed[2] + 2, 1 if JIT else 7):
            found = run(Board.from_moves(moves), 3, budget=budget)
            assert found[2] == min(budget, needed[2])
            assert (found[1] == ABORTED) == (budget < needed[2])


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
    search = NegamaxSearch(STANDARD, heuristic_on(STANDARD), prepared.ordering("centre", STANDARD), PRUNE)
    for depth in (1, 9):
        search.begin(UNLIMITED)
        search.stop()
        assert search.run(0, 0, depth)[1] == ABORTED
        assert search.nodes == 1


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
    assert found.iterations[-1].seconds < 1
