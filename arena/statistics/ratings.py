"""Ratings of a pool, with intervals that respect the openings all pairings share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.errors import unknown
from arena.statistics.arrays import Floats
from arena.statistics.bootstrap import bootstrap
from arena.statistics.bradley_terry import advantage_shows, covariance, estimate, gradients, virtual_games
from arena.statistics.clones import clones
from arena.statistics.intervals import Population, finite_population
from arena.statistics.played import Played, Result
from arena.statistics.pool import Table, Total, require_connected, table_of, table_of_totals
from arena.statistics.ranking import BOOTSTRAP, EXACT, FISHER, SANDWICH, Pool, ranked
from arena.statistics.uncertainty import Measured

ENOUGH_OPENINGS: Final = 10  # fewer are too few to draw from


def rate(
    games: Iterable[Result] | Played,
    *,
    resamples: int = 1000,
    seed: int = 0,
    anchor: tuple[str, float] | None = None,
    population: Population | None = None,
    strata: Mapping[str, object] | None = None,
) -> Pool:
    """Return the ratings of the agents that played these `games`.

    All pairings share the openings, so the intervals come from `resamples` draws of openings with replacement and,
    where there are two to nine, from the sandwich covariance clustered by opening; where none are told apart, and for
    agents whose results do not vary, from the Fisher information. Agents that play the same games are rated as one, so
    that a copy changes nobody's rating.

    `anchor` names an agent and the rating that it is to have. `population` is the number of openings that those
    played were drawn from without replacement, or that of each stratum; it is to be given only where all agents are
    deterministic. `strata` names the stratum of each opening, where openings of several kinds took turns. Raises
    InputError where the pool is not connected and where the anchor is none of the agents.
    """
    played = games if isinstance(games, Played) else Played.of(games)
    same = clones(played)
    apart = played.among(set(played.agents).difference(same)) if same else played
    if len(apart.agents) < 2:
        same, apart = {}, played  # of one player alone there is nothing to say
    table = table_of(apart, strata)
    return _rate(table, table_of(played) if same else table, same, resamples, seed, anchor, population)


def rate_totals(totals: Iterable[Total], *, anchor: tuple[str, float] | None = None) -> Pool:
    """Return the ratings that follow from aggregated counts, without a term for the first move."""
    table = table_of_totals(totals)
    return _rate(table, table, {}, 0, 0, anchor, None)


def _rate(
    table: Table,
    everybody: Table,
    same: Mapping[str, str],
    resamples: int,
    seed: int,
    anchor: tuple[str, float] | None,
    population: Population | None,
) -> Pool:
    """Return the ratings of `everybody` as the agents of `table` that they are the `same` as have earned them."""
    points, games = table.totals()
    require_connected(table.agents, games)
    if anchor is not None and anchor[0] not in everybody.agents:
        raise unknown("agent to anchor the ratings", anchor[0], everybody.agents)
    advantage = table.colours and advantage_shows(games)
    start = np.zeros(len(games) + 1)
    found, held = estimate(points[None], games[None], start, games, advantage=advantage)
    if held[0] and advantage:  # who moves first may take all points where the strengths alone have a maximum
        plain = estimate(points[None], games[None], start, games, advantage=False)
        if not plain[1][0]:
            (found, held), advantage = plain, False
    marked = table.one_sided() if held[0] else np.zeros(len(games), dtype=bool)
    weighed = games + virtual_games(games) if held[0] else games
    inverse = covariance(weighed, found[0], advantage=advantage)
    frame = _frame(table, marked, None if anchor is None else same.get(anchor[0], anchor[0]))
    measured = Measured.by_information(frame @ found[0], frame @ inverse @ frame.T)
    openings, method = len(table.points) if table.openings else 1, FISHER
    if openings >= ENOUGH_OPENINGS and resamples:
        drawn = bootstrap(table, found[0], resamples, seed, advantage=advantage)
        measured, method = measured.by_resampling(drawn @ frame.T, openings, len(table.strata), marked), BOOTSTRAP
    elif openings > 1:
        pulls = gradients(table.points, table.games, np.repeat(found, openings, axis=0), advantage=advantage)
        measured, method = measured.by_openings(pulls @ inverse @ frame.T, table.strata, marked), SANDWICH
    if population is not None and table.openings:
        shrink = finite_population(table.played(), population)
        measured, method = measured.of_population(shrink, marked), method if shrink else EXACT
    return ranked(
        table, everybody, same, measured, marked, 0.0 if anchor is None else anchor[1], method, advantage=advantage
    )


def _frame(table: Table, marked: npt.NDArray[np.bool_], anchor: str | None) -> Floats:
    """Return the matrix that takes strengths and advantage to strengths relative to the anchor or to the unmarked."""
    if anchor is not None:
        centre = np.array([float(agent == anchor) for agent in table.agents])
    else:
        centre = np.ones(len(marked)) if marked.all() else np.where(marked, 0.0, 1.0)
    frame = np.eye(len(marked) + 1)
    frame[:-1, :-1] -= centre / centre.sum()
    return frame
