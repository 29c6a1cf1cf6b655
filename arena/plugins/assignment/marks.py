"""Marks of a hand-in by a rule in a small TOML file, each part with the numbers that it comes from.

    marks = {runs = 20, correct = 30, strength = 30, faster = 20}
    depth = 4

A part that is left out gives no points. Each gives its most times a share from 0 to 1:

* runs: positions of the check that it answered, times games without a fault of its own;
* correct: searches of its alpha-beta that return the value and the move of plain minimax, its own or ours with its
  heuristic, or before the end of the game the right result;
* strength: half for moves that keep a win or a draw where a legal move loses it, from as many as by chance (0) to as
  many as of alphabeta of `depth` (1); half for its points against our agents, all from FULL_SCORE on;
* faster: how far its alpha-beta is from plain minimax (0) to ours with the best order first (1), by branching factor.
  The nodes are those that it reports, or the boards that it makes where these are more. Fewer than the smallest tree
  that proves a value give nothing.

A part that could not be measured, for no fault of the hand-in, counts neither in the sum nor in its most.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import numpy as np

from agents.errors import InputError, no_file, unknown
from arena.table.cells import fixed, percent, yes
from arena.table.rows import cell, known, table_row
from arena.tournament.effort import branching_factor


@table_row
class Mark:
    """What one part of the rule gives a hand-in."""

    part: str = cell("runs, correct, strength or faster.", "part")
    points: float | None = cell("[marks] None where it was not measured: then it counts in no sum.", "points", fixed(1))
    most: float = cell("[marks] For all of it.", "of", fixed(0))
    why: str = cell("The numbers that the points come from.", "because")


@table_row
class Ranked:
    """What everybody may know of a hand-in."""

    agent: str = cell("Its name: that of its file.", "name")
    author: str = cell("As the first line of its docstring has it.", "author", when=any, least=3)
    ok: bool = cell("Whether the check found no fault.", "ok", yes, least=1)
    faults: int = cell("[faults] Of different kinds in the check, and games lost by its own fault.", "faults")
    rank: int | None = cell(
        "By points a game; equal ones share it. None without games, or where it is alone.", "rank", when=known
    )
    points: float | None = cell("[points] Of its games: a win is one, a draw a half.", "points", fixed(1), when=known)
    games: int = cell("[games]", "games", least=2)


@table_row
class HandIn(Ranked):
    """What became of one hand-in."""

    marks: float = cell("[marks] The sum of all parts of the rule.", "marks", fixed(1))
    most: float = cell("[marks] The most that the parts could give that were measured.", "of", fixed(0))
    parts: tuple[float | None, ...] = cell("[marks] Part by part; None where it was not measured.", "")
    twin: str = cell("A built-in agent that answers all positions of the check as it does.", "answers as", when=any)
    imports: tuple[str, ...] = cell(
        "Modules of the arena beyond the public names that it imports.", "imports", ", ".join, any
    )


@dataclass(frozen=True, slots=True)
class HandInNumbers:
    """The numbers of a hand-in that marks come from; None where there was nothing to measure."""

    asked: int
    """[positions] Of the check."""
    answered: int
    games: int
    faults: int
    """[games] Lost by a fault of its own."""
    compared: int | None
    """[searches] Of its alpha-beta: beside minimax, at all depths of all positions, and before the end of the game."""
    agree: int | None
    """[searches] Those of them with minimax's value and move, or the right result."""
    kept: float | None
    """[share] Moves that kept a win or a draw where a legal move loses it."""
    kept_by: Sequence[float]
    """[share] The same by chance, and of alphabeta at each depth from 1."""
    points: float
    """[points] In its games with our agents."""
    met: int
    """[games] With them."""
    pruning: Pruning | None
    unmeasured: str = ""
    """Why its search could not be measured, for no fault of its own."""
    hint: str = ""
    """What is missing for `correct` and `faster`."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """What one search of a hand-in's alpha-beta on the empty board visited, and what bounds it."""

    depth: int
    reported: int
    """[nodes] By its own count."""
    boards: int
    """[positions] That it made on our board; 0 where it has a board of its own."""
    minimax: float
    """Effective branching factor of plain minimax at this depth."""
    ours: float
    """That of REFERENCE."""

    @property
    def nodes(self) -> int:
        """Those that count."""
        return max(self.reported, self.boards)

    @property
    def is_possible(self) -> bool:
        """Whether a search can visit so few."""
        return self.nodes >= fewest_positions(self.depth)

    @property
    def share(self) -> float:
        """How far it is from plain minimax, 0, to ours, 1."""
        branching = branching_factor(self.nodes, self.depth)
        return (self.minimax - branching) / (self.minimax - self.ours) if branching and self.is_possible else 0.0

    def __str__(self) -> str:
        if not self.is_possible:
            said = f"it reports {self.nodes:,} positions at depth {self.depth}"
            return f"{said}: no search proves a value with fewer than {fewest_positions(self.depth):,}"
        factor = branching_factor(self.nodes, self.depth) or 0.0
        said = (
            f"branching {factor:.2f}, from minimax's {self.minimax:.2f} (none) to {self.ours:.2f} of {REFERENCE} (all)"
        )
        return f"{said}; {self._count()} at depth {self.depth}"

    def _count(self) -> str:
        if self.reported > self.boards + 1:  # the root is on the board before
            return f"{self.reported:,} positions by its own count"
        reported = f", of which it reports {self.reported:,}," if 0 < self.reported < self.boards - 1 else ""
        return f"it makes {self.boards:,} positions{reported}"


