"""The terms of a heuristic's value: the kinds of windows or chunks that it counts, for each side, and their worth.

A value is the points of one side less those of the other, and no evaluation returns the two. The counters below call
the kernels that the heuristics are made of, for each side by itself; where these take weights, with 1 for the kind that
is counted and 0 for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from agents.bits.bitboard import anchors, landing_cells
from agents.bits.windows import exactly, open_windows, window_counts
from agents.heuristics import line_runs_published as published
from agents.heuristics import smart
from agents.heuristics.line_runs import chunk_starts
from agents.heuristics.windows import NAMES
from agents.rules import Rules
from agents.specs.notation import call
from agents.specs.parts import HEURISTICS

Counted = tuple[str, int, int]
"""The kind counted, the worth of each to its owner, and their number."""


@dataclass(frozen=True, slots=True)
class Term:
    """One kind of thing that a heuristic counts."""

    name: str
    worth: int
    """Of each, to its owner."""
    mine: int
    """MAX's number of them."""
    theirs: int
    """MIN's number of them."""

    @property
    def points(self) -> int:
        """The term's part of MAX's value."""
        return self.worth * (self.mine - self.theirs)


def terms(heuristic: str, own: int, opp: int, rules: Rules, *, own_is_max: bool = True) -> list[Term]:
    """Return the terms of a heuristic's value for `own`; none where no counter knows the heuristic.

    own, opp: the discs of either side. own_is_max: whether `own` are MAX's, which a Term counts as `mine`.
    """
    asked = call(SHORT.get(heuristic, heuristic))
    if asked.name not in COUNTERS:
        return []
    names = NAMES if asked.name == "windows" else HEURISTICS[asked.name].weights or ()
    weights = (*asked.positions, *(asked.keywords[name] for name in names if name in asked.keywords))
    found: dict[tuple[str, int], list[int]] = {}
    for side, (mine, theirs) in enumerate(((own, opp), (opp, own))):
        for what, worth, number in COUNTERS[asked.name](mine, theirs, rules, weights, side == 0):
            if number:
                found.setdefault((what, worth), [0, 0])[side if own_is_max else 1 - side] += number
    return [Term(what, worth, *counts) for (what, worth), counts in sorted(found.items(), key=lambda each: -each[0][1])]


def _windows(mine: int, theirs: int, rules: Rules, weights: tuple[int, ...], _: bool) -> Iterator[Counted]:
    for discs in range(1, rules.connect + 1):
        worth = weights[discs - 1] if weights else 10 ** (discs - 1)
        number = open_windows(mine, theirs, discs, rules.columns, rules.rows, rules.connect)
        yield f"{discs} in a window", worth, number


def _smart_simple(mine: int, theirs: int, rules: Rules, *_: object) -> Iterator[Counted]:
    return _by_weight(mine, theirs, 0, rules, smart.SIMPLE)


def _aware(mine: int, theirs: int, rules: Rules, weights: smart.Weights, _: bool) -> Iterator[Counted]:
    mask = mine | theirs
    return _by_weight(mine, theirs, (mask | landing_cells(mask, rules.bottom)) & rules.cells, rules, weights)


def _by_weight(mine: int, theirs: int, level: int, rules: Rules, weights: smart.Weights) -> Iterator[Counted]:
    """Yield what each weight counts, which are the points where that weight is 1 and the others are 0."""
    starts = anchors(rules.columns, rules.rows, rules.connect)
    kinds = ("4 in a window", "3, filled at once", "3 in a window", "2, filled at once", "2 in a window", "blocked 3")
    for place, (kind, worth) in enumerate(zip(kinds, weights, strict=True)):
        sign = -1 if kind == "blocked 3" else 1  # these lose points
        only: Any = tuple(int(place == other) for other in range(len(kinds)))
        yield kind, sign * worth, sign * smart.aware(mine, theirs, level, rules.rows, starts, only)


def _line_runs(mine: int, theirs: int, rules: Rules, *_: object) -> Iterator[Counted]:
    rows, connect = rules.rows, rules.connect
    across = min(rules.columns, rows)
    for stride, length in ((1, rows), (rows + 1, rules.columns), (rows + 2, across), (rows, across)):
        if length >= connect:
            starts = chunk_starts(rules.cells & ~theirs, stride, connect, length // connect)
            counts = window_counts(mine, stride, connect)
            for discs in range(1, connect + 1):
                number = (starts & exactly(counts, discs, connect)).bit_count()
                yield f"{discs} in a chunk", int("1" * discs), number


def _line_runs_published(mine: int, theirs: int, _: Rules, __: object, is_own: bool) -> Iterator[Counted]:
    marks = published.marks(published.steps(mine), published.free_lines(published.steps(theirs)))
    lines = [sum(word >> line & 1 for word in marks) for line in range(published.END)]
    for places in range(1, 5):
        worth = 0 if places == 4 and is_own else int("1" * places)
        yield f"{places} marked in a chunk", worth, lines.count(places)


SHORT = {"powers-of-ten": "windows()", "smart-aware": "aware(40,17,15,4,2,13)"}
"""Heuristics that have other names, too; without weights the windows are worth powers of ten."""
COUNTERS: dict[str, Callable[..., Iterator[Counted]]] = {
    "windows": _windows,
    "aware": _aware,
    "smart-simple": _smart_simple,
    "line-runs": _line_runs,
    "line-runs-published": _line_runs_published,
}
