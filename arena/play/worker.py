"""A process that plays games for the run: started, given jobs, watched, and ended; it ends with the run's process."""

from __future__ import annotations

import collections
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from agents.errors import InputError
from arena.play.field import Field, Setting
from arena.play.interrupt import deaf
from arena.store.records import GameRecord, Job

NOBODY = -1
"""In place of the player who is thinking, while no game is being played."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclass(slots=True, eq=False)
class Worker:
    """A worker as the run's process sees it."""

    process: Any
    pipe: Connection
    turn: Any
    """Two shared numbers: the player whose turn it is, 0 or 1, or NOBODY; and since when, by the monotonic clock."""
    waiting: collections.deque[Job] = field(default_factory=collections.deque)

    @classmethod
    def hire(cls, setting: Setting) -> Worker:
        """Start a process. It never hears Ctrl-C, which the whole terminal gets and the parent handles."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        turn = context.RawArray("d", [NOBODY, 0.0])
        process = context.Process(target=_work, args=(theirs, setting, turn, os.getpid()), daemon=True)
        with deaf():
            process.start()
        theirs.close()
        return cls(process, ours, turn)

    def take(self, job: Job) -> None:
        """Put a job in line."""
        self.waiting.append(job)
        with suppress(OSError):  # a dead worker is noticed when it is read from
            self.pipe.send(job)

    def thinking(self) -> tuple[int, float] | None:
        """Return whose turn it is, by the place among the agents, and for how many seconds; None between games."""
        mover, since = int(self.turn[0]), self.turn[1]
        if mover == NOBODY or not self.waiting:
            return None
        job = self.waiting[0]
        return (job.second if mover else job.first), time.monotonic() - since

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


def _work(pipe: Connection, setting: Setting, turn: Any, parent: int) -> None:  # noqa: ANN401  shared numbers
    """Play jobs until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _die_with(parent)
    agents = Field(setting)

    def think(mover: int) -> None:
        turn[1] = time.monotonic()
        turn[0] = mover

    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            job = pipe.recv()
            try:
                answer: GameRecord | Exception = agents.play(job, think)
            except InputError as error:
                answer = error
            except Exception:  # noqa: BLE001  the parent raises it
                answer = RuntimeError(traceback.format_exc())
            turn[0] = NOBODY
            pipe.send(answer)
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
