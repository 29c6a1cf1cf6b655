"""Whether two are as good as equal, which no failure to see a difference shows."""

from __future__ import annotations

import math
from typing import Final

from arena.statistics.counts import Counts
from arena.statistics.elo import Z95, elo_of, score_of
from arena.statistics.intervals import Population, score_deviations, score_interval

MARGIN: Final = 30.0  # Elo; a smaller difference is called none
ONE_SIDED: Final = 1.6448536269514722  # standard deviations that 5 % of a normal distribution lie above


def level(counts: Counts, margin: float, shrink: float = 1.0) -> bool:
    """Return whether two one-sided tests at 5 % show the sides to be less than `margin` Elo apart.

    Both reject where the 90 % interval lies within the margin. Over all openings, `shrink` 0, only equal is level.
    Source: D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for assessing
    the equivalence of average bioavailability" (1987).
    """
    if shrink == 0.0:
        return counts.mean == 0.5  # quarters of whole numbers are exact
    low, high = score_interval(counts, shrink, ONE_SIDED)
    return score_of(-margin) < low and high < score_of(margin)


def more_needed(counts: Counts, margin: float, population: Population | None = None) -> int:
    """Return about how many more pairs or games would settle it if they went as those played did.

    Settled is whatever comes first: that one side is better, or that the two are level. Where the openings are drawn
    from a `population` without replacement they are never more than it holds.
    """
    needed = []
    if deviations := score_deviations(counts, 0.5):
        needed.append((Z95 / deviations) ** 2)
    if 0.0 < counts.mean < 1.0 and abs(elo_of(counts.mean)) < margin:
        nearest = min(abs(score_deviations(counts, score_of(end))) for end in (-margin, margin))
        needed.append((ONE_SIDED / nearest) ** 2)
    total = min(needed) * counts.total
    if population is not None:
        size = population if isinstance(population, int) else sum(population)
        total = total * size / (size - 1 + total)
    return max(1, math.ceil(total) - counts.total)
