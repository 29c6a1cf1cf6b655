"""One pairing: how strong, and how sure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import SupportsIndex

from arena.records import Interval
from arena.statistics.elo import NORMALIZED_SCALE, Z95, elo_of, likelihood_of_superiority
from arena.statistics.intervals import (
    MARGIN,
    Counts,
    Population,
    Shares,
    equivalent,
    finite_population,
    fresh_needed,
    normal_interval,
    score_interval,
    score_test,
)


class Basis(StrEnum):
    """What the interval of a pairing rests on."""

    SCORE = "score interval"
    EXACT = "exact over these openings"
    NO_VARIANCE = "no variance"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing's statistics from engine one's view.

    `elo_error`, `nelo`, `nelo_error` and `los` follow the formulas that other tools publish, to agree with them: they
    take openings as drawn from endless ones. `low`, `high` and `los_score` come from one test, which knows how many
    openings there are, and never contradict each other. None stands where a number would be infinite or does not exist:
    Elo where every point went to one side, the published errors and LOS where the results do not vary.
    """

    elo: float | None
    """Rating difference in Elo."""
    elo_error: float | None
    """Half the width of the 95 % interval that the normal approximation gives, which is what other tools print."""
    nelo: float | None
    """Normalized Elo: the mean score's distance from one half in standard deviations of a game."""
    nelo_error: float | None
    los: float | None
    """Likelihood of superiority in percent, by the normal approximation."""
    los_score: float
    """Likelihood of superiority in percent by the score test: 97.5 where `low` is 0."""
    low: float | None
    """Lower end of the 95 % score interval in Elo; None where it is open."""
    high: float | None
    score: float
    """Share of the points, 0 to 1."""
    count: int
    unit: str
    """"pairs" or "games"."""
    basis: Basis
    level: bool
    """Whether two one-sided tests show the two to be within the margin, or all openings that they are equal."""
    more: int | None
    """About how many of `unit` a fresh match needs to tell the margin from no difference; None where that is shown."""

    @property
    def interval(self) -> Interval:
        """Elo, infinite where every point went to one side, with `low` and `high`."""
        one_sided = math.copysign(math.inf, self.score - 0.5)
        return Interval(one_sided if self.elo is None else self.elo, self.low, self.high)

    @property
    def clear(self) -> bool:
        """Whether a difference shows: 0 Elo lies outside the interval."""
        if self.basis is Basis.EXACT:
            return self.score != 0.5  # quarters of whole numbers are exact
        return (self.low is not None and self.low > 0.0) or (self.high is not None and self.high < 0.0)


def pairing(
    numbers: Sequence[SupportsIndex],
    population: Population | None = None,
    margin: float = MARGIN,
) -> Pairing:
    """Return the statistics of a pairing from `numbers`, its 3 or 5 counts, worst first.

    `population` is the number of openings from which those played were drawn without replacement, or that of each
    stratum. It is to be given only for two deterministic agents: their result on an opening is a fact, so that nothing
    is uncertain but the openings left out, and once all were played the result is exact over them. `margin` is the
    difference in Elo below which the two count as level. Raises InputError on bad counts and where more was
    played than there are openings.

    Source: M. Van den Bergh, "Comments on normalized Elo" (2020), for the normalized scale and its error.
    """
    counts = Counts.of(numbers)
    shrink = 1.0 if population is None else finite_population(counts.total, population)
    varies, exact = counts.variance > 0.0, shrink == 0.0
    basis = Basis.EXACT if exact else Basis.SCORE if varies else Basis.NO_VARIANCE
    low, high, superiority = score_test(counts, shrink)
    score, deviation, root = counts.mean, math.sqrt(counts.variance), math.sqrt(counts.total)
    scale = NORMALIZED_SCALE / math.sqrt(2.0 if counts.unit == "pairs" else 1.0)  # per game, whatever was counted
    result = Pairing(
        elo=_elo(score),
        elo_error=_elo_error(counts) if varies else None,
        nelo=scale * (score - 0.5) / deviation if varies else None,
        nelo_error=scale * Z95 / root if varies else None,
        los=likelihood_of_superiority(score - 0.5, deviation / root) if varies else None,
        los_score=superiority,
        low=_elo(low),
        high=_elo(high),
        score=score,
        count=counts.total,
        unit=counts.unit,
        basis=basis,
        level=equivalent(counts, margin, shrink),
        more=None,
    )
    if exact or result.level or result.clear:
        return result
    return replace(result, more=fresh_needed(counts, margin, population))


def pooled(shares: Iterable[float], population: Population | None = None, margin: float = MARGIN) -> Pairing:
    """Return the statistics of several pairings as one, from the mean share of the points on each opening.

    They come from the same score test, over openings; of one pairing they are its own. The rest is as in `pairing`.
    """
    counts = Shares.of(shares)
    shrink = 1.0 if population is None else finite_population(counts.total, population)
    low, high, superiority = score_test(counts, shrink)
    score = round(counts.mean, 9)
    basis = Basis.EXACT if shrink == 0.0 else Basis.SCORE if counts.variance > 0.0 else Basis.NO_VARIANCE
    level = score == 0.5 if shrink == 0.0 else equivalent(counts, margin, shrink)
    ends = _elo(low), _elo(high)
    return Pairing(
        _elo(score), None, None, None, None, superiority, *ends, score, counts.total, "pairs", basis, level, None
    )  # fmt: skip


