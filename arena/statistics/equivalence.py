"""Whether two are as good as equal, which no failure to see a difference shows."""

from __future__ import annotations

import math
from typing import Final

from arena.statistics.counts import Counts
from arena.statistics.elo import score_of
from arena.statistics.intervals import Population, score_interval, variance_at

MARGIN: Final = 30.0  # Elo; a smaller difference is called none
ONE_SIDED: Final = 1.6448536269514722  # standard deviations that 5 % of a normal distribution lie above
_POWER: Final = 1.2815515655446004  # the same for 10 %: of two tests each may fail as often


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


def fresh_needed(counts: Counts, margin: float, population: Population | None = None) -> int:
    """Return about how many pairs or games a fresh match needs to tell a difference of `margin` Elo from none.

    Counted by itself, it shows with a power of 80 % or more that sides `margin` apart differ and that equal sides are
    level. A match that goes on until something shows errs more often than 5 %, so that what was played does not count.
    Where the openings are drawn from a `population` without replacement they are never more than it holds. Source:
    K. F. Phillips, "Power of the two one-sided tests procedure in bioequivalence" (1990).
    """
    ends = score_of(-margin), score_of(margin)
    variance = max(variance_at(counts, score) for score in (ends[0], 0.5, ends[1]))
    total = variance * ((ONE_SIDED + _POWER) / (ends[1] - 0.5)) ** 2
    if population is not None:
        size = population if isinstance(population, int) else sum(population)
        total = total * size / (size - 1 + total)
    return math.ceil(total)
