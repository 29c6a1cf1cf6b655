"""Compute an opening book: solve every position of a ply, on all cores, safe against a kill at any moment.

The state is a file of one byte a position, in the order of `enumerate_positions`, behind a header line. A byte is
UNKNOWN or the value, written as soon as it is known; running a killed computation again continues it. Neighbouring
positions have most discs in common, and a thread takes a row of them at a time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.solver.book import KINDS, MOST_PLIES, enumerate_positions, known_values, read_book, write_book
from agents.solver.deep_book import PLIES as DEEP_PLIES
from agents.solver.deep_book import deep_book, position_of
from agents.solver.solver import Solver
from arena.measure.solve import in_threads
from arena.store.writing import replacing

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIGNATURE = "connect4-arena book in progress"
UNKNOWN = -128
ROW = 64
"""Positions that a thread takes at a time."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """What to compute, and the file of its state."""

    state: Path
    rules: Rules = STANDARD
    plies: int = 8
    kind: str = "values"
    """"values" (1, 0, -1) or "scores"."""
    mebibytes: int = 1024
    """Size of the table that all solvers share."""
    hint: Path | None = None
    """A finished book of the same positions; its values shorten the search for scores."""

    @property
    def header(self) -> bytes:
        """The state file's first line."""
        return f"{SIGNATURE} {self.rules} {self.plies} {self.kind}\n".encode()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"a book holds {' or '.join(KINDS)}, not {self.kind}")
        if not 0 <= self.plies <= MOST_PLIES and self.plies != DEEP_PLIES:
            raise InputError(f"a book has at most {MOST_PLIES} plies, not {self.plies}")


def open_state(plan: BookPlan) -> NDArray[np.int8]:
    """Return the values so far, as a view of the state file, which is created if missing. Raises InputError."""
    return _values_of(plan, len(enumerate_positions(plan.rules, plan.plies)[-1]))


def _values_of(plan: BookPlan, count: int) -> NDArray[np.int8]:
    if not plan.state.exists():
        _make_state(plan, count)
    with plan.state.open("rb") as file:
        header = file.readline(100)
    if header != plan.header or plan.state.stat().st_size != len(header) + count:
        _, known, book = header.decode("ascii", "replace").strip().partition(SIGNATURE)
        other = f", but of{book}" if known and header != plan.header else ""
        raise InputError(f"{plan.state} is not the state of this book, {plan.rules} {plan.plies} {plan.kind}{other}")
    values = np.memmap(plan.state, np.int8, "r+", len(header), (count,))
    possible = known_values(plan.rules, plan.plies, plan.kind)
    if np.any(~np.isin(values, [UNKNOWN, *possible])):
        raise InputError(f"{plan.state} is damaged: it holds {plan.kind} that no position has")
    return values


def _make_state(plan: BookPlan, count: int) -> None:
    """Write the state in which nothing is known, whole or not at all, unless another run has just made it."""
    with tempfile.NamedTemporaryFile(dir=plan.state.parent, prefix=f"{plan.state.name}.") as file:
        file.write(plan.header + bytes([UNKNOWN & 0xFF]) * count)
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, plan.state)


def build_book(plan: BookPlan, threads: int = 1) -> Iterator[tuple[int, int]]:
    """Solve the unknown positions, and yield (positions known, positions in all), first and after each one."""
    hint = None if plan.hint is None else read_book(plan.hint)
    if hint is not None and (hint.rules, hint.kind) != (plan.rules, "values"):
        raise InputError(f"{plan.hint} is a book of {hint.kind} for {hint.rules}, not of values for {plan.rules}")
    values = open_state(plan)
    last = enumerate_positions(plan.rules, plan.plies)[-1]
    unknown = np.flatnonzero(values == UNKNOWN)
    known = len(values) - len(unknown)
    yield known, len(values)

    def ask(solver: Solver, place: int) -> int:
        question = solver.outcome if plan.kind == "values" else solver.score
        return question(int(last.own[place]), int(last.opp[place]))

    rows = [row.tolist() for row in np.split(unknown, range(ROW, len(unknown), ROW))]
    with closing(in_threads(Solver(plan.rules, plan.mebibytes, hint), threads, rows, ask)) as answers:
        for place, value in answers:
            values[place] = value
            known += 1
            yield known, len(values)


def finish_book(plan: BookPlan, path: Path) -> None:
    """Write the finished book. Raises InputError while positions are unknown."""
    values = open_state(plan)
    if missing := int(np.count_nonzero(values == UNKNOWN)):
        raise InputError(f"{missing} of {len(values)} positions are not solved yet")
    with replacing(path) as beside:
        write_book(beside, plan.rules, plan.kind, np.array(values), plan.plies)


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """A position of the 12-ply book that has another score than the solver's."""

    position: str
    """Moves that lead to it."""
    stored: int
    solved: int

    def __str__(self) -> str:
        return f"{self.position}: {self.stored} is stored, {self.solved} is true"


class DeepCheck:
    """Solves the positions of the 12-ply book again; what is solved is kept in the state, a file like a book's."""

    def __init__(self, state: Path, sample: int | None = None, seed: int = 1, mebibytes: int = 1024) -> None:
        """Open the state. `sample` positions are checked, which the seed draws; else all. Raises InputError."""
        self.book = deep_book()
        count = len(self.book.codes)
        self._solved = _values_of(BookPlan(state, plies=DEEP_PLIES, kind="scores"), count)
        drawn = np.random.default_rng(seed).permutation(count)[:sample] if sample else np.arange(count)
        self._places = np.sort(drawn)
        self._mebibytes = mebibytes

    def run(self, threads: int) -> Iterator[tuple[int, int]]:
        """Solve what is not known yet, and yield (positions known, positions in all), first and after each one."""
        places = self._places[self._solved[self._places] == UNKNOWN]
        known = len(self._places) - len(places)
        yield known, len(self._places)
        rows = [row.tolist() for row in np.split(places, range(ROW, len(places), ROW))]
        solver = Solver(STANDARD, self._mebibytes)
        with closing(in_threads(solver, threads, rows, self._solve)) as answers:
            for place, score in answers:
                self._solved[place] = score
                known += 1
                yield known, len(self._places)

    def _solve(self, solver: Solver, place: int) -> int:
        return solver.score(*position_of(int(self.book.codes[place])))

    def wrong(self) -> list[WrongEntry]:
        """Return the entries that are wrong, of those solved."""
        solved, stored = self._solved[self._places], self.book.scores[self._places]
        places = self._places[(solved != UNKNOWN) & (solved != stored)]
        discs = [position_of(int(code)) for code in self.book.codes[places]]
        return [
            WrongEntry(moves_to(*each), int(self.book.scores[place]), int(self._solved[place]))
            for each, place in zip(discs, places, strict=True)
        ]


def moves_to(own: int, opp: int) -> str:
    """Return moves of two players by turns that lead to a position of the standard board, or nothing if none do."""

    def rest(board: Board) -> Board | None:
        if board.own | board.opp == own | opp:
            return board
        cells = opp if (board.ply ^ (own | opp).bit_count()) & 1 else own
        for column in board.legal_moves():
            after = board.play(column)
            if not (after.opp & ~cells) and (found := rest(after)):
                return found
        return None

    board = rest(Board())
    return board.text if board else ""
