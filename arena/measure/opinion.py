"""A second opinion: another solver's scores of positions, held against ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.board import Board, Rules
from agents.errors import InputError
from agents.remote.failure import Failure
from agents.remote.spec import command
from agents.remote.stranger import Stranger
from agents.remote.terms import Terms
from arena.measure.verify import sample

FEWEST_DISCS = 16
"""On a position that is asked about: with fewer a solver without a book may take minutes.
On small boards half the cells are enough."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What two solvers say of one position, for the side to move."""

    position: str
    ours: int
    theirs: int


def positions(count: int, seed: int, rules: Rules) -> list[Board]:
    """Return so many positions from random play with discs enough. Raises InputError."""
    fewest = min(FEWEST_DISCS, rules.columns * rules.rows // 2)
    drawn = 4 * count
    while True:
        found = [board for board in sample(drawn, seed, rules) if board.ply >= fewest]
        if len(found) >= count:
            return found[:count]
        drawn *= 2


def opinions(text: str, boards: Sequence[Board], progress: Callable[[], object] = lambda: None) -> list[Opinion]:
    """Ask the solver behind `pons:COMMAND` and ours for the score of each position. Raises InputError."""
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver

    if not text.startswith("pons:"):
        raise InputError(f"a second opinion comes from pons:COMMAND, not from {text!r}")
    rules = boards[0].rules
    solver = Solver(rules, book=shipped_book(rules))
    terms = Terms()
    other = Stranger(command(text, str(Path.cwd())), terms)
    found = []
    try:
        other.prepare(rules)
        for board in boards:
            theirs = other.score(board, time.perf_counter() + terms.patience)
            found.append(Opinion(board.text, solver.score_of(board), theirs))
            progress()
    except Failure as failure:
        raise InputError(f"{text!r}: {failure}") from failure
    finally:
        other.close()
    return found
