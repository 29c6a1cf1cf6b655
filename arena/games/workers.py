"""Plays games in this process, or in worker processes; the death of a worker does not end the run."""

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
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, ClassVar

from agents.board import Board, Outcome
from agents.errors import InputError, Unavailable
from agents.rules import WORD_BITS
from arena.games.executor import LiveGame
from arena.games.field import MOST_RUNNING, Field, Setting
from arena.games.interrupt import block_sigint, stoppable
from arena.records import FaultRecord, GameRecord, Job, Termination


@dataclass(slots=True)
class InProcess:
    """Plays one game after the other in this process."""

    here: ClassVar[bool] = True
    players: Field | None = None
    thinking: tuple[Job, Board, float] | None = None
    """The game in progress, its position, and the start of the current move."""

    @contextmanager
    def open(self, setting: Setting) -> Generator[None]:
        """Keep agents for the block, and stop their searches at Ctrl-C."""
        self.players = Field(setting)
        try:
            with stoppable(self.players.agents.values()):
                yield
        finally:
            self.players.close()

    def play(self, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield each record in the order of the jobs."""
        assert self.players is not None
        for job in jobs:
            yield self.players.play(job, lambda board, job=job: self._think(job, board))  # type: ignore[misc]

    def idle(self) -> bool:
        """Return True: the next game begins only after the caller has taken the last record."""
        return True

    def live_games(self) -> list[LiveGame]:
        """Return the game in progress, if there is one."""
        if self.thinking is None:
            return []
        job, board, since = self.thinking
        return [LiveGame(job, board.moves, time.monotonic() - since)]

    def _think(self, job: Job, board: Board) -> None:
        self.thinking = (job, board, time.monotonic())


NO_GAME = -1
"""The shared ply between two games."""
PLY, SINCE, JOB, MOVES = 0, 1, 2, 6
"""Places in a worker's shared numbers: ply, start of the move (monotonic clock), the job's four numbers, columns."""
SLACK = 5.0
"""Seconds past all limits of a process agent before its referee counts as stopped."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclass(slots=True, eq=False)
class Worker:
    """A worker process, seen from the run's process."""

    process: Any
    pipe: Connection
    shared: Any
    """The shared numbers; they do not contain the columns of the opening."""
    openings: tuple[Board, ...]
    waiting: collections.deque[Job] = field(default_factory=collections.deque)
    """Jobs without an answer; the first one is being played."""

    @classmethod
    def start(cls, setting: Setting, *, ahead: bool = False) -> Worker:
        """Start a process. It ignores Ctrl-C, which the terminal sends to all processes and the parent handles.

        ahead: whether it makes agents before its first job, see `arena.games.field.Field.ahead`.
        """
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        shared = context.RawArray("d", [NO_GAME] + [0.0] * (MOVES - 1 + WORD_BITS))
        process = context.Process(target=_work, args=(theirs, setting, shared, os.getpid(), ahead), daemon=True)
        home = sys.modules["__main__"]
        typed = (
            home.__dict__.pop("__file__") if not Path(getattr(home, "__file__", None) or os.devnull).exists() else None
        )
        try:
            with block_sigint():
                process.start()  # it runs the main program's file again; a program from stdin has no file
        finally:
            if typed is not None:
                home.__file__ = typed
        theirs.close()
        return cls(process, ours, shared, setting.openings)

    def send(self, jobs: Sequence[Job]) -> None:
        """Give the worker more jobs."""
        self.waiting.extend(jobs)
        with suppress(OSError):  # reading from a dead worker reports its death
            self.pipe.send(jobs)

    def answers(self) -> Iterator[tuple[Job, GameRecord | Exception]]:
        """Yield jobs with the records of their games, or with the error that prevented one; wait for the first.

        Raises EOFError or OSError if the process is dead and everything is read.
        """
        while True:
            answer = pickle.loads(self.pipe.recv_bytes())  # noqa: S301  of our own process
            yield self.waiting.popleft(), answer
            if not self.pipe.poll():
                return

    def live_game(self) -> LiveGame | None:
        """Return the game in progress, or None between games."""
        ply, since = int(self.shared[PLY]), self.shared[SINCE]
        if ply == NO_GAME:
            return None
        job = Job(*map(int, self.shared[JOB:MOVES]))
        opening = self.openings[job.opening].moves
        columns = map(int, self.shared[MOVES + len(opening) : MOVES + ply])
        return LiveGame(job, (*opening, *columns), time.monotonic() - since)

    def end_if_stopped(self, setting: Setting) -> None:
        """Kill the process if a process agent exceeds all limits: it must have stopped its referee."""
        game = self.live_game()
        if game is None or setting.source(game.mover) is None:
            return
        limit, patience = setting.conditions.longest, setting.process_limits.start_timeout
        move = patience if limit is None else limit + setting.process_limits.margin
        if game.seconds > 2 * patience + move + SLACK:  # the limits to start, to begin a game, and to move
            self.process.kill()

    def cause_of_death(self) -> str:
        """Return the signal or the exit code that ended the process."""
        self.pipe.close()
        self.process.join()
        code = self.process.exitcode
        return f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(
    pipe: Connection,
    setting: Setting,
    shared: Any,  # noqa: ANN401  shared numbers
    parent: int,
    ahead: bool,
) -> None:
    """Play jobs until the pipe closes."""
    gc.set_threshold(50_000)  # as arena.__main__ does
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.setpgid(0, 0)  # a process agent that kills its referee's group kills only this process
    _die_with(parent)
    agents = Field(setting)

    def think(board: Board) -> None:
        ply = board.ply
        if ply:
            shared[MOVES + ply - 1] = board.moves[-1]
        shared[SINCE] = time.monotonic()
        shared[PLY] = ply

    with suppress(EOFError, OSError):  # the parent is gone
        if ahead:
            agents.ahead(pipe.poll)
        while True:
            for job in pipe.recv():
                shared[JOB:MOVES] = [job.first, job.second, job.opening, job.round]
                answer = agents.answer(job, think)
                shared[PLY] = NO_GAME
                pipe.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    agents.close()


def _die_with(parent: int) -> None:
    """Kill this process when its parent ends in any way, even during compiled code; outside of Linux soon after."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # the parent had ended before
            os._exit(1)
        return
    watched = multiprocessing.parent_process()
    if watched is not None:
        threading.Thread(target=lambda: (watched.join(), os._exit(1)), daemon=True).start()


FEW, MOST = 2, 256
"""The jobs of a worker, so that it is never idle: one to play and one that waits, and more if games are short."""
SHORT = 0.04
"""The seconds of a worker's jobs if games are short."""
NEAR = 32
"""The jobs of a worker if not all process agents can be kept, so that their processes serve several games."""
FAILED_STARTS = 3
"""Workers in a row that die before they play a game, at which the run is given up."""
SHOWN = 3
"""Reasons for open games in a message."""


@dataclass(slots=True)
class Processes:
    """Plays in worker processes, which get jobs from one queue. If a worker dies, its game is left open.

    But if a process agent was to move, the game is played once more; if that worker dies in the same way, the agent
    loses, so that no agent escapes a loss by killing workers.
    """

    here: ClassVar[bool] = True
    count: int
    """The most workers."""
    setting: Setting | None = None
    workers: list[Worker] = field(default_factory=list)
    todo: collections.deque[Job] = field(default_factory=collections.deque)
    """The jobs that no worker has yet."""
    ended: collections.deque[GameRecord | Exception] = field(default_factory=collections.deque)
    """Answers of workers that are read and not yet yielded."""
    left_open: dict[Job, str] = field(default_factory=dict)
    """The games that are not played, with the reason."""
    suspects: dict[Job, int] = field(default_factory=dict)
    """For each game that is played once more, the place of the process agent that was to move."""
    failed_starts: int = 0
    """Workers in a row that died before they played a game."""
    typical: float = SHORT
    """The moving average of the seconds of a game."""

    def start(self, setting: Setting) -> None:
        """Start a worker before there are jobs; it makes agents meanwhile. `close` or the end of `open` ends it."""
        self.workers.append(Worker.start(setting, ahead=True))

    def close(self) -> None:
        """End all workers."""
        while self.workers:
            self.workers.pop().end()

    @contextmanager
    def open(self, setting: Setting) -> Generator[None]:
        """Keep workers for the block, and end them all, even during games."""
        self.setting = setting
        self.ended.clear()
        try:
            yield
        finally:
            self.close()

    def play(self, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield records when games end, in no fixed order; after Ctrl-C yield the finished ones.

        Raises InputError if processes cannot work at all and, at the end, if games were left open.
        """
        assert self.setting is not None
        self.todo, self.left_open = collections.deque(sorted(jobs, key=_near) if self.setting.crowded else jobs), {}
        try:
            while len(self.workers) < min(self.count, len(jobs)):
                self.workers.append(Worker.start(self.setting))
            while self._send(self.setting):
                self._listen(self.setting)
                yield from self._read()
        except (KeyboardInterrupt, InputError):
            yield from self._read()
            raise
        if self.left_open:
            reasons = list(dict.fromkeys(self.left_open.values()))
            more = f"; and {len(reasons) - SHOWN} more" if len(reasons) > SHOWN else ""
            games = f"{len(self.left_open)} games are" if len(self.left_open) > 1 else "a game is"
            raise InputError(f"{games} left open: {'; '.join(reasons[:SHOWN])}{more}")

    def idle(self) -> bool:
        """Return whether all answers read so far are yielded."""
        return not self.ended

    def live_games(self) -> list[LiveGame]:
        """Return the games in progress, one for each busy worker."""
        return [game for game in (worker.live_game() for worker in self.workers) if game is not None]

    def _send(self, setting: Setting) -> bool:
        """Give the first jobs to workers that have few, and return whether any worker has a job.

        Near the end a worker gets fewer, so that all workers end together. If a server may fail it gets only one, so
        that a failure ends few games.
        """
        several = NEAR if setting.crowded else min(int(SHORT / max(self.typical, 1e-9)), MOST)
        most = 1 if setting.served else max(FEW, min(several, len(self.todo) // (2 * self.count)))
        for worker in self.workers:
            if self.todo and len(worker.waiting) <= most // 2:
                room = min(most - len(worker.waiting), len(self.todo))
                worker.send([self.todo.popleft() for _ in range(room)])
        return any(worker.waiting for worker in self.workers)

    def _listen(self, setting: Setting) -> None:
        """Wait until a game ends, and read the answers; replace dead workers."""
        busy = {worker.pipe: worker for worker in self.workers if worker.waiting}
        while not (ready := wait(busy, 1.0)):
            for worker in busy.values():
                worker.end_if_stopped(setting)
        for worker in [worker for pipe, worker in busy.items() if pipe in ready]:
            try:
                for job, answer in worker.answers():
                    self.failed_starts = 0
                    if isinstance(answer, Unavailable):
                        self._leave_open(job, answer)
                    else:
                        self.ended.append(answer)
            except (EOFError, OSError):
                self._replace(worker, setting)

    def _read(self) -> Iterator[GameRecord]:
        """Yield the records read so far. Raises the error of a game that a worker could not play."""
        while self.ended:
            answer = self.ended.popleft()
            if isinstance(answer, Exception):
                raise answer
            self.typical += (answer.seconds - self.typical) / 32
            yield answer

    def _leave_open(self, job: Job, error: Unavailable) -> None:
        """Leave a game open, and all games that no worker has yet of the agent that cannot answer for now."""
        others = [other for other in self.todo if error.place in (other.first, other.second)]
        self.left_open |= dict.fromkeys((job, *others), str(error))
        self.todo = collections.deque(other for other in self.todo if other not in self.left_open)

    def _replace(self, worker: Worker, setting: Setting) -> None:
        """Replace a dead worker and put its jobs back, but not a game that is lost or left open."""
        game, cause = worker.live_game(), worker.cause_of_death()
        if game is None:
            self.failed_starts += 1
            if self.failed_starts >= FAILED_STARTS:
                raise InputError(f"worker processes die before they play a game ({cause})")
        elif setting.source(game.mover) is None or self.suspects.get(game.job, game.mover) != game.mover:
            self.left_open[worker.waiting.popleft()] = f"a worker died in game {game.job} ({cause})"
        elif game.job in self.suspects:
            self.ended.append(_lost(worker.waiting.popleft(), game.mover, setting, cause))
        else:
            self.suspects[game.job] = game.mover
        self.todo.extendleft(reversed(worker.waiting))
        self.workers[self.workers.index(worker)] = Worker.start(setting)


def _near(job: Job) -> tuple[int, ...]:
    """Return a sort key for the games of an opening, by which few agents meet few others before the next ones follow.

    A worker keeps few processes, and starting one takes as long as a short game.
    """
    low, high = sorted((job.first, job.second))
    half = MOST_RUNNING // 2
    return job.round, job.opening, low // half, high // half, high, low


def _lost(job: Job, guilty: int, setting: Setting, cause: str) -> GameRecord:
    """Return the record of a game that a process agent loses because two workers died during its moves."""
    board, winner = setting.openings[job.opening], Outcome(int(job.first == guilty))
    detail = f"2 workers died while it was thinking ({cause})"
    fault = FaultRecord(board.ply, board.text, "", "")
    return GameRecord(job, board.text, winner, Termination.KILLED, detail, time.time(), 0.0, (), fault)
