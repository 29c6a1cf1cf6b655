"""Ratings of a pool, with intervals that respect the openings all pairings share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.statistics.bootstrap import bootstrap
from arena.statistics.bradley_terry import advantage_shows, covariance, estimate, virtual_games
from arena.statistics.elo import ELO_PER_LOGIT, likelihood_of_superiority
from arena.statistics.pool import Result, Table, Total, require_connected, table_of_results, table_of_totals
from arena.statistics.uncertainty import Measured

ENOUGH_OPENINGS: Final = 10  # fewer cannot stand for the openings that were not drawn


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
    """What moving first is worth in Elo; None where the games do not tell, or only that it is without bound."""
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
    points, games = table.points.sum(axis=0), table.games.sum(axis=0)
    require_connected(table.agents, games)
    advantage = table.colours and advantage_shows(games)
    start = np.zeros(len(games) + 1)
    found, held = estimate(points[None], games[None], start, games, advantage=advantage)
    if held[0] and advantage:  # who moves first may take all points where the strengths alone have a maximum
        plain = estimate(points[None], games[None], start, games, advantage=False)
        if not plain[1][0]:
            (found, held), advantage = plain, False
    marked = table.one_sided() if held[0] else np.zeros(len(games), dtype=bool)
    weighed = games + virtual_games(games) if held[0] else games
    measured = Measured.by_information(found[0], covariance(weighed, found[0], advantage=advantage))
    by_openings = bool(resamples) and table.openings and len(table.points) >= ENOUGH_OPENINGS
    if by_openings:
        drawn = bootstrap(table, found[0], resamples, seed, advantage=advantage)
        measured = measured.by_openings(drawn, len(table.points), marked)
    return _pool(table, measured, marked, advantage=advantage, by_openings=by_openings)


def _pool(
    table: Table, measured: Measured, marked: npt.NDArray[np.bool_], *, advantage: bool, by_openings: bool
) -> Pool:
    made, played = table.scores()
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
