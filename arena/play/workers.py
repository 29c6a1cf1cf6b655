"""Where games are played: in this process, or in processes of their own that may die without taking the run along."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Protocol

from agents.board import Board, Outcome
from agents.errors import InputError
from arena.play.field import Field, Setting
from arena.play.hand import Hand
from arena.play.interrupt import stoppable
from arena.play.worker import Worker
from arena.store.records import FaultRecord, GameRecord, Job

AHEAD = 2
"""Jobs that a worker has: one that it plays and one that waits, so that it never idles while a record is stored."""
TRIES = 3
"""Workers that may die in a game before it is given up, and that may die in a row before they play one."""
KILLED = "worker killed"
"""How a game ended in which that many workers died while the same stranger was thinking."""


class Executor(Protocol):
    """Plays jobs in any order, one stage of a run after the other."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield each job's record as its game ends. Closing the generator stops all work.

        The next stage is asked for when every record of the one before has been taken, so that it may depend on them.
        """

    def in_hand(self) -> list[Hand]:
        """Return the games that are being played; another thread may ask."""


@dataclass(slots=True)
class InProcess:
    """Plays one game after the other in this process."""

    turn: tuple[Job, Board, float] | None = None
    """The game that is being played, its position, and since when."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield each record in the order of the jobs."""
        agents = Field(setting)
        try:
            with stoppable(agents.made.values()):
                for job in itertools.chain.from_iterable(stages):
                    yield agents.play(job, lambda board, job=job: self._think(job, board))  # type: ignore[misc]
        finally:
            agents.close()

    def in_hand(self) -> list[Hand]:
        """Return the game that is being played, if one is."""
        if self.turn is None:
            return []
        job, board, since = self.turn
        return [Hand(job, board.moves, time.monotonic() - since)]

    def _think(self, job: Job, board: Board) -> None:
        self.turn = (job, board, time.monotonic())


@dataclass(slots=True)
class Processes:
    """Plays in `workers` processes. One that dies is replaced and its game played again, three times at most.

    Then the game is lost by the stranger that was thinking each time, or else left open.
    """

    workers: int
    crew: list[Worker] = field(default_factory=list)
    stillborn: int = 0
    """Workers in a row that died before they had played a game."""
    deaths: dict[str, list[int | None]] = field(default_factory=dict)
    """For each game that a worker died in, who was thinking: the stranger's place, or None where it was no stranger."""
    open: dict[str, str] = field(default_factory=dict)
    """The games that were given up, and what ended their last worker."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield records as games end, in no fixed order.

        Raises InputError where processes cannot work at all and, after a stage, where games of it were left open.
        """
        self.crew.clear()
        try:
            for jobs in stages:
                while len(self.crew) < min(self.workers, len(jobs)):
                    self.crew.append(Worker.hire(setting))
                yield from self._played(setting, collections.deque(jobs))
        finally:
            for worker in self.crew:
                worker.dismiss()

    def _played(self, setting: Setting, todo: collections.deque[Job]) -> Generator[GameRecord]:
        """Yield the records of a stage."""
        while todo or any(worker.waiting for worker in self.crew):
            for worker in self.crew:
                while todo and len(worker.waiting) < AHEAD:
                    worker.take(todo.popleft())
            for pipe in wait([worker.pipe for worker in self.crew if worker.waiting]):
                worker = next(each for each in self.crew if each.pipe is pipe)
                try:
                    record = worker.pipe.recv()
                except (EOFError, OSError):
                    yield from self._replaced(worker, setting, todo)
                    continue
                self.stillborn = 0
                worker.waiting.popleft()
                if isinstance(record, BaseException):
                    raise record
                yield record
        if self.open:
            names = ", ".join(f"{key} ({cause})" for key, cause in self.open.items())
            raise InputError(f"left open, since {TRIES} workers died in it: game {names}")

    def in_hand(self) -> list[Hand]:
        """Return the game of each worker."""
        return [hand for hand in (worker.in_hand() for worker in self.crew) if hand is not None]

    def _replaced(self, worker: Worker, setting: Setting, todo: collections.deque[Job]) -> Generator[GameRecord]:
        """Put another worker in the place of a dead one, and its jobs back in line; yield the game that it has cost."""
        hand = worker.in_hand()
        cause = worker.cause()
        if hand is None:
            self.stillborn += 1
            if self.stillborn >= TRIES:
                raise InputError(f"worker processes die before they play a game ({cause})")
        else:
            job = hand.job
            deaths = self.deaths.setdefault(job.key, [])
            deaths.append(hand.place if setting.source(hand.place) is not None else None)
            if len(deaths) >= TRIES:
                worker.waiting.popleft()
                guilty = deaths[0]
                if guilty is not None and deaths.count(guilty) == len(deaths):
                    yield _lost(job, guilty, setting, cause)
                else:
                    self.open[job.key] = cause
        todo.extendleft(reversed(worker.waiting))
        self.crew[self.crew.index(worker)] = Worker.hire(setting)


def executor(workers: int, *, apart: bool = False) -> Executor:
    """Return what plays games in that many processes; one means this one, unless games are to be played apart."""
    return InProcess() if workers == 1 and not apart else Processes(workers)


def _lost(job: Job, guilty: int, setting: Setting, cause: str) -> GameRecord:
    """Return the record of a game that a stranger has lost because workers died while it was thinking."""
    board = setting.openings[job.opening]
    mover = int(job.first != guilty)
    detail = f"{TRIES} workers died while it was thinking ({cause})"
    fault = FaultRecord(board.ply, board.text, "", "")
    return GameRecord(job.key, board.text, Outcome(1 - mover), KILLED, detail, time.time(), 0.0, (), fault)
