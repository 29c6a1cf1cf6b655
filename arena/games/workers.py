"""Plays games in this process, or in worker processes; the death of a worker does not end the run."""

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
from collections.abc import Callable, Generator, Iterator, Sequence
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
    agents: Field | None = None
    thinking: tuple[Job, Board, float] | None = None
    """The game in progress, its position, and the start of the current move."""

    @contextmanager
    def open(self, setting: Setting) -> Generator[None]:
        """Keep agents for the block, and stop their searches at Ctrl-C."""
        self.agents = Field(setting)
        try:
            with stoppable(self.agents.made.values()):
                yield
        finally:
            self.agents.close()

    def play(self, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield each record in the order of the jobs."""
        assert self.agents is not None
        for job in jobs:
            yield self.agents.play(job, lambda board, job=job: self._think(job, board))  # type: ignore[misc]

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
    def start(cls, setting: Setting, ahead: int | None = None) -> Worker:
        """Start a process. It ignores Ctrl-C, which the terminal sends to all processes and the parent handles.

        ahead: the number of a worker that makes agents before its first job; see `arena.games.field.Field.ahead`.
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

    def answers(self) -> Iterator[GameRecord | Exception]:
        """Yield the records of finished games, or the error that prevented one; wait for the first.

        Raises EOFError or OSError if the process is dead and everything is read.
        """
        while True:
            answer = pickle.loads(self.pipe.recv_bytes())  # noqa: S301  of our own process
            self.waiting.popleft()
            yield answer
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
    ahead: int | None,
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
        if ahead is not None:
            agents.ahead(ahead, pipe.poll)
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


AHEAD, MOST_AHEAD = 2, 256
"""The jobs of a worker, so that it is never idle: one to play and one that waits, and more if games are short."""
PAUSE = 0.02
"""Seconds during which short games gather before they are read, so that many are stored at once."""
TRIES = 3
"""Deaths of workers in a game before the game is given up, and deaths in a row before any game is played."""


class Todo:
    """The jobs that no worker has yet: one list in order, or a share for each worker.

    A worker keeps few processes of process agents, and starting one takes as long as a short game. So within an opening
    a share pairs few agents at a time with few others: a round robin of 46 starts 0.3 processes a pairing instead of 1.
    """

    def __init__(self, jobs: Sequence[Job], shares: int = 0) -> None:
        """Divide the jobs of each opening of a round among the shares; with 0 `shares` keep one list in order."""
        self.shares = [collections.deque(() if shares else jobs) for _ in range(max(1, shares))]
        for _, group in itertools.groupby(jobs if shares else (), lambda job: (job.round, job.opening)):
            near = sorted(group, key=_near)
            for number, share in enumerate(self.shares):
                share.extend(near[len(near) * number // shares : len(near) * (number + 1) // shares])

    def __len__(self) -> int:
        return sum(map(len, self.shares))

    def take(self, number: int) -> Job:
        """Remove and return the next job of a worker's share or, if it is empty, the last job of the longest share."""
        share = self.shares[number % len(self.shares)]
        return share.popleft() if share else max(self.shares, key=len).pop()

    def pick(self, fits: Callable[[Job], bool]) -> Job | None:
        """Remove and return the first job that fits, or return None."""
        pick = next(((share, job) for share in self.shares for job in share if fits(job)), None)
        if pick is None:
            return None
        pick[0].remove(pick[1])
        return pick[1]

    def put_back(self, number: int, jobs: Sequence[Job]) -> None:
        """Put a worker's jobs back at the front of its share."""
        self.shares[number % len(self.shares)].extendleft(reversed(jobs))


def _near(job: Job) -> tuple[int, ...]:
    """Return a sort key that groups games between few agents: half of the agents stay while the others change."""
    low, high = sorted((job.first, job.second))
    half = MOST_RUNNING // 2
    return low // half, high // half, high, low


@dataclass(slots=True)
class Processes:
    """Plays in worker processes. If a worker dies, a new one plays its game again; a game gets TRIES workers at most.

    Then the process agent that was to move each time loses the game; otherwise the game is left open.
    """

    here: ClassVar[bool] = True
    count: int
    """The most workers."""
    setting: Setting | None = None
    workers: list[Worker] = field(default_factory=list)
    failed_starts: int = 0
    """Workers in a row that died before they played a game."""
    deaths: dict[Job, list[int | None]] = field(default_factory=dict)
    """For each game in which workers died, the places of the process agents to move; None for other agents."""
    left_open: dict[Job, str] = field(default_factory=dict)
    """The games that were given up, with the cause of death of their last worker."""
    ended: collections.deque[GameRecord | Exception] = field(default_factory=collections.deque)
    """Answers of workers that are read and not yet yielded."""
    typical: float = PAUSE
    """The moving average of the seconds of a game."""
    read_at: float = 0.0
    """The time of the last read; the time to store games is a part of the pause."""
    unavailable: dict[int, str] = field(default_factory=dict)
    """By place, the agents that cannot answer for now and get no further games, with the reason."""
    broken_off: int = 0
    """Games that such agents did not finish."""

    def start(self, setting: Setting, workers: int) -> None:
        """Start workers before there are jobs; they make agents meanwhile. `close` or the end of `open` ends them."""
        for number in range(workers):
            self.workers.append(Worker.start(setting, number))

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
        todo = Todo(jobs, self.count if self.setting.apart else 0)
        try:
            while len(self.workers) < min(self.count, len(jobs)):
                self.workers.append(Worker.start(self.setting))
            while self._feed(self.setting, todo):
                self._listen(self.setting, todo)
                yield from self._read()
        except (KeyboardInterrupt, InputError):
            yield from self._read()
            raise
        if self.left_open:
            games = ", ".join(f"{job} ({cause})" for job, cause in self.left_open.items())
            raise InputError(f"left open, since {TRIES} workers died in it: game {games}")
        if self.unavailable:
            count = self.broken_off + len(todo)
            games = f"{count} games are" if count > 1 else "a game is"
            raise Unavailable(f"{games} left open: {'; '.join(dict.fromkeys(self.unavailable.values()))}")

    def idle(self) -> bool:
        """Return whether all answers read so far are yielded."""
        return not self.ended

    def live_games(self) -> list[LiveGame]:
        """Return the games in progress, one for each busy worker."""
        return [game for game in (worker.live_game() for worker in self.workers) if game is not None]

    def _feed(self, setting: Setting, todo: Todo) -> bool:
        """Give jobs to workers with room for them, and return whether any worker has a job."""
        if setting.served:
            self._send_available(todo)
        elif todo:
            self._send(todo)
        return any(worker.waiting for worker in self.workers)

    def _send(self, todo: Todo) -> None:
        """Give each worker jobs for about two pauses; near the end fewer, so that all workers end together."""
        ahead = min(int(2 * PAUSE / max(self.typical, 1e-9)), MOST_AHEAD, len(todo) // (2 * len(self.workers)))
        for number, worker in enumerate(self.workers):
            room = max(AHEAD, ahead) - len(worker.waiting)
            if todo and room >= max(1, ahead // 2):
                worker.send([todo.take(number) for _ in range(min(room, len(todo)))])

    def _send_available(self, todo: Todo) -> None:
        """Give each idle worker one game, none with an unavailable agent, so that a server's failure ends few games."""
        for worker in self.workers:
            if not worker.waiting:
                job = todo.pick(lambda job: self.unavailable.keys().isdisjoint((job.first, job.second)))
                if job is not None:
                    worker.send([job])

    def _listen(self, setting: Setting, todo: Todo) -> None:
        """Wait until a game ends, let short games gather, and read the answers; replace dead workers."""
        if self.typical < PAUSE / AHEAD:
            time.sleep(max(0.0, self.read_at + PAUSE - time.monotonic()))
        busy = {worker.pipe: worker for worker in self.workers if worker.waiting}
        while not (ready := wait(busy, 1.0)):
            for worker in busy.values():
                worker.end_if_stopped(setting)
        self.read_at = time.monotonic()
        for worker in [worker for pipe, worker in busy.items() if pipe in ready]:
            try:
                for answer in worker.answers():
                    self.failed_starts = 0
                    self.ended.append(answer)
            except (EOFError, OSError):
                self._replace(worker, setting, todo)

    def _read(self) -> Iterator[GameRecord]:
        """Yield the records read so far. Raises the error of a game that a worker could not play."""
        while self.ended:
            answer = self.ended.popleft()
            if isinstance(answer, Unavailable):
                self.unavailable[answer.place] = str(answer)
                self.broken_off += 1
                continue
            if isinstance(answer, Exception):
                raise answer
            self.typical += (answer.seconds - self.typical) / 32
            yield answer

    def _replace(self, worker: Worker, setting: Setting, todo: Todo) -> None:
        """Replace a dead worker and put its jobs back; decide or give up the game that killed too many workers."""
        game, cause = worker.live_game(), worker.cause_of_death()
        if game is None:
            self.failed_starts += 1
            if self.failed_starts >= TRIES:
                raise InputError(f"worker processes die before they play a game ({cause})")
        else:
            deaths = self.deaths.setdefault(game.job, [])
            deaths.append(game.mover if setting.source(game.mover) is not None else None)
            if len(deaths) >= TRIES:
                worker.waiting.popleft()
                if deaths[0] is not None and len(set(deaths)) == 1:
                    self.ended.append(_lost(game.job, deaths[0], setting, cause))
                else:
                    self.left_open[game.job] = cause
        number = self.workers.index(worker)
        todo.put_back(number, worker.waiting)
        self.workers[number] = Worker.start(setting)


def _lost(job: Job, guilty: int, setting: Setting, cause: str) -> GameRecord:
    """Return the record of a game that a process agent loses because workers died during its moves."""
    board, winner = setting.openings[job.opening], Outcome(int(job.first == guilty))
    detail = f"{TRIES} workers died while it was thinking ({cause})"
    fault = FaultRecord(board.ply, board.text, "", "")
    return GameRecord(job, board.text, winner, Termination.KILLED, detail, time.time(), 0.0, (), fault)
