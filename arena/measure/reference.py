"""The reference ladder: alpha-beta with its defaults at rising depths, in the same positions as those who are graded.

One pool of questions for all, so that a grade, which depends on the questions, becomes a depth, which says more. What
is held against the rungs is the share of perfect moves in all positions: on 1,500 of them, depths 3 and 7 lie 10
standard errors of the difference apart by it, by good moves in clear-cut positions 4. `arena.statistics.rungs` says how
the place on the ladder and its interval are found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.errors import InputError
from agents.registry import parse
from arena.measure.grade import Answer, Candidate, Exercise, answers
from arena.statistics.rungs import place

RUNG = "alphabeta"
"""With its heuristic and its order of moves; the depth says which rung."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """What the rungs answered."""

    depths: tuple[int, ...]
    """[plies] Ascending, two or more."""
    perfect: tuple[tuple[bool, ...], ...]
    """For each rung whether its answers were perfect, position by position."""

    @classmethod
    def climb(
        cls,
        depths: Sequence[int],
        exercises: Sequence[Exercise],
        seed: int,
        progress: Callable[[], object] = lambda: None,
    ) -> Ladder:
        """Let each rung answer. Raises InputError for fewer than two depths."""
        if len(depths) < 2:
            raise InputError("a ladder has two depths or more, such as 1..8")
        rungs = []
        for depth in depths:
            spec = parse(f"{RUNG}:depth={depth}")
            given = answers(Candidate(spec, spec.text, depth), spec.build(), exercises, seed, progress)
            rungs.append(perfect(exercises, given))
        return cls(tuple(depths), tuple(rungs))

    def marks(self, own: Sequence[bool]) -> dict[str, Any]:
        """Return the fields of `Marks` that say what depth finds as many perfect moves.

        Beyond an end of the ladder the depth is None, and the interval has only the end on the ladder's side.
        """
        found = place(self.depths, np.array(self.perfect, float), np.array(own, float))
        if found is None:
            return {}
        bottom, top = self.depths[0], self.depths[-1]
        low = None if math.isinf(found.low) and found.at < top else min(max(found.low, bottom), top)
        high = None if math.isinf(found.high) and found.at > bottom else min(max(found.high, bottom), top)
        if math.isinf(found.at):
            return {"plays_like_low": low} if found.at > 0 else {"plays_like_high": high}
        return {"plays_like": found.at, "plays_like_low": low, "plays_like_high": high}


def perfect(exercises: Sequence[Exercise], given: Sequence[Answer]) -> tuple[bool, ...]:
    """Return for each position whether the answer was perfect."""
    return tuple(answer.column in exercise.perfect for exercise, answer in zip(exercises, given, strict=True))
