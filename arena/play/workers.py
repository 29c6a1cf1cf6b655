"""Where games are played: in this process, or in worker processes that may die without ending the run."""

from __future__ import annotations

import collections
import gc
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar, Protocol

from agents.board import Board, Outcome
from agents.errors import InputError
from agents.rules import WORD_BITS
from arena.play.field import Field, Setting
from arena.play.interrupt import deaf, stoppable
from arena.records import FaultRecord, GameRecord, Job


@dataclass(frozen=True, slots=True)
class Hand:
    """A game at the moment that somebody looks."""

    job: Job
    moves: tuple[int, ...]
    """The 0-based columns played so far, the opening's included."""
    seconds: float
    """For which the one to move has been thinking."""

    @property
    def place(self) -> int:
        """Who is to move, by the place among the agents."""
        return self.job.second if len(self.moves) % 2 else self.job.first


NOBODY = -1
"""In place of the ply, while no game is being played."""
PLY, SINCE, JOB, MOVES = 0, 1, 2, 6
"""Places in the numbers that a worker shares: ply, since when by the monotonic clock, the four of the job, columns."""
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
            limit, patience = setting.conditions.limits.seconds, setting.process_limits.patience
            longest = 2 * patience + (
                patience if limit is None else limit + setting.process_limits.margin
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
                turn[JOB:MOVES] = [job.first, job.second, job.opening, job.round]
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

    here: ClassVar[bool]
    """Whether games are played on this machine, by this process and those that it started."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield each job's record as its game ends. Closing the generator stops all work.

        The next stage is asked for when every record of the one before has been taken, so that it may depend on them.
        """

    def idle(self) -> bool:
        """Return whether no finished record waits: the next game has to be played first."""

    def in_hand(self) -> list[Hand]:
        """Return the games that are being played; another thread may ask."""


@dataclass(slots=True)
class InProcess:
    """Plays one game after the other in this process."""

    here: ClassVar[bool] = True
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

    here: ClassVar[bool] = True
    workers: int
    hired: list[Worker] = field(default_factory=list)  # already, for the setting that is to be played
    crew: list[Worker] = field(default_factory=list)
    stillborn: int = 0
    """Workers in a row that died before they had played a game."""
    deaths: dict[Job, list[int | None]] = field(default_factory=dict)
    """For each game that a worker died in, who was thinking: the stranger's place, or None where it was no stranger."""
    open: dict[Job, str] = field(default_factory=dict)
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
            names = ", ".join(f"{job} ({cause})" for job, cause in self.open.items())
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
            deaths = self.deaths.setdefault(hand.job, [])
            deaths.append(hand.place if setting.source(hand.place) is not None else None)
            if len(deaths) >= TRIES:
                worker.waiting.popleft()
                if deaths[0] is not None and len(set(deaths)) == 1:
                    yield _lost(hand.job, deaths[0], setting, cause)
                else:
                    self.open[hand.job] = cause
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
    return GameRecord(job, board.text, winner, KILLED, detail, time.time(), 0.0, (), fault)
