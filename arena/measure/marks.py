"""Marks of a hand-in by a rule in a small TOML file, each part with the numbers that it comes from.

    marks = {runs = 20, correct = 30, strength = 30, faster = 20}
    depth = 4

A part that is left out gives no points. Each gives its most times a share from 0 to 1:

* runs: positions of the check that it answered, times games without a fault of its own;
* correct: searches of its alpha-beta that return the value and the move of plain minimax, its own or ours with its
  heuristic;
* strength: the depth of alphabeta that plays like it, over `depth`;
* faster: how far its alpha-beta is from plain minimax (0) to ours with the best order first (1), by branching factor.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agents.errors import InputError, no_file, unknown
from arena.cells import fixed, yes
from arena.rows import cell, known, table_row


@table_row
class Mark:
    """What one part of the rule gives a hand-in."""

    part: str = cell("runs, correct, strength or faster.", "part")
    points: float = cell("[marks]", "points", fixed(1))
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
    parts: tuple[float, ...] = cell("[marks] Part by part.", "")
    alike: tuple[str, ...] = cell("Hand-ins with the same code or the same answers.", "looks like", ", ".join, any)


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
    """[searches] Of its alpha-beta beside minimax, at all depths of all positions."""
    agree: int | None
    """[searches] Those of them with minimax's value and move."""
    plays_like: float | None
    """[plies] Depth of alphabeta: 0 plays as if by chance, and the end of the ladder stands for all above it."""
    branching: tuple[float, float, float] | None
    """Effective branching factor of plain minimax, its alpha-beta and ours, at the greatest common depth."""
    hint: str = ""
    """What is missing for the last two."""


FULL_DEPTH = 4.0


@dataclass(frozen=True, slots=True)
class Rule:
    """How marks are given."""

    marks: Mapping[str, float] = field(
        default_factory=lambda: {"runs": 20.0, "correct": 30.0, "strength": 30.0, "faster": 20.0}
    )
    depth: float = FULL_DEPTH
    """[plies] A hand-in that plays like alphabeta of this depth has all points for strength."""

    @property
    def most(self) -> float:
        """The sum of all parts."""
        return sum(self.marks.values())

    def of(self, numbers: HandInNumbers) -> list[Mark]:
        """Return the marks of a hand-in, part by part."""
        found = []
        for part, most in self.marks.items():
            share, why = PARTS[part](numbers, self.depth)
            found.append(Mark(part, round(most * min(max(share, 0.0), 1.0), 1), most, why))
        return found


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


def _runs(numbers: HandInNumbers, _: float) -> tuple[float, str]:
    if not numbers.answered:
        return 0.0, "it answered no position"
    share = numbers.answered / numbers.asked
    said = f"{numbers.answered} of {numbers.asked} positions answered"
    if not numbers.games:
        return share, said
    clean = numbers.games - numbers.faults
    return share * clean / numbers.games, f"{said} × {clean} of {numbers.games} games without a fault"


def _correct(numbers: HandInNumbers, _: float) -> tuple[float, str]:
    if not numbers.compared or numbers.agree is None:
        return 0.0, numbers.hint
    return numbers.agree / numbers.compared, (
        f"{numbers.agree} of {numbers.compared} searches have minimax's value and move"
    )


def _strength(numbers: HandInNumbers, depth: float) -> tuple[float, str]:
    if numbers.plays_like is None:
        return 0.0, "its moves could not be graded"
    chance = " (0 is chance)" if numbers.plays_like < 1 else ""
    said = f"plays like alphabeta depth {numbers.plays_like:.1f}{chance}, all points from {depth:g}"
    return numbers.plays_like / depth, said


def _faster(numbers: HandInNumbers, _: float) -> tuple[float, str]:
    if numbers.branching is None:
        return 0.0, numbers.hint
    plain, own, ours = numbers.branching
    said = f"branching {own:.2f}, from minimax's {plain:.2f} (none) to {ours:.2f} of {REFERENCE} (all)"
    return (plain - own) / (plain - ours), said


DEEPEST = 8
"""[plies] The last rung of the ladder."""
REFERENCE = "alphabeta:order=centre"
PARTS: dict[str, Callable[[HandInNumbers, float], tuple[float, str]]] = {
    "runs": _runs,
    "correct": _correct,
    "strength": _strength,
    "faster": _faster,
}
