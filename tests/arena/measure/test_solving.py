import functools
import os
import signal
import threading
import time

import pytest

from agents.board import STANDARD, Board, Rules
from agents.solver.solver import Solver
from arena.measure.solve import in_threads, solve_all

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


def test_nothing_to_solve_ends_at_once():
    assert list(solve_all(SMALL, [], 2, strong=False, mebibytes=1)) == []


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_ends_threads_in_the_middle_of_compiled_code():
    running = threading.active_count()
    whole_game = in_threads(Solver(STANDARD, 1), 2, [[(0, 0)], [(0, 0)]], lambda solver, discs: solver.score(*discs))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        next(whole_game)
    timer.join()
    assert time.monotonic() - began < 30
    assert threading.active_count() == running
