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
from arena.play.worker import Worker, dismiss
from arena.store.records import FaultRecord, GameRecord, Job

AHEAD, MOST_AHEAD = 2, 256
"""Jobs that a worker has, so that it never idles: one that it plays and one that waits, and more of short games."""
PAUSE = 0.02
"""Seconds that short games may gather before they are read, so that many are stored at once."""
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

    def idle(self) -> bool:
        """Return whether the record that was yielded last is the last one that is there: the next has to be played."""

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

    def idle(self) -> bool:
        """Return True: no game is played before the one that has ended is taken."""
        return True

    def in_hand(self) -> list[Hand]:
        """Return the game that is being played, if one is."""
        turns = [] if self.turn is None else [self.turn]
        return [Hand(job, board.moves, time.monotonic() - since) for job, board, since in turns]

    def _think(self, job: Job, board: Board) -> None:
        self.turn = (job, board, time.monotonic())


@dataclass(slots=True)
class Processes:
    """Plays in `workers` processes. One that dies is replaced and its game played again, three times at most.

    Then the game is lost by the stranger that was thinking each time, or else left open.
    """

    workers: int
    hired: list[Worker] = field(default_factory=list)  # already, for the setting that is to be played
    crew: list[Worker] = field(default_factory=list)
    stillborn: int = 0
    """Workers in a row that died before they had played a game."""
    deaths: dict[str, list[int | None]] = field(default_factory=dict)
    """For each game that a worker died in, who was thinking: the stranger's place, or None where it was no stranger."""
    open: dict[str, str] = field(default_factory=dict)
    """The games that were given up, and what ended their last worker."""
    ended: collections.deque[GameRecord | Exception] = field(default_factory=collections.deque)
    """What is read of the workers' answers and not yet yielded."""
    typical: float = PAUSE
    """Seconds of a game, those that ended last counting most."""
    heard: float = 0.0
    """When answers were read last: the time that storing them takes is a part of the pause."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield records as games end, in no fixed order.

        Raises InputError where processes cannot work at all and, after a stage, where games of it were left open.
        """
        self.crew, self.hired = self.hired, []
        self.ended.clear()
        try:
            for jobs in stages:
                while len(self.crew) < min(self.workers, len(jobs)):
                    self.crew.append(Worker.hire(setting))
                yield from self._played(setting, collections.deque(jobs))
        except (KeyboardInterrupt, InputError):
            yield from self._read()
            raise
        finally:
            dismiss(self.crew)

    def _played(self, setting: Setting, todo: collections.deque[Job]) -> Generator[GameRecord]:
        """Yield the records of a stage."""
        while todo or any(worker.waiting for worker in self.crew):
            self._hand_out(todo)
            self._listen(setting, todo)
            yield from self._read()
        if self.open:
            names = ", ".join(f"{key} ({cause})" for key, cause in self.open.items())
            raise InputError(f"left open, since {TRIES} workers died in it: game {names}")

    def idle(self) -> bool:
        """Return whether all that was read of the workers' answers is yielded."""
        return not self.ended

    def in_hand(self) -> list[Hand]:
        """Return the game of each worker."""
        return [hand for hand in (worker.in_hand() for worker in self.crew) if hand is not None]

    def _hand_out(self, todo: collections.deque[Job]) -> None:
        """Give each worker jobs for about two pauses; near the end fewer, so that no worker is left with many."""
        ahead = min(int(2 * PAUSE / max(self.typical, 1e-9)), MOST_AHEAD, len(todo) // (2 * len(self.crew)))
        for worker in self.crew:
            room = max(AHEAD, ahead) - len(worker.waiting)
            if todo and room >= max(1, ahead // 2):
                worker.take([todo.popleft() for _ in range(min(room, len(todo)))])

    def _listen(self, setting: Setting, todo: collections.deque[Job]) -> None:
        """Wait until a game has ended, let short ones gather, and read what has; replace a worker that is dead."""
        if self.typical < PAUSE / AHEAD:
            time.sleep(max(0.0, self.heard + PAUSE - time.monotonic()))
        busy = {worker.pipe: worker for worker in self.crew if worker.waiting}
        while not (ready := wait(busy, 1.0)):
            for worker in busy.values():
                worker.end_if_stopped(setting)
        self.heard = time.monotonic()
        for worker in [each for pipe, each in busy.items() if pipe in ready]:
            try:
                for answer in worker.answers():
                    self.stillborn = 0
                    self.ended.append(answer)
            except (EOFError, OSError):
                self.ended.extend(self._replaced(worker, setting, todo))

    def _read(self) -> Generator[GameRecord]:
        """Yield the records that were read. Raises what a worker could not play."""
        while self.ended:
            answer = self.ended.popleft()
            if isinstance(answer, Exception):
                raise answer
            self.typical += (answer.seconds - self.typical) / 32
            yield answer

    def _replaced(self, worker: Worker, setting: Setting, todo: collections.deque[Job]) -> Generator[GameRecord]:
        """Put another worker in the place of a dead one, and its jobs back in line; yield the game that it has cost."""
        hand, cause = worker.in_hand(), worker.cause()
        if hand is None:
            self.stillborn += 1
            if self.stillborn >= TRIES:
                raise InputError(f"worker processes die before they play a game ({cause})")
        else:
            deaths = self.deaths.setdefault(hand.job.key, [])
            deaths.append(hand.place if setting.source(hand.place) is not None else None)
            if len(deaths) >= TRIES:
                worker.waiting.popleft()
                if deaths[0] is not None and len(set(deaths)) == 1:
                    yield _lost(hand.job, deaths[0], setting, cause)
                else:
                    self.open[hand.job.key] = cause
        todo.extendleft(reversed(worker.waiting))
        self.crew[self.crew.index(worker)] = Worker.hire(setting)


def executor(workers: int, *, apart: bool = False, hired: Sequence[Worker] = ()) -> Executor:
    """Return what plays games in that many processes; one means this one, unless games are played apart."""
    return InProcess() if workers == 1 and not apart else Processes(workers, [*hired])


def _lost(job: Job, guilty: int, setting: Setting, cause: str) -> GameRecord:
    """Return the record of a game that a stranger has lost because workers died while it was thinking."""
    board, winner = setting.openings[job.opening], Outcome(int(job.first == guilty))
    detail = f"{TRIES} workers died while it was thinking ({cause})"
    fault = FaultRecord(board.ply, board.text, "", "")
    return GameRecord(job.key, board.text, winner, KILLED, detail, time.time(), 0.0, (), fault)