def _elo_error(counts: Counts) -> float | None:
    """Return half the normal interval's width in Elo or, where that interval leaves 0 to 1, the score interval's."""
    bounds = normal_interval(counts)
    if bounds[0] <= 0.0 or bounds[1] >= 1.0:
        bounds = score_interval(counts)
    low, high = map(_elo, bounds)
    return None if low is None or high is None else (high - low) / 2.0


def _elo(score: float) -> float | None:
    return elo_of(score) if 0.0 < score < 1.0 else None


# A pairing in one sentence.

ALIKE = (0.95, 1.05)
"""Between these, costs are said to be the same."""


def verdict(
    first: str,
    second: str,
    result: Pairing,
    *,
    where: str = "",
    distinct: int | None = None,
    effort: float | None = None,
    time: float | None = None,
    survives: bool = True,
    margin: float = MARGIN,
) -> str:
    """Return which agent beats the other, by how much, how surely and at what cost, as one sentence.

    `result` is from the view of `first`. `where` says under which condition, as in "at depth 6"; `distinct` is the
    number of games that differ in their moves; `effort` is the nodes a move of `first` over those of `second`; `time`
    is the same of their time, to be given where both were to have as much. `survives` tells whether a difference still
    shows among all that were compared, as `holm.survivors` has it; `margin` is that of `result`.

    The side that is ahead is the subject: "smart-aware beats powers-of-ten by 96 Elo [65 to 128] at depth 6 (LOS
    99.9 %, 200 pairs, 187 distinct), at 1.3 times the nodes." It only beats the other where 0 lies outside the 95 %
    interval, and the two are only level where an equivalence test shows it.
    """
    behind = result.score < 0.5
    winner, loser = (second, first) if behind else (first, second)
    if result.clear:
        claim = f"{winner} beats {loser} {ahead_by(result, -1.0 if behind else 1.0)}"
    elif result.basis is Basis.EXACT:
        claim = f"{first} and {second} are even"
    elif result.level:
        claim = f"{first} and {second} are level, {within(result)}"
    else:
        claim = f"no difference seen between {first} and {second}: {within(result)}"
    sentence = f"{claim} {where}".rstrip() + f" ({', '.join(_evidence(result, distinct))})"
    if result.clear and not survives:
        sentence += ", which may be chance among so many pairings"
    if effort:
        owner = "" if result.clear or ALIKE[0] <= effort < ALIKE[1] else f"{first} "  # else the subject's
        sentence += f", {owner}{_cost(1.0 / effort if behind and result.clear else effort)}"
    if time and not ALIKE[0] <= time < ALIKE[1]:
        more, less = (first, second) if time > 1.0 else (second, first)
        sentence += f", {more} used {max(time, 1.0 / time):.2f} times {less}'s time"
    if result.more is not None:
        fresh = f"a fresh run of about {result.more:,} {_unit(result.unit, result.more)}"
        sentence += f"; {fresh} would tell {margin:g} Elo from none, at 80 % power"
    return sentence + "."


def ahead_by(result: Pairing, sign: float) -> str:
    """Return by how many Elo the side that is ahead is ahead, in words; `sign` is -1 where that is engine two."""
    bounds = (result.low, result.high) if sign > 0.0 else (result.high, result.low)
    near, far = (None if bound is None else round(sign * bound) for bound in bounds)
    if result.elo is None:
        return "in every game" if near is None else f"in every game, by {near} Elo or more"
    elo = round(sign * result.elo)
    return f"by {elo} Elo" if result.basis is Basis.EXACT else f"by {elo} Elo [{near} to {far}]"


def within(result: Pairing) -> str:
    """Return the interval in words, from the view of the agent named first."""
    if result.low is None or result.high is None:
        return f"{result.low:+z.0f} Elo or more" if result.low is not None else f"{result.high:+z.0f} Elo or less"
    return f"{result.low:+z.0f} to {result.high:+z.0f} Elo"


def _evidence(result: Pairing, distinct: int | None) -> list[str]:
    """Return what the sentence rests on, as short phrases."""
    evidence = []
    if result.basis in (Basis.EXACT, Basis.NO_VARIANCE):
        evidence.append(result.basis.value)
    elif result.clear:
        surer = max(result.los_score, 100.0 - result.los_score)
        evidence.append(f"LOS {min(surer, 99.9):.1f} %")  # never certain: another opening may tell otherwise
    evidence.append(f"{result.count} {_unit(result.unit, result.count)}")
    if distinct is not None:
        evidence.append(f"{distinct} distinct")
    return evidence


def _unit(name: str, number: int) -> str:
    return name.removesuffix("s") if number == 1 else name


def _cost(times: float) -> str:
    if ALIKE[0] <= times < ALIKE[1]:
        return "at the same number of nodes"
    return f"at {times:.0f} times the nodes" if times >= 9.95 else f"at {times:.2g} times the nodes"
