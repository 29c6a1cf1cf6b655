"""A process that plays games for the run: started, given jobs, watched, and ended; it ends with the run's process."""

from __future__ import annotations

import collections
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from agents.board import Board
from agents.errors import InputError
from agents.rules import WORD_BITS
from arena.play.field import Field, Setting
from arena.play.hand import Hand
from arena.play.interrupt import deaf
from arena.store.records import GameRecord, Job

NOBODY = -1
"""In place of the ply, while no game is being played."""
PLY, SINCE, JOB, MOVES = 0, 1, 2, 5
"""Places in the numbers that a worker shares: ply, since when by the monotonic clock, the three of the job, columns."""
SLACK = 5.0
"""Seconds past all limits of a stranger after which its referee is taken for stopped."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclass(slots=True, eq=False)
class Worker:
    """A worker as the run's process sees it."""

    process: Any
    pipe: Connection
    turn: Any
    """Shared numbers; of the columns those of the opening are not there."""
    openings: tuple[Board, ...]
    waiting: collections.deque[Job] = field(default_factory=collections.deque)

    @classmethod
    def hire(cls, setting: Setting, ahead: int | None = None) -> Worker:
        """Start a process. It never hears Ctrl-C, which the whole terminal gets and the parent handles.

        `ahead`: its number, where it makes agents ahead of its first job; see `arena.play.field.Field.ahead`.
        """
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        turn = context.RawArray("d", [NOBODY] + [0.0] * (MOVES - 1 + WORD_BITS))
        process = context.Process(target=_work, args=(theirs, setting, turn, os.getpid(), ahead), daemon=True)
        with deaf():
            process.start()
        theirs.close()
        return cls(process, ours, turn, setting.openings)

    def take(self, jobs: Sequence[Job]) -> None:
        """Put jobs in line."""
        self.waiting.extend(jobs)
        with suppress(OSError):  # a dead worker is noticed when it is read from
            self.pipe.send(jobs)

    def answers(self) -> Iterator[GameRecord | Exception]:
        """Yield the records of the games that have ended, or why one could not be played; wait for the first.

        Raises EOFError or OSError once the process is dead and all is read.
        """
        while True:
            answer = pickle.loads(self.pipe.recv_bytes())  # noqa: S301  of our own process
            self.waiting.popleft()
            yield answer
            if not self.pipe.poll():
                return

    def in_hand(self) -> Hand | None:
        """Return the game that is being played; None between games."""
        ply, since = int(self.turn[PLY]), self.turn[SINCE]
        if ply == NOBODY:
            return None
        job = Job(*map(int, self.turn[JOB:MOVES]))
        opening = self.openings[job.opening].moves
        columns = map(int, self.turn[MOVES + len(opening) : MOVES + ply])
        return Hand(job, (*opening, *columns), time.monotonic() - since)

    def end_if_stopped(self, setting: Setting) -> None:
        """Kill the process where a stranger thinks for longer than its referee lets it: it has stopped the referee."""
        hand = self.in_hand()
        source = setting.source(hand.place) if hand is not None else None
        if hand is not None and source is not None:
            limit, patience = setting.conditions.limits.seconds, setting.terms.patience
            longest = 2 * patience + (
                patience if limit is None else limit + setting.terms.margin
            )  # start, new_game, move
            if hand.seconds > longest + SLACK:
                self.process.kill()

    def cause(self) -> str:
        """Return what ended the process."""
        self.pipe.close()
        self.process.join()
        code = self.process.exitcode
        return f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"

    def dismiss(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def dismiss(crew: Iterable[Worker]) -> None:
    """End all these processes."""
    for worker in crew:
        worker.dismiss()


def _work(
    pipe: Connection,
    setting: Setting,
    turn: Any,  # noqa: ANN401  shared numbers
    parent: int,
    ahead: int | None,
) -> None:
    """Play jobs until the pipe closes."""
    gc.set_threshold(50_000)  # as arena.__main__ does
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.setpgid(0, 0)  # a stranger that kills its referee's group reaches no further
    _die_with(parent)
    agents = Field(setting)

    def think(board: Board) -> None:
        ply = board.ply
        if ply:
            turn[MOVES + ply - 1] = board.moves[-1]
        turn[SINCE] = time.monotonic()
        turn[PLY] = ply

    with suppress(EOFError, OSError):  # the parent is gone
        if ahead is not None:
            agents.ahead(ahead, pipe.poll)
        while True:
            for job in pipe.recv():
                turn[JOB:MOVES] = [job.first, job.second, job.opening]
                try:
                    answer: GameRecord | Exception = agents.play(job, think)
                except InputError as error:
                    answer = error
                except Exception:  # noqa: BLE001  the parent raises it
                    answer = RuntimeError(traceback.format_exc())
                turn[PLY] = NOBODY
                pipe.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    agents.close()


def _die_with(parent: int) -> None:
    """Let this process be killed when its parent ends in any way, even in compiled code; or at least soon after."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it was too late
            os._exit(1)
        return
    watched = multiprocessing.parent_process()
    if watched is not None:
        threading.Thread(target=lambda: (watched.join(), os._exit(1)), daemon=True).start()
