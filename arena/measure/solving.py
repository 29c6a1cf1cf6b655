"""Many positions solved, in this process or in several, each with a table of its own."""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import signal
import traceback
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.play.interrupt import stoppable
from arena.play.workers import deaf

Discs = tuple[int, int]
"""Those of the side to move and of the other."""
Values = tuple[int | None, ...]
"""What a move in each column is worth to the side to move; None where it is full."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every position; small and picklable."""

    rules: Rules = STANDARD
    strong: bool = False
    """Whether values are the solver's scores, or 1, 0 and -1."""
    mebibytes: int = 64
    """Table size of each process."""

    def solver(self) -> Solver:
        """Return a solver that knows the opening book. Raises InputError where there is no memory for its table."""
        from agents.solver.book import shipped_book

        return Solver(self.rules, self.mebibytes, shipped_book(self.rules))

    def answer(self, solver: Solver, discs: Discs) -> Values:
        """Return the value of each column."""
        return solver.column_scores(*discs, weak=not self.strong)


def solve_all(
    question: Question, chunks: Sequence[Sequence[Discs]], processes: int
) -> Generator[tuple[Discs, Values], None, None]:
    """Yield each position with its values, in no fixed order; one process means this one.

    A process solves the positions of a chunk one after the other, so that those which share a future should stand
    together, the later ones first. Closing the generator stops all work. Raises InputError where a process dies.
    """
    solver = question.solver()  # compiles once, for all processes
    if processes == 1:
        with stoppable([solver]):
            for discs in itertools.chain.from_iterable(chunks):
                yield discs, question.answer(solver, discs)
        return
    del solver
    todo = collections.deque(chunk for chunk in chunks if chunk)
    crew: list[_Worker] = []
    try:
        for _ in range(min(processes, len(todo))):
            crew.append(_Worker.hire(question))  # noqa: PERF401  a crew that is hired in part is dismissed as well
        while todo or any(worker.waiting for worker in crew):
            for worker in crew:
                if todo and len(worker.waiting) < AHEAD:
                    worker.take(todo.popleft())
            for pipe in wait([worker.pipe for worker in crew if worker.waiting]):
                yield next(each for each in crew if each.pipe is pipe).answer()
    finally:
        for worker in crew:
            worker.dismiss()


AHEAD = 2
"""A process that has fewer positions waiting gets another chunk, so that it never idles."""


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    pipe: Connection
    waiting: collections.deque[Discs] = field(default_factory=collections.deque)

    @classmethod
    def hire(cls, question: Question) -> _Worker:
        """Start a process. It never hears Ctrl-C, which the parent handles."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, question), daemon=True)
        with deaf():
            process.start()
        theirs.close()
        return cls(process, ours)

    def take(self, chunk: Sequence[Discs]) -> None:
        self.waiting.extend(chunk)
        with suppress(OSError):  # a dead worker is noticed when it is read from
            self.pipe.send(chunk)

    def answer(self) -> tuple[Discs, Values]:
        """Return the next position that it has solved. Raises InputError where it is dead."""
        try:
            values: Values | Exception = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            raise InputError(f"a process that solves positions died (exit code {self.process.exitcode})") from None
        if isinstance(values, Exception):
            raise values
        return self.waiting.popleft(), values

    def dismiss(self) -> None:
        """End the process, whatever it is doing; it writes nothing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _work(pipe: Connection, question: Question) -> None:
    """Answer until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # the parent is gone
        try:
            solver = question.solver()
            while True:
                for discs in pipe.recv():
                    pipe.send(question.answer(solver, discs))
        except InputError as error:
            pipe.send(error)
        except (EOFError, OSError):
            raise
        except Exception:  # noqa: BLE001  the parent raises it
            pipe.send(RuntimeError(traceback.format_exc()))
