"""Compute an opening book: every position of a ply solved, in processes, safe against a kill at any moment.

The state is a file of one byte a position, in the order of `enumerate_positions`, behind a header line. A byte is
UNKNOWN or the value; a process writes it as soon as it knows it. So a killed run is continued by running it again.
Positions next to each other have most discs in common, and a process takes a row of them at a time, so that much of
what it needs is still in its table.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.board import STANDARD, Rules
from agents.book import KINDS, read_book, write_book
from agents.errors import InputError
from agents.positions import enumerate_positions
from agents.solver import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = -128
ROW = 64
"""Positions that a process takes at a time."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """What to compute, and where its state is kept."""

    state: Path
    rules: Rules = STANDARD
    plies: int = 8
    kind: str = "values"
    """"values" (1, 0, -1) or "scores"."""
    mebibytes: int = 1024
    """Table size of each process."""
    hint: Path | None = None
    """A finished book of the same positions, whose values spare a part of the search for scores."""

    @property
    def header(self) -> bytes:
        """The state file's first line."""
        return f"connect4-arena book in progress {self.rules} {self.plies} {self.kind}\n".encode()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"a book holds {' or '.join(KINDS)}, not {self.kind}")


def open_state(plan: BookPlan) -> NDArray[np.int8]:
    """Return the values so far, as a view of the state file, which is made where there is none. Raises InputError."""
    count = len(enumerate_positions(plan.rules, plan.plies)[-1])
    if not plan.state.exists():
        fresh = plan.state.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(plan.header + bytes([UNKNOWN & 0xFF]) * count)
            os.fsync(file.fileno())
        fresh.rename(plan.state)
    with plan.state.open("rb") as file:
        if file.read(len(plan.header)) != plan.header or plan.state.stat().st_size != len(plan.header) + count:
            raise InputError(f"{plan.state} is not the state of this book")
    return np.memmap(plan.state, np.int8, "r+", len(plan.header), (count,))


def build_book(plan: BookPlan, processes: int = 1) -> Iterator[tuple[int, int]]:
    """Solve what is unknown, and yield (positions known, positions in all), first and after every row."""
    values = open_state(plan)
    unknown = np.flatnonzero(values == UNKNOWN)
    rows = [unknown[start : start + ROW] for start in range(0, len(unknown), ROW)]
    yield len(values) - len(unknown), len(values)
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _start, (plan,)) as pool:
        for _ in pool.imap_unordered(_solve_row, rows):
            yield int(np.count_nonzero(values != UNKNOWN)), len(values)


def finish_book(plan: BookPlan, path: Path) -> None:
    """Write the finished book. Raises InputError while positions are unknown."""
    values = open_state(plan)
    if missing := int(np.count_nonzero(values == UNKNOWN)):
        raise InputError(f"{missing} of {len(values)} positions are not solved yet")
    write_book(path, plan.rules, plan.kind, np.array(values), plan.plies)


@dataclass(slots=True)
class _Worker:
    plan: BookPlan
    solver: Solver
    values: NDArray[np.int8]


_WORKERS: list[_Worker] = []
"""This process's worker, once it has started."""


def _start(plan: BookPlan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hint = None if plan.hint is None else read_book(plan.hint)
    _WORKERS[:] = [_Worker(plan, Solver(plan.rules, plan.mebibytes, hint), open_state(plan))]


def _solve_row(row: NDArray[np.int64]) -> None:
    (worker,) = _WORKERS
    last = enumerate_positions(worker.plan.rules, worker.plan.plies)[-1]
    ask = worker.solver.outcome if worker.plan.kind == "values" else worker.solver.score
    for place in row:
        worker.values[place] = ask(int(last.own[place]), int(last.opp[place]))
