import functools
import os
import signal
import threading
import time

import pytest

from agents.board import STANDARD, Board, Rules
from agents.solver.solver import MEBIBYTES, Solver
from arena.perfect import exercises
from arena.perfect import solved as solving
from arena.perfect.judge import audit, missing
from arena.perfect.solved import in_threads, solve_all
from arena.store.run_file import Store

SMALL = Rules(4, 4)


@functools.cache
def value(board):
    """Return what a position is worth to the side to move, by plain recursion: 1, 0 or -1."""
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else -1
    return max(-value(board.play(column)) for column in board.legal_moves())


@pytest.mark.parametrize("threads", [1, 2, 9])
def test_threads_share_the_positions_and_answer_all(threads):
    boards = [Board.from_moves(moves, SMALL) for moves in ("11221", "11232", "12122", "12233", "22333", "23323")]
    chunks = [[(board.own, board.opp) for board in boards[start : start + 2]] for start in (0, 2, 4)]
    found = list(solve_all(SMALL, chunks, threads, strong=False, mebibytes=1))
    assert len(found) == len(boards)
    assert dict(found) == {
        (board.own, board.opp): tuple(
            -value(board.play(column)) if column in board.legal_moves() else None for column in range(4)
        )
        for board in boards
    }


def test_the_table_has_the_size_that_was_asked_for(unaudited, monkeypatch):
    made = []
    monkeypatch.setattr(solving, "Solver", lambda *given: made.append(given) or Solver(given[0], 1))
    board = Board.from_moves("11221", SMALL)
    list(solve_all(SMALL, [], 1, strong=True, mebibytes=2))
    exercises.solve([board], 1, 3)
    exercises.solve([board], 1, 3, scores={(board.own, board.opp): (0, 0, 0, 0)})  # nothing is solved
    with Store.resume(unaudited) as store:
        audit(store, missing(store)[:1], 1)
    assert made == [(SMALL, size, None) for size in (2, 3, MEBIBYTES)]
    made.clear()
    list(solve_all(STANDARD, [], 1, strong=True))
    assert [(rules, size, book is not None) for rules, size, book in made] == [(STANDARD, MEBIBYTES, True)]


class Waiting:
    """A solver that searches until it is stopped, but for positions that are solved at once."""

    def __init__(self):
        self.stopped, self.made = threading.Event(), []

    def partners(self, threads):
        self.made = [Waiting() for _ in range(threads)]
        return self.made

    def stop(self):
        self.stopped.set()

    def ask(self, position):
        if position == "wrong":
            raise ZeroDivisionError
        assert position.startswith("short") or self.stopped.wait(10)
        return position.upper()


@pytest.mark.parametrize("threads", [1, 3])
def test_all_that_is_searched_is_stopped_where_nobody_waits_for_it_any_more(threads):
    running, solver = set(threading.enumerate()), Waiting()
    todo = [["short", "short again", "long"], *[["long"]] * 4]
    found = in_threads(solver, threads, todo, Waiting.ask)
    assert [next(found) for _ in range(2)] == [("short", "SHORT"), ("short again", "SHORT AGAIN")]
    found.close()
    assert [each.stopped.is_set() for each in solver.made] == [True] * threads
    found = in_threads(solver, threads, [["wrong"], *todo], Waiting.ask)
    with pytest.raises(ZeroDivisionError):
        list(found)
    assert [each.stopped.is_set() for each in solver.made] == [True] * threads
    whole = in_threads(solver, threads, [[f"short {each}", f"short {each + 1}"] for each in (1, 3, 5)], Waiting.ask)
    assert sorted(whole) == [(f"short {each}", f"SHORT {each}") for each in range(1, 7)]
    assert set(threading.enumerate()) <= running


def test_an_interruption_loses_no_position_that_is_solved(monkeypatch):
    boards, scores, steps = [Board.from_moves(moves, SMALL) for moves in ("11221", "11232", "12122")], {}, []

    def interrupted(rules, chunks, threads, **asked):
        for [discs] in chunks[:2]:
            assert len(scores) == len(steps)
            yield discs, (0, 0, 0, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(exercises, "solve_all", interrupted)
    with pytest.raises(KeyboardInterrupt):
        exercises.solve(boards, 1, 1, lambda: steps.append(len(scores)), scores)
    assert list(scores) == [(board.own, board.opp) for board in boards[:2]]
    assert steps == [1, 2]


def test_nothing_to_solve_ends_at_once():
    assert list(solve_all(SMALL, [], 2, strong=False, mebibytes=1)) == []


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_ends_threads_in_the_middle_of_compiled_code():
    running = set(threading.enumerate())
    whole_game = in_threads(Solver(STANDARD, 1), 2, [[(0, 0)], [(0, 0)]], lambda solver, discs: solver.score(*discs))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        next(whole_game)
    timer.join()
    assert time.monotonic() - began < 30
    assert set(threading.enumerate()) <= running
