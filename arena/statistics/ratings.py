"""Ratings of a pool, with intervals that respect the openings all pairings share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.statistics import bradley_terry
from arena.statistics.bootstrap import bootstrap
from arena.statistics.elo import ELO_PER_LOGIT, Z95, likelihood_of_superiority
from arena.statistics.pool import (
    Result,
    Table,
    Total,
    require_connected,
    table_of_results,
    table_of_totals,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

ENOUGH_OPENINGS: Final = 10  # fewer cannot stand for the openings that were not drawn
_STILL = 1e-6  # logits; what varies less among resamples does not vary


@dataclass(frozen=True, slots=True)
class Rating:
    """One agent's strength within its pool; the first six fields are what `arena rate` prints."""

    agent: str
    elo: float
    """Relative to the mean of the pool, which is 0."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    games: int
    """Games against others."""
    score: float
    """Share of the points in them; no rating follows from it alone, since opponents differ."""
    marked: bool
    """Whether only virtual draws keep the rating finite: it may lie anywhere beyond."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The ratings of a pool, strongest first."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    """[i][j] is the likelihood in percent that the i-th rated agent is stronger than the j-th; 50 on the diagonal."""
    advantage: float | None
    """What moving first is worth in Elo; None where the games do not tell."""
    advantage_error: float | None
    """Half the width of its 95 % interval."""
    method: str
    """What the intervals rest on: "bootstrap over openings" or "Fisher information"."""


def rate(results: Iterable[Result], *, resamples: int = 1000, seed: int = 0) -> Pool:
    """Return the ratings of the agents that played `results`.

    All pairings share the openings, so the intervals come from `resamples` draws of openings with replacement; where
    fewer than ten openings are told apart, and for agents whose results do not vary, from the Fisher information.
    Raises InputError where the pool is not connected.
    """
    return _rate(table_of_results(results), resamples, seed)


def rate_totals(totals: Iterable[Total]) -> Pool:
    """Return the ratings that follow from aggregated counts, without a term for the first move."""
    return _rate(table_of_totals(totals), 0, 0)


def _rate(table: Table, resamples: int, seed: int) -> Pool:
    import numpy as np

    points, games = table.points.sum(axis=0), table.games.sum(axis=0)
    require_connected(table.agents, games)
    advantage = table.colours and bradley_terry.advantage_shows(games)
    origin = np.zeros(len(games) + 1)
    found, held = bradley_terry.estimate(points[None], games[None], origin, games, advantage=advantage)
    strengths = found[0]
    weighed = games + bradley_terry.virtual_games(games) if held[0] else games
    spread = bradley_terry.covariance(weighed, strengths, advantage=advantage)
    margins = Z95 * np.sqrt(spread.diagonal())
    marked = _marked(points, games) if held[0] else np.zeros(len(games), dtype=bool)
    measured = _Measured(strengths, strengths - margins, strengths + margins, _differences(spread))
    by_openings = bool(resamples) and table.openings and len(table.points) >= ENOUGH_OPENINGS
    if by_openings:
        drawn = bootstrap(table, strengths, resamples, seed, advantage=advantage)
        measured = _refined(measured, drawn, np.append(marked, False), len(table.points))
    return _pool(table, measured, marked, advantage=advantage, by_openings=by_openings)


@dataclass(frozen=True, slots=True)
class _Measured:
    """Strengths in logits, the advantage last, with their 95 % bounds and the standard errors of their differences."""

    strengths: Floats
    lows: Floats
    highs: Floats
    differences: Floats


def _refined(fisher: _Measured, drawn: Floats, marked: npt.NDArray[np.bool_], openings: int) -> _Measured:
    """Return `fisher` with the bounds and errors of the resamples `drawn` wherever these vary.

    The percentiles are set apart as far as Student's distribution asks for so many openings. Source: T. Hesterberg,
    "What teachers should know about the bootstrap" (2015), the expanded percentile interval. Plain percentiles of 10
    openings hold the truth in 90 of 100 pools.
    """
    import numpy as np
    from scipy.special import ndtr, stdtrit

    wider = math.sqrt(openings / (openings - 1.0))
    tail = float(ndtr(wider * stdtrit(openings - 1, 0.025)))
    varies = ~marked & (np.ptp(drawn, axis=0) > _STILL)
    lows, highs = np.quantile(drawn, (tail, 1.0 - tail), axis=0)
    differences = wider * _differences(np.cov(drawn, rowvar=False))
    both = varies[:-1, None] & varies[None, :-1] & (differences > _STILL)
    return _Measured(
        fisher.strengths,
        np.where(varies, lows, fisher.lows),
        np.where(varies, highs, fisher.highs),
        np.where(both, differences, fisher.differences),
    )


def _differences(spread: Floats) -> Floats:
    """Return the standard errors of the differences in strength that a covariance, the advantage last, implies."""
    import numpy as np

    variances = spread.diagonal()[:-1]
    return np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2.0 * spread[:-1, :-1], 0.0))


def _marked(points: Floats, games: Floats) -> npt.NDArray[np.bool_]:
    """Return which agents took all points or none or, where the pool splits into groups that did, all agents."""
    import numpy as np

    made, played = _scores(points, games)
    perfect = (made == 0.0) | (made == played)
    return np.asarray(perfect | ~perfect.any())


def _scores(points: Floats, games: Floats) -> tuple[Floats, Floats]:
    """Return the points and the number of games of each agent against others."""
    import numpy as np

    others = 1.0 - np.eye(len(games))
    made = (points * others).sum(axis=1) + ((games - points) * others).sum(axis=0)
    return made, ((games + games.T) * others).sum(axis=1)


def _pool(
    table: Table, measured: _Measured, marked: npt.NDArray[np.bool_], *, advantage: bool, by_openings: bool
) -> Pool:
    import numpy as np

    made, played = _scores(table.points.sum(axis=0), table.games.sum(axis=0))
    elo, low, high = (ELO_PER_LOGIT * values for values in (measured.strengths, measured.lows, measured.highs))
    order = sorted(range(len(marked)), key=lambda i: (-elo[i], table.agents[i]))
    ratings = tuple(
        Rating(
            agent=table.agents[i],
            elo=float(elo[i]),
            low=float(low[i]),
            high=float(high[i]),
            games=int(played[i]),
            score=float(made[i] / played[i]),
            marked=bool(marked[i]),
        )
        for i in order
    )
    ability = measured.strengths[:-1]
    superiority = tuple(
        tuple(
            50.0 if i == j else likelihood_of_superiority(ability[i] - ability[j], measured.differences[i, j])
            for j in order
        )
        for i in order
    )
    return Pool(
        ratings=ratings,
        superiority=superiority,
        advantage=float(elo[-1]) if advantage else None,
        advantage_error=float(high[-1] - low[-1]) / 2.0 if advantage else None,
        method="bootstrap over openings" if by_openings else "Fisher information",
    )