def fewest_positions(depth: int) -> int:
    """Return a number of positions that every search to a depth of at most 6 visits, from the empty 7x6 board.

    Alpha-beta visits at least the minimal tree (Knuth, Moore, "An Analysis of Alpha-Beta Pruning", 1975), in which one
    side tries all its moves. A table may recognise what was seen before, also mirrored; but discs of one side that lie
    otherwise in the columns are another position. So k moves of that side lead to at least half as many positions as
    there are ways to share k discs among seven columns.
    """
    return sum(math.ceil(math.comb(6 + discs, discs) / 2) for discs in ((ply + 1) // 2 for ply in range(depth + 1)))


FULL_DEPTH = 4.0
FULL_SCORE = 0.75
"""[share] Of the points against our agents that give all marks: about what alphabeta of FULL_DEPTH makes."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How marks are given."""

    marks: Mapping[str, float] = field(
        default_factory=lambda: {"runs": 20.0, "correct": 30.0, "strength": 30.0, "faster": 20.0}
    )
    depth: float = FULL_DEPTH
    """[plies] A hand-in that keeps the value as often as alphabeta of this depth has all points for that."""

    @property
    def most(self) -> float:
        """The sum of all parts."""
        return sum(self.marks.values())

    def of(self, numbers: HandInNumbers) -> list[Mark]:
        """Return the marks of a hand-in, part by part."""
        marks = []
        for part, most in self.marks.items():
            share, why = PARTS[part](numbers, self.depth)
            points = None if share is None else round(most * min(max(share, 0.0), 1.0), 1)
            marks.append(Mark(part, points, most, why))
        return marks


def read_rule(path: Path) -> Rule:
    """Return the rule of a file. Raises InputError with what would do."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise no_file(path) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} is no rule of marks: {error}") from None
    for key in document:
        if key not in ("marks", "depth"):
            raise InputError(f"{path}: {unknown('key', key, ('marks', 'depth'))}")
    marks, depth = document.get("marks", Rule().marks), document.get("depth", FULL_DEPTH)
    if not isinstance(marks, Mapping) or not marks:
        raise InputError(f"{path}: marks is a table, such as marks = {{runs = 40, strength = 60}}")
    for part, most in marks.items():
        if part not in PARTS:
            raise InputError(f"{path}: {unknown('part of the marks', part, PARTS)}")
        if not _is_number(most) or not 0 <= most <= 1e6:
            raise InputError(f"{path}: {part} is a number of points from 0, not {most!r:.80}")
    if not _is_number(depth) or not 1 <= depth <= DEEPEST:
        raise InputError(f"{path}: depth is a number of plies from 1 to {DEEPEST}, not {depth!r:.80}")
    return Rule({part: float(most) for part, most in marks.items()}, float(depth))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


Share = tuple[float | None, str]
"""Of the most points, None where it was not measured; and what it comes from."""


def _runs(numbers: HandInNumbers, _: float) -> Share:
    if not numbers.answered:
        return 0.0, "it answered no position"
    share = numbers.answered / numbers.asked
    said = f"{numbers.answered} of {numbers.asked} positions answered"
    if not numbers.games:
        return share, said
    clean = numbers.games - numbers.faults
    return share * clean / numbers.games, f"{said} × {clean} of {numbers.games} games without a fault"


def _correct(numbers: HandInNumbers, _: float) -> Share:
    if not numbers.compared or numbers.agree is None:
        return (None, f"not measured: {numbers.unmeasured}") if numbers.unmeasured else (0.0, numbers.hint)
    return numbers.agree / numbers.compared, (
        f"{numbers.agree} of {numbers.compared} searches have minimax's value and move, or the result of a game's end"
    )


def _strength(numbers: HandInNumbers, depth: float) -> Share:
    """Return the mean of two shares, value kept and points; of one where there is no other."""
    shares, said = [], []
    if numbers.kept is not None and len(numbers.kept_by) > 1:
        chance, *rungs = numbers.kept_by
        full = float(np.interp(depth, range(1, len(rungs) + 1), rungs))
        shares.append((numbers.kept - chance) / (full - chance) if full > chance else 0.0)
        said.append(
            f"keeps the win or the draw in {percent(numbers.kept)} of the positions where a move loses it "
            f"(chance {percent(chance)}: no points, alphabeta depth {depth:g} {percent(full)}: all)"
        )
    if numbers.met:
        shares.append(numbers.points / numbers.met / FULL_SCORE)
        said.append(
            f"{numbers.points:g} points in {numbers.met} games with our agents (all from {FULL_SCORE * 100:g} %)"
        )
    if not shares:
        return 0.0, "its moves could not be graded"
    return fmean(min(max(share, 0.0), 1.0) for share in shares), "; ".join(said)


def _faster(numbers: HandInNumbers, _: float) -> Share:
    if numbers.unmeasured:
        return None, f"not measured: {numbers.unmeasured}"
    return (0.0, numbers.hint) if numbers.pruning is None else (numbers.pruning.share, str(numbers.pruning))


DEEPEST = 8
"""[plies] The last rung of the ladder."""
REFERENCE = "alphabeta:order=centre"
PARTS: dict[str, Callable[[HandInNumbers, float], Share]] = {
    "runs": _runs,
    "correct": _correct,
    "strength": _strength,
    "faster": _faster,
}
