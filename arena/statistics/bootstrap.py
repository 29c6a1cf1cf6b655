"""Strengths of a pool whose openings are drawn again."""

from __future__ import annotations

import numpy as np

from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import estimate
from arena.statistics.pool import Table

_CHUNK = 2_000_000  # numbers in an array of draws or resampled tables; more only costs memory


def bootstrap(table: Table, start: Floats, resamples: int, seed: int, *, advantage: bool) -> Floats:
    """Return the strengths, shape (resamples, agents + 1), of pools with the openings drawn with replacement.

    An opening comes with the games of all pairings on it, so that what the pairings share is kept, and each stratum
    gives as many as it gave. Source: B. Efron, "Bootstrap methods: another look at the jackknife" (1979).
    """
    openings, agents, _ = table.games.shape
    random = np.random.default_rng(seed)
    points, games = table.points.reshape(openings, -1), table.games.reshape(openings, -1)
    met = table.games.sum(axis=0)
    strengths = []
    for chunk in range(0, resamples, size := max(1, _CHUNK // max(agents**2, openings))):
        samples = min(size, resamples - chunk)
        drawn = np.zeros((samples, openings))
        for places in table.strata:
            drawn[:, places] = random.multinomial(len(places), np.full(len(places), 1.0 / len(places)), size=samples)
        shape = (samples, agents, agents)
        drawn_points, drawn_games = (drawn @ points).reshape(shape), (drawn @ games).reshape(shape)
        strengths.append(estimate(drawn_points, drawn_games, start, met, advantage=advantage)[0])
    return np.concatenate(strengths)
