"""Confidence intervals for the share of the points."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, SupportsIndex

from agents.errors import InputError
from arena.records import Interval
from arena.statistics.direct import brentq, special
from arena.statistics.elo import Z95, likelihood_of_superiority, score_of

# The counts of a pairing, worst result first, seen by engine one.


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each score was made: losses, draws, wins of games, or LL, LD, WL + DD, WD, WW of pairs.

    A pair is one opening played twice with colours swapped; its score is the mean of its two games. Raises InputError
    unless there are 3 or 5 whole numbers, none negative and not all zero.
    """

    numbers: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.numbers) not in (3, 5):
            raise InputError(
                f"{len(self.numbers)} counts given: 3 (losses, draws, wins) or 5 (LL, LD, WL + DD, WD, WW) are needed"
            )
        if min(self.numbers) < 0:
            raise InputError(f"count {min(self.numbers)} is negative")
        if not any(self.numbers):
            raise InputError("all counts are zero: nothing was played")

    @classmethod
    def of(cls, values: Sequence[SupportsIndex]) -> Counts:
        """Return the counts in `values`; raise InputError where one is not a whole number."""
        return cls(tuple(_whole(value) for value in values))

    @property
    def total(self) -> int:
        """Number of pairs, or of games where single games were counted."""
        return sum(self.numbers)

    @property
    def unit(self) -> str:
        """What was counted: "pairs" or "games"."""
        return "pairs" if len(self.numbers) == 5 else "games"

    @property
    def scores(self) -> tuple[float, ...]:
        """The share of the points that each category stands for, from 0 to 1 in equal steps."""
        return category_scores(len(self.numbers))

    @property
    def mean(self) -> float:
        """Engine one's share of the points."""
        return sum(n * a for n, a in zip(self.numbers, self.scores, strict=True)) / self.total

    @property
    def variance(self) -> float:
        """The variance of one pair's or game's score, divided by their number and not by one less.

        It is exactly 0 where all are alike, since quarters of whole numbers are exact.
        """
        mean = self.mean
        return sum(n * (a - mean) ** 2 for n, a in zip(self.numbers, self.scores, strict=True)) / self.total


