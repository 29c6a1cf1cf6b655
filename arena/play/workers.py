"""Where games are played: in this process, or in processes of their own that may die without taking the run along."""

from __future__ import annotations

import collections
import multiprocessing
import signal
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from agents.agent import Agent, prepare
from agents.board import Board, Outcome, Rules
from agents.errors import InputError
from agents.registry import Spec
from arena.play.interrupt import deaf, stoppable
from arena.play.match import Conditions, play_game
from arena.store.records import GameRecord, Job, Termination


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that the games of a run share; small and picklable."""

    specs: tuple[Spec, ...]
    """From which any process makes its own copies of the agents."""
    openings: tuple[Board, ...]
    rules: Rules
    seed: int
    conditions: Conditions


class Executor(Protocol):
    """Plays jobs in any order."""

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield each job's record as its game ends. Closing the generator stops all work."""


@dataclass(slots=True)
class Field:
    """The agents of one process, made when they are first needed."""

    setting: Setting
    made: dict[tuple[int, int], Agent] = field(default_factory=dict)

    def play(self, job: Job, turn: Any = lambda mover: None) -> GameRecord:  # noqa: ANN401, ARG005  see play_game
        """Play one game."""
        setting = self.setting
        players = (self.agent(job.first, 0), self.agent(job.second, int(job.first == job.second)))
        opening = setting.openings[job.opening]
        return play_game(job.key, players, opening, job.seeds(setting.seed), setting.conditions, turn=turn)

    def agent(self, place: int, copy: int) -> Agent:
        """Return this process's agent; `copy` 1 is a second one for an agent that meets itself."""
        if (place, copy) not in self.made:
            agent = self.setting.specs[place].build()
            prepare(agent, self.setting.rules)
            self.made[place, copy] = agent
        return self.made[place, copy]


class InProcess:
    """Plays one game after the other in this process."""

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield each record in the order of the jobs."""
        agents = Field(setting)
        with stoppable(agents.made.values()):
            for job in jobs:
                yield agents.play(job)


AHEAD = 2
"""Jobs that a worker has: one that it plays and one that waits, so that it never idles while a record is stored."""
NOBODY = -1
"""In place of the player who is thinking, while no game is being played."""


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    pipe: Connection
    thinking: Any
    """A shared integer: the player whose turn it is, 0 or 1, or NOBODY."""
    waiting: collections.deque[Job] = field(default_factory=collections.deque)

    @classmethod
    def hire(cls, setting: Setting) -> _Worker:
        """Start a process. It never hears Ctrl-C, which the whole terminal gets and the parent handles."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        thinking = context.RawValue("i", NOBODY)
        process = context.Process(target=_work, args=(theirs, setting, thinking), daemon=True)
        with deaf():
            process.start()
        theirs.close()
        return cls(process, ours, thinking)

    def take(self, job: Job) -> None:
        """Put a job in line."""
        self.waiting.append(job)
        with suppress(OSError):  # a dead worker is noticed when it is read from
            self.pipe.send(job)

    def dismiss(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


@dataclass(frozen=True, slots=True)
class Processes:
    """Plays in `workers` processes. One that dies loses its game for the agent that was thinking, and is replaced."""

    workers: int

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield records as games end, in no fixed order. Raises InputError where processes cannot work at all."""
        todo = collections.deque(jobs)
        crew: list[_Worker] = []
        try:
            for _ in range(min(self.workers, len(jobs))):
                crew.append(_Worker.hire(setting))  # noqa: PERF401  a crew that is hired in part is dismissed as well
            while todo or any(worker.waiting for worker in crew):
                for worker in crew:
                    while todo and len(worker.waiting) < AHEAD:
                        worker.take(todo.popleft())
                for pipe in wait([worker.pipe for worker in crew if worker.waiting]):
                    worker = next(each for each in crew if each.pipe is pipe)
                    try:
                        record = worker.pipe.recv()
                    except (EOFError, OSError):
                        yield _died(worker, setting)
                        todo.extendleft(reversed(worker.waiting))
                        worker.pipe.close()
                        crew[crew.index(worker)] = _Worker.hire(setting)
                        continue
                    worker.waiting.popleft()
                    if isinstance(record, BaseException):
                        raise record
                    yield record
        finally:
            for worker in crew:
                worker.dismiss()


def executor(workers: int) -> Executor:
    """Return what plays games in that many processes; one means this one."""
    return InProcess() if workers == 1 else Processes(workers)


def _work(pipe: Connection, setting: Setting, thinking: Any) -> None:  # noqa: ANN401  a shared integer
    """Play jobs until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    agents = Field(setting)

    def turn(mover: int) -> None:
        thinking.value = mover

    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            job = pipe.recv()
            try:
                answer: GameRecord | Exception = agents.play(job, turn)
            except InputError as error:
                answer = error
            except Exception:  # noqa: BLE001  the parent raises it
                answer = RuntimeError(traceback.format_exc())
            thinking.value = NOBODY
            pipe.send(answer)


def _died(worker: _Worker, setting: Setting) -> GameRecord:
    """Return the record of the game that a worker died in: the agent that was thinking has lost it."""
    worker.process.join()
    code = worker.process.exitcode
    cause = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
    if worker.thinking.value == NOBODY:
        raise InputError(f"a worker process died before its game began ({cause})")
    job = worker.waiting.popleft()
    moves, winner = setting.openings[job.opening].text, Outcome(1 - worker.thinking.value)
    detail = f"its process died ({cause})"
    return GameRecord(job.key, moves, winner, Termination.EXCEPTION, detail, time.time(), 0.0)
