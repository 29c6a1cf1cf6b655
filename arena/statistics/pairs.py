"""One pairing: how strong, and how sure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, SupportsIndex

from arena.statistics.counts import Counts
from arena.statistics.elo import NORMALIZED_SCALE, Z95, elo_of, likelihood_of_superiority
from arena.statistics.intervals import finite_population, normal_interval, score_interval

NORMAL_FROM: Final = 50  # pairs; with fewer the normal interval covers too little


class Basis(StrEnum):
    """What the interval of a pairing rests on."""

    NORMAL = "normal interval"
    SCORE = "score interval"
    EXACT = "exact over these openings"
    NO_VARIANCE = "no variance"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing's statistics from engine one's view; the first five fields are what `arena elo` prints.

    None stands where a number would be infinite or does not exist: Elo where every point went to one side, errors and
    LOS where the results do not vary.
    """

    elo: float | None
    """Rating difference in Elo."""
    elo_error: float | None
    """Half the width of the 95 % interval that the normal approximation gives, which is what other tools print."""
    nelo: float | None
    """Normalized Elo: the mean score's distance from one half in standard deviations of a game."""
    nelo_error: float | None
    los: float | None
    """Likelihood of superiority in percent."""
    low: float | None
    """Lower end of the 95 % interval in Elo that `basis` names; None where it is open."""
    high: float | None
    score: float
    """Share of the points, 0 to 1."""
    count: int
    unit: str
    """"pairs" or "games"."""
    basis: Basis


def pairing(numbers: Sequence[SupportsIndex], population: int | None = None) -> Pairing:
    """Return the statistics of a pairing from its 3 or 5 counts, worst first.

    `population` is the number of openings from which those played were drawn without replacement. It is to be given
    only for two deterministic agents: their result on an opening is a fact, so that nothing is uncertain but the
    openings left out, and once all were played the result is exact over them. Raises InputError on bad counts and
    where more was played than there are openings.

    Source: M. Van den Bergh, "Comments on normalized Elo" (2020), for the normalized scale and its error.
    """
    counts = Counts.of(numbers)
    shrink = 1.0 if population is None else finite_population(counts.total, population)
    basis = _basis(counts, population, shrink)
    interval = score_interval if basis in (Basis.SCORE, Basis.NO_VARIANCE) else normal_interval
    low, high = interval(counts, shrink)
    varies = counts.variance > 0.0
    known = varies or basis is Basis.EXACT
    score, deviation, root = counts.mean, math.sqrt(counts.variance), math.sqrt(counts.total)
    scale = NORMALIZED_SCALE / math.sqrt(2.0 if counts.unit == "pairs" else 1.0)  # per game, whatever was counted
    return Pairing(
        elo=_elo(score),
        elo_error=_elo_error(counts, shrink) if known else None,
        nelo=scale * (score - 0.5) / deviation if varies else None,
        nelo_error=scale * Z95 * shrink / root if varies else None,
        los=likelihood_of_superiority(score - 0.5, shrink * deviation / root) if known else None,
        low=_elo(low),
        high=_elo(high),
        score=score,
        count=counts.total,
        unit=counts.unit,
        basis=basis,
    )


def _basis(counts: Counts, population: int | None, shrink: float) -> Basis:
    if counts.total == population:
        return Basis.EXACT
    if counts.variance == 0.0:
        return Basis.NO_VARIANCE
    if counts.total >= NORMAL_FROM and _has_elo(normal_interval(counts, shrink)):
        return Basis.NORMAL
    return Basis.SCORE


def _elo_error(counts: Counts, shrink: float) -> float | None:
    """Return half the normal interval's width in Elo or, where that interval leaves 0 to 1, the score interval's."""
    bounds = normal_interval(counts, shrink)
    if not _has_elo(bounds):
        bounds = score_interval(counts, shrink)
    low, high = map(_elo, bounds)
    return None if low is None or high is None else (high - low) / 2.0


def _has_elo(bounds: tuple[float, float]) -> bool:
    return bounds[0] > 0.0 and bounds[1] < 1.0


def _elo(score: float) -> float | None:
    return elo_of(score) if 0.0 < score < 1.0 else None
