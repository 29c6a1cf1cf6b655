"""Searches that a page waits for: they end with it, or with their time."""

import asyncio
import contextlib
import re
import threading
import time

import pytest
from needs import needed

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.solver.solver import Stopped
from arena.plugins.serve import searching
from arena.plugins.serve.own import allowed
from arena.records import MoveRecord


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=30", "alphabeta:depth=30,table=on,table-size=64", "smart-connect4:depth=30,pruning=off",
        "mollerhoj:depth=30", "oneil", "itu-2012:cutoff=30", "mcts:playouts=1000000", "perfect",
    ],
)  # fmt: skip
def test_no_question_takes_more_than_some_seconds(monkeypatch, spec):
    monkeypatch.setattr(searching, "SECONDS", 0.2)
    searches = searching.Searches()
    asyncio.run(searches.prepare(Page(closed=False), allowed(spec), Board().rules))
    began = time.monotonic()
    with contextlib.suppress(InputError):
        asyncio.run(searches.move(Page(closed=False), allowed(spec), Board.from_moves("44"), 0))
    assert time.monotonic() - began < 10


class Page:
    """A page that waits, or is closed once it was looked at so often."""

    def __init__(self, *, closed=False, after=0):
        self.closed = closed
        self.after = after

    async def is_disconnected(self):
        self.after -= 1
        return self.closed and self.after < 0


def test_a_server_compiles_so_many_searches_and_no_more(monkeypatch):
    monkeypatch.setattr(searching, "MOST_COMPILED", 3)
    searches = searching.Searches()

    def ask(text, rules=STANDARD):
        return asyncio.run(searches.prepare(Page(), allowed(text), rules))

    used = "greedy", "random", "minimax:depth=1,heuristic=zero", "minimax:depth=2,heuristic=zero", "greedy"
    assert [ask(text).spec.text for text in used] == [*used]
    heuristic, order = "minimax:depth=1,heuristic=windows(1,2,3,5)", "minimax:heuristic=zero,order=centre"
    for text, rules in ((heuristic, STANDARD), (order, STANDARD), ("alphabeta", STANDARD), ("greedy", Rules(5, 4))):
        with pytest.raises(InputError, match="has compiled 3 searches"):
            ask(text, rules)
    assert [ask(text).spec.text for text in used] == [*used]


@pytest.mark.parametrize("closed", [True, False])
def test_a_search_ends_with_its_page_or_its_time(monkeypatch, closed):
    monkeypatch.setattr(searching, "SECONDS", 60 if closed else 0.2)
    began = time.monotonic()
    with pytest.raises(InputError, match=r"smaller depth|no longer waits"):
        asyncio.run(searching.Searches().move(Page(closed=closed, after=3), allowed("alphabeta:depth=30"), Board(), 0))
    assert time.monotonic() - began < 20


class Seat:
    """An agent that fails, at once or once it is stopped, or that finds a move until then."""

    name = "mine"

    def __init__(self, *, waits, score=None, fails=False):
        self.waits, self.score, self.fails, self.stopped = waits, score, fails, threading.Event()

    def decide(self, board):
        if self.waits:
            assert self.stopped.wait(20)
        if self.fails:
            raise InputError("agent 'mine': exception: no idea")
        return MoveRecord(board.ply, 3, 0.1, self.score)

    def stop(self):
        self.stopped.set()


LATE = "mine found no move within 0.05 seconds; give it a smaller depth"


@pytest.mark.parametrize(("seat", "said"), [
    (Seat(waits=False, fails=True), "agent 'mine': exception: no idea"), (Seat(waits=True, fails=True), LATE),
    (Seat(waits=True), LATE), (Seat(waits=True, score=5), ""), (Seat(waits=True, score=0), ""), (Seat(waits=False), ""),
])  # fmt: skip
def test_an_agent_that_fails_says_why_and_one_that_was_stopped_that_it_is_late_unless_it_has_a_score(
    monkeypatch, seat, said
):
    monkeypatch.setattr(searching, "SECONDS", 0.05)
    monkeypatch.setattr(searching, "GLANCE", 0.01)
    with pytest.raises(InputError) if said else contextlib.nullcontext() as raised:
        record = asyncio.run(searching.Searches().decide(Page(), seat, Board.from_moves("44")))
    if said:
        assert str(raised.value) == said
    else:
        assert (record.ply, record.column, record.score) == (2, 3, seat.score)


def test_the_truth_of_an_opening_is_looked_up_and_not_searched():
    """Without a book the solver takes minutes for these."""
    openings = {
        "": (-2, -1, 0, 1, 0, -1, -2), "1": (-1, 2, 1, 2, -1, 1, -2), "4": (-4, -2, -2, -1, -2, -2, -4),
        "44": (-3, -3, -2, 1, -2, -3, -3),
    }  # fmt: skip
    searches = searching.Searches()
    for moves, scores in openings.items():
        assert asyncio.run(searches.truth(Page(), Board.from_moves(moves))) == scores
    assert searches.solvers[Board().rules].nodes == 0


def test_a_tree_ends_with_its_time(client, monkeypatch):
    needed("arena.plugins.tree.build")
    monkeypatch.setattr(searching, "SECONDS", 0.0)
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    answer = client.get("/tree", params={"agent": "minimax", "depth": "5"})
    assert answer.status_code == 400
    assert re.search("takes too long|finishes no depth", answer.text)


def test_what_is_compiled_for_a_tree_is_compiled_before_its_clock_starts(client, monkeypatch):
    tree = needed("arena.plugins.tree.build")
    begun = []
    monkeypatch.setattr("arena.games.person.prepare", lambda *given: begun.append(given[-1]))
    monkeypatch.setattr(tree, "tree", lambda *_: pytest.fail("too early") if not begun else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/tree", params={"agent": "minimax", "depth": "2"})
    assert begun == ["minimax"]


def test_whoever_has_gone_before_their_turn_costs_nothing():
    with pytest.raises(InputError, match="no longer waits"):
        asyncio.run(searching.Searches().answer(Page(closed=True), pytest.fail, lambda: None))


def test_two_searches_run_at_once_and_no_more():
    async def crowd():
        searches, running, most = searching.Searches(), 0, 0
        both = threading.Barrier(2)

        def work():
            nonlocal running, most
            running += 1
            both.wait(20)
            most = max(most, running)
            time.sleep(0.05)
            running -= 1

        await asyncio.gather(*(searches.answer(Page(closed=False), work, lambda: None) for _ in range(6)))
        return most

    assert asyncio.run(crowd()) == searching.AT_ONCE == 2


def test_a_solver_is_stopped_when_its_time_is_over(monkeypatch):
    monkeypatch.setattr(searching, "SECONDS", 0.0)
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    stopped = threading.Event()

    class Solving:
        resume, stop = stopped.clear, stopped.set

        def column_scores(self, *_):
            assert stopped.wait(20)
            raise Stopped

    monkeypatch.setattr(searching, "_solver", lambda _: Solving())
    assert asyncio.run(searching.Searches().truth(Page(), Board())) is None
