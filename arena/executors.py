"""Where games are played: in this process, or in processes of their own that may die without taking the run along."""

from __future__ import annotations

import collections
import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from agents.agent import Agent, prepare
from agents.board import Board, Outcome, Rules
from agents.registry import parse
from arena.match import Conditions, GameRecord, Termination, play_game
from arena.schedule import Job


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that the games of a run share; small and picklable."""

    specs: tuple[str, ...]
    """Each agent's spec, from which any process makes its own copy."""
    openings: tuple[Board, ...]
    rules: Rules
    seed: int
    conditions: Conditions


class Executor(Protocol):
    """Plays jobs in any order."""

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Iterator[GameRecord]:
        """Yield each job's record as its game ends. Closing the generator stops all work."""


@dataclass(slots=True)
class Table:
    """A seat for two: the agents of one process, made when they are first needed."""

    setting: Setting
    _agents: dict[tuple[int, int], Agent] = field(default_factory=dict)

    def play(self, job: Job, turn: Any = lambda mover: None) -> GameRecord:  # noqa: ANN401, ARG005  see play_game
        """Play one game."""
        setting = self.setting
        players = (self.seat(job.first, 0), self.seat(job.second, int(job.first == job.second)))
        opening = setting.openings[job.opening]
        return play_game(job.key, players, opening, job.seeds(setting.seed), setting.conditions, turn=turn)

    def seat(self, place: int, copy: int) -> Agent:
        """Return this process's agent; `copy` 1 is a second one for an agent that meets itself."""
        if (place, copy) not in self._agents:
            agent = parse(self.setting.specs[place]).build()
            prepare(agent, self.setting.rules)
            self._agents[place, copy] = agent
        return self._agents[place, copy]


class InProcess:
    """Plays one game after the other in this process."""

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Iterator[GameRecord]:
        """Yield each record in the order of the jobs."""
        table = Table(setting)
        for job in jobs:
            yield table.play(job)


AHEAD = 4
"""Jobs that a worker has waiting, so that it never idles while a record is stored."""


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    thinking: Any
    """A shared integer: the player whose turn it is, 0 or 1."""
    waiting: collections.deque[Job] = field(default_factory=collections.deque)


@dataclass(frozen=True, slots=True)
class Processes:
    """Plays in `workers` processes. One that dies loses its game for the agent that was thinking, and is replaced."""

    workers: int

    def run(self, setting: Setting, jobs: Sequence[Job]) -> Iterator[GameRecord]:
        """Yield records as games end, in no fixed order."""
        context = multiprocessing.get_context("spawn")
        todo = collections.deque(jobs)
        crew = [self._hire(context, setting) for _ in range(min(self.workers, len(jobs)))]
        try:
            while todo or any(worker.waiting for worker in crew):
                for worker in crew:
                    while todo and len(worker.waiting) < AHEAD:
                        job = todo.popleft()
                        worker.waiting.append(job)
                        _send(worker.pipe, job)
                for pipe in wait([worker.pipe for worker in crew if worker.waiting]):
                    worker = next(each for each in crew if each.pipe is pipe)
                    try:
                        record = worker.pipe.recv()
                    except (EOFError, OSError):
                        yield _died(worker, setting)
                        todo.extendleft(reversed(worker.waiting))
                        worker.pipe.close()
                        crew[crew.index(worker)] = self._hire(context, setting)
                        continue
                    worker.waiting.popleft()
                    if isinstance(record, BaseException):
                        raise record
                    yield record
        finally:
            for worker in crew:
                worker.pipe.close()
                worker.process.terminate()
            for worker in crew:
                worker.process.join()

    def _hire(self, context: Any, setting: Setting) -> _Worker:  # noqa: ANN401  multiprocessing's context
        ours, theirs = context.Pipe()
        thinking = context.RawValue("i", 0)
        process = context.Process(target=_work, args=(theirs, setting, thinking), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, thinking)


def executor(workers: int) -> Executor:
    """Return what plays games in that many processes; one means this one."""
    return InProcess() if workers == 1 else Processes(workers)


def _send(pipe: Connection, job: Job) -> None:
    try:
        pipe.send(job)
    except OSError:
        return  # the worker is dead, which reading from it tells as well


def _work(pipe: Connection, setting: Setting, thinking: Any) -> None:  # noqa: ANN401  a shared integer
    """Play jobs until the pipe closes; an interrupt is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    table = Table(setting)

    def turn(mover: int) -> None:
        thinking.value = mover

    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(table.play(job, turn))
        except Exception as error:  # noqa: BLE001  the parent raises it
            pipe.send(error)


def _died(worker: _Worker, setting: Setting) -> GameRecord:
    """Return the record of the game that a worker died in: the agent that was thinking has lost it."""
    job = worker.waiting.popleft()
    worker.process.join()
    code = worker.process.exitcode
    cause = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
    return GameRecord(
        job.key,
        setting.openings[job.opening].text,
        Outcome(1 - worker.thinking.value),
        Termination.EXCEPTION,
        f"its process died ({cause})",
        time.time(),
        0.0,
    )