@dataclass(frozen=True, slots=True)
class Shares(Counts):
    """How often each share of the points, 0 to 1, was reached on an opening: any shares, not quarters alone."""

    shares: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Take any number of counts."""

    @classmethod
    def of(cls, values: Iterable[float]) -> Shares:  # type: ignore[override]  # shares, not counts
        """Return how often each value is there; the shares of single pairs also where they are not."""
        counts = dict.fromkeys(category_scores(5), 0)
        for value in values:
            share = round(float(value), 9)  # thirds that are summed up differently are equal
            counts[share] = counts.get(share, 0) + 1
        ordered = dict(sorted(counts.items()))
        return cls(tuple(ordered.values()), tuple(ordered))

    @property
    def scores(self) -> tuple[float, ...]:
        """The shares."""
        return self.shares


def category_scores(categories: int) -> tuple[float, ...]:
    """Return the scores of so many categories, equally spaced from 0 to 1."""
    return tuple(index / (categories - 1) for index in range(categories))


def _whole(value: SupportsIndex) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"count {value!r} is not a whole number") from None


ABSENT = 1e-3  # the count given to a category that was never seen, so that no hypothesis rules it out

Population = int | Sequence[int]
"""How many openings there are to draw, or how many of each of the strata that take turns."""

_REACH = 40.0  # ln of the most extreme tilt; counts of 1e-3 among millions need less than 22


def normal_interval(counts: Counts) -> tuple[float, float]:
    """Return the 95 % interval that takes the mean score as normal; it may leave the range 0 to 1.

    With 10 pairs only 86 to 90 of 100 such intervals hold the truth.
    """
    margin = Z95 * math.sqrt(counts.variance / counts.total)
    return counts.mean - margin, counts.mean + margin


def score_interval(counts: Counts, shrink: float = 1.0, width: float = Z95) -> tuple[float, float]:
    """Return the interval of the mean scores that a score test does not reject, 95 % unless `width` says otherwise.

    The variance is that of the likeliest distribution with the mean under test, not that of the sample, as in
    Wilson, "Probable inference, the law of succession, and statistical inference" (1927). Held against exact
    enumeration and simulation the interval covers at least 0.94 from 10 to 50 pairs and, of one shape of results, 0.86
    with 5; it is wider than needed where nearly every pair ends alike. It stays inside 0 to 1, and reaches an end only
    where every point was taken.
    """
    return _bound(counts, shrink * width, -1.0), _bound(counts, shrink * width, 1.0)


def score_deviations(counts: Counts, score: float) -> float:
    """Return by how many standard errors the mean lies above `score`, strictly between 0 and 1, as the interval's test.

    The variance is again that of the likeliest distribution with the mean under test.
    """
    return (counts.mean - score) / math.sqrt(variance_at(counts, score) / counts.total)


def variance_at(counts: Counts, score: float) -> float:
    """Return the variance of one pair's or game's score in the likeliest distribution with the mean `score`."""
    weights = [number or ABSENT for number in counts.numbers]
    tilt = brentq(lambda tilt: _mean_at(weights, counts.scores, tilt)[0] - score, -_REACH, _REACH)
    return _mean_at(weights, counts.scores, tilt)[1]


def finite_population(drawn: int, population: Population) -> float:
    """Return the factor by which the standard error shrinks when `drawn` of `population` openings were played.

    Of several strata as many were drawn from each, and each tells as much as another of what it left out.
    """
    sizes = [population] if isinstance(population, int) else population
    share = drawn / len(sizes)
    if drawn > sum(sizes) or share > min(sizes) + 0.5:  # of an odd number one stratum gave one more
        raise InputError(f"{drawn} openings were played, but there are only {' + '.join(map(str, sizes))}")
    return math.sqrt(sum((size - min(share, size)) / max(1, size - 1) for size in sizes) / len(sizes))


def _bound(counts: Counts, width: float, side: float) -> float:
    """Return the score farthest from the mean, below (`side` -1) or above (+1), that lies within `width` errors.

    The likeliest distribution with another mean has p = p̂ / (line in the score), so that one tilt of that line walks
    through them all and no equation is solved on the way.
    """
    mean = counts.mean
    if mean == (1.0 + side) / 2.0:
        return mean
    weights = [number or ABSENT for number in counts.numbers]

    def excess(tilt: float) -> float:
        tested, variance = _mean_at(weights, counts.scores, tilt)
        return (tested - mean) * side - width * math.sqrt(variance / counts.total)

    if excess(0.0) >= 0.0:  # nothing is open, or less than one more category would move the mean
        return mean
    return _mean_at(weights, counts.scores, brentq(excess, 0.0, _REACH * side))[0]


def _mean_at(weights: list[float], scores: tuple[float, ...], tilt: float) -> tuple[float, float]:
    """Return mean and variance of the distribution p̂ / (1 - score + score · exp(-tilt)); the mean grows with `tilt`."""
    end = math.exp(-tilt)
    tilted = [w / (1.0 - a + a * end) for w, a in zip(weights, scores, strict=True)]
    total = sum(tilted)
    mean = sum(w * a for w, a in zip(tilted, scores, strict=True)) / total
    variance = sum(w * (a - mean) ** 2 for w, a in zip(tilted, scores, strict=True)) / total
    return mean, variance


def score_test(counts: Counts, shrink: float = 1.0, tested: float = 0.5) -> tuple[float, float, float]:
    """Return the ends of the score interval and the likelihood in percent that the mean score is above `tested`.

    Both come from one test: the likelihood is 97.5 where the lower end is `tested`. `shrink` multiplies the error,
    see `finite_population`.
    """
    superiority = likelihood_of_superiority(score_deviations(counts, tested), shrink)
    return *score_interval(counts, shrink), superiority


# A proportion of yes among answers that come in groups.

CLUSTERED: Final = "score interval clustered by opening"
"""What the interval of a proportion rests on unless all openings were played."""


def proportion(
    yes: Sequence[int], counts: Sequence[int], shrink: float = 1.0, *, alpha: float = 0.05
) -> Interval | None:
    """Return the proportion of yes in groups of `counts` answers each; None where there are no answers.

    `shrink` multiplies the standard error, as `intervals.finite_population` says it of the groups; 0 is exact. The
    interval misses the truth with the chance `alpha`.

    Answers of one group may resemble each other, and then count as fewer. Over these it is the interval of E. B.
    Wilson, "Probable inference, the law of succession, and statistical inference" (1927). In simulations of 10 to 50
    groups of 60 answers it holds the truth in 94 to 99 of 100.
    """
    total = sum(counts)
    if total == 0:
        return None
    mean = sum(yes) / total
    if shrink == 0.0:
        return Interval(mean, mean, mean)
    width = Z95 if alpha == 0.05 else normal_width(alpha)
    answers = independent_answers(yes, counts, alpha) / shrink**2
    if answers == 0.0:  # Student's quantile of so small an alpha is infinite
        return Interval(mean, 0.0, 1.0)
    centre = mean + width**2 / (2 * answers)
    reach = width * math.sqrt(mean * (1 - mean) / answers + width**2 / (4 * answers**2))
    scale = 1 + width**2 / answers
    low, high = (centre - reach) / scale, (centre + reach) / scale
    return Interval(mean, max(0.0, min(mean, low)), min(1.0, max(mean, high)))


def normal_width(alpha: float) -> float:
    """Return how many standard deviations on either side leave out this share of a normal distribution."""
    return -float(special().ndtri(alpha / 2.0))


def independent_answers(yes: Sequence[int], counts: Sequence[int], alpha: float = 0.05) -> float:
    """Return how many independent answers would tell as much as these in an interval of this level.

    The spread between groups gives the design effect (L. Kish, "Survey Sampling", 1965); Student's quantile pays for
    estimating it from few groups (E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small
    expected number of positive counts estimated from survey data", 1998). Where all answers are alike, or in one
    group, nothing tells of groups, and each answer counts in full.
    """
    total = sum(counts)
    mean = sum(yes) / total
    groups = sum(count > 0 for count in counts)
    if groups < 2 or mean in (0.0, 1.0):
        return float(total)
    spread = sum((y - mean * n) ** 2 for y, n in zip(yes, counts, strict=True))
    effect = groups / (groups - 1) * spread / (total * mean * (1 - mean))
    width = Z95 if alpha == 0.05 else normal_width(alpha)
    return float(total / max(1.0, effect) * (width / special().stdtrit(groups - 1, 1.0 - alpha / 2.0)) ** 2)


# Whether two are as good as equal, which no failure to see a difference shows.

MARGIN: Final = 30.0  # Elo; a smaller difference is called none
ONE_SIDED: Final = 1.6448536269514722  # standard deviations that 5 % of a normal distribution lie above
_POWER: Final = 1.2815515655446004  # the same for 10 %: of two tests each may fail as often


def equivalent(counts: Counts, margin: float, shrink: float = 1.0) -> bool:
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


# Many comparisons at once: which differences still count.


def survivors(superiorities: Sequence[float], share: float = 0.05) -> list[bool]:
    """Return which of several likelihoods of superiority, in percent, still show a difference among so many.

    Of 63 pairings of equal sides some three differ at 5 % by chance alone. The chance that any of those returned does
    is at most `share`, however they depend on each other. Source: S. Holm, "A simple sequentially rejective multiple
    test procedure" (1979).
    """
    chances = [2.0 * min(los, 100.0 - los) / 100.0 for los in superiorities]
    kept = [False] * len(chances)
    for left, place in zip(
        range(len(chances), 0, -1), sorted(range(len(chances)), key=chances.__getitem__), strict=True
    ):
        if chances[place] > share / left:
            break
        kept[place] = True
    return kept
