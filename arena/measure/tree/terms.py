"""The terms of a heuristic's value: the kinds of windows or chunks that it counts, for each side, and their worth.

The readers below go through one window or line after the other, as the heuristics are described; their sums are the
heuristics' values. They are written out because no evaluation gives these counts: a kernel returns the difference of
both sides, of the whole board or of a packed word, and its smaller pieces would be compiled anew to be called alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agents.heuristics.windows import NAMES
from agents.rules import Rules
from agents.specs.notation import call
from agents.specs.parts import HEURISTICS

Counted = tuple[str, int, bool]
"""The kind counted, its worth to its owner, and whether the owner is the side that the heuristic values."""
Cell = tuple[int, int]


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
    """Return the terms of a heuristic's value for `own`; none where no reader knows the heuristic."""
    asked = call(SHORT.get(heuristic, heuristic))
    if asked.name not in READERS:
        return []
    names = NAMES if asked.name == "windows" else HEURISTICS[asked.name].weights or ()
    weights = (*asked.positions, *(asked.keywords[name] for name in names if name in asked.keywords))
    found: dict[tuple[str, int], list[int]] = {}
    for what, worth, is_own in READERS[asked.name](own, opp, rules, weights):
        found.setdefault((what, worth), [0, 0])[0 if is_own == own_is_max else 1] += 1
    return [Term(what, worth, *counts) for (what, worth), counts in sorted(found.items(), key=lambda each: -each[0][1])]


@functools.cache
def windows(rules: Rules) -> list[tuple[int, int, int, int]]:
    """Return each window: its cells, its anchor, its far end, and 0 where it is horizontal, 1 upright, 2 diagonal."""
    found = []
    for column in range(rules.columns):
        for row in range(rules.rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                last = column + (rules.connect - 1) * right, row + (rules.connect - 1) * up
                if 0 <= last[0] < rules.columns and last[1] < rules.rows:
                    bits = [1 << (column + n * right) * (rules.rows + 1) + row + n * up for n in range(rules.connect)]
                    found.append((sum(bits), bits[0], bits[-1], 0 if not up else 1 if not right else 2))
    return found


def _windows(own: int, opp: int, rules: Rules, weights: tuple[int, ...]) -> Iterator[Counted]:
    for window, _, _, _ in windows(rules):
        mine, theirs = (own & window).bit_count(), (opp & window).bit_count()
        if (mine == 0) != (theirs == 0):
            discs = mine or theirs
            worth = weights[discs - 1] if discs <= len(weights) else 10 ** (discs - 1)
            yield f"{discs} in a window", worth, mine > 0


def _smart_simple(own: int, opp: int, rules: Rules, _: tuple[int, ...]) -> Iterator[Counted]:
    mask = own | opp
    for window, anchor, far, slope in windows(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            discs, others = (me & window).bit_count(), (other & window).bit_count()
            if me & anchor and not others and discs >= 2:
                yield f"{discs} in a window", discs, is_own
            elif me & anchor and others == 1 and discs == 3:
                yield "blocked 3", -1, is_own
            elif not mask & anchor and me & far and slope == 0 and discs == 3:
                yield "3 in a window", 3, is_own


def _aware(own: int, opp: int, rules: Rules, weights: tuple[int, ...]) -> Iterator[Counted]:
    four, three_now, three, two_now, two, blocked = weights
    mask = own | opp
    level = mask | (mask << 1 | rules.bottom) & rules.cells
    for window, anchor, far, slope in windows(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            discs, others = (me & window).bit_count(), (other & window).bit_count()
            ready = (level & window).bit_count()
            from_far = not mask & anchor and bool(me & far)
            if others == 1 and discs == 3 and me & anchor:
                yield "blocked 3", -blocked, is_own
            if others or not (me & anchor or from_far):
                continue
            if discs == 4:
                yield "4 in a window", four, is_own
            elif discs == 3:
                now = ready == 4
                yield "3, filled at once" if now else "3 in a window", three_now if now else three, is_own
            elif discs == 2 and ready == 4:
                yield "2, filled at once", two_now, is_own
            elif discs == 2 and (not from_far or (slope == 2 and ready == 3)):
                yield "2 in a window", two, is_own


def _line_runs(own: int, opp: int, rules: Rules, _: tuple[int, ...]) -> Iterator[Counted]:
    for line in lines(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            run: list[int] = []
            for bit in line:
                run = [] if other & bit else [*run, bit]
                if len(run) == rules.connect:
                    if discs := (me & sum(run)).bit_count():
                        yield f"{discs} in a chunk", int("1" * discs), is_own
                    run = []


@functools.cache
def lines(rules: Rules) -> list[list[int]]:
    """Return the cells of each row, column and diagonal, from its left or lower end."""
    found: dict[tuple[str, int], list[int]] = {}
    for column in range(rules.columns):
        for row in range(rules.rows):
            bit = 1 << column * (rules.rows + 1) + row
            for line in (("up", column), ("right", row), ("rising", row - column), ("falling", row + column)):
                found.setdefault(line, []).append(bit)
    return list(found.values())


def _line_runs_published(own: int, opp: int, rules: Rules, _: tuple[int, ...]) -> Iterator[Counted]:
    for line in published_lines(rules):
        places, marked = [0, 0], [set[int](), set[int]()]
        for bit in line:
            owner = 0 if own & bit else 1 if opp & bit else None
            if owner is not None:
                marked[owner].add(places[owner])
                places[1 - owner] = 0
            for side in (0, 1):
                places[side] += owner != 1 - side
                if places[side] == 4:
                    discs = len(marked[side])
                    if discs:
                        worth = 0 if discs == 4 and side == 0 else int("1" * discs)
                        yield f"{discs} marked in a chunk", worth, side == 0
                    places[side], marked[side] = 0, set()


@functools.cache
def published_lines(rules: Rules) -> list[list[int]]:
    """Return the lines that the ITU program reads: its diagonals cross the first six columns; 0 is a cell outside."""

    def cells(line: Iterable[Cell]) -> list[int]:
        return [1 << c * (rules.rows + 1) + r if 0 <= r < rules.rows else 0 for c, r in line]

    upright = [[(column, row) for row in range(rules.rows)] for column in range(rules.columns)]
    level = [[(column, row) for column in range(rules.columns)] for row in range(rules.rows)]
    rising = [[(c, c + 2 - x) for c in range(6)] for x in range(8)]
    falling = [[(c, x + 3 - c) for c in range(6)] for x in range(8)]
    return [cells(line) for line in (*upright, *level, *rising, *falling)]


SHORT = {"powers-of-ten": "windows()", "smart-aware": "aware(40,17,15,4,2,13)"}
"""Heuristics that have other names, too; without weights the windows are worth powers of ten."""
READERS: dict[str, Callable[[int, int, Rules, tuple[int, ...]], Iterator[Counted]]] = {
    "windows": _windows,
    "aware": _aware,
    "smart-simple": _smart_simple,
    "line-runs": _line_runs,
    "line-runs-published": _line_runs_published,
}
