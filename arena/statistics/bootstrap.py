"""Strengths of a pool whose openings are drawn again."""

from __future__ import annotations

import numpy as np

from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import estimate, inverse_hessian, nearby, sums
from arena.statistics.pool import Table

_CHUNK = 500_000  # numbers in an array of draws or resampled tables; more only costs memory


def bootstrap(table: Table, start: Floats, resamples: int, seed: int, *, advantage: bool) -> Floats:
    """Return the strengths, shape (resamples, agents + 1), of pools with the openings drawn with replacement.

    An opening comes with the games of all pairings on it, so that what the pairings share is kept, and each stratum
    gives as many as it gave. Source: B. Efron, "Bootstrap methods: another look at the jackknife" (1979).
    """
    openings, agents, _ = table.games.shape
    random = np.random.default_rng(seed)
    points, games = table.points.reshape(openings, -1), table.games.reshape(openings, -1)
    met, alike = table.totals()[1], bool((table.games == table.games[0]).all())
    inverse, made = inverse_hessian(met, start, advantage=advantage), sums(table.points, advantage=advantage)
    strengths = []
    for chunk in range(0, resamples, size := max(1, _CHUNK // max(agents**2, openings))):
        samples = min(size, resamples - chunk)
        drawn = table.resampled(random, samples)
        shape = (samples, agents, agents)
        drawn_games = np.broadcast_to(met, shape) if alike else (drawn @ games).reshape(shape)
        found, settled = nearby(drawn @ made, drawn_games, start, inverse, advantage=advantage)
        if not settled.all():
            drawn_points = (drawn[~settled] @ points).reshape(-1, agents, agents)
            found[~settled] = estimate(drawn_points, drawn_games[~settled], start, met, advantage=advantage)[0]
        strengths.append(found)
    return np.concatenate(strengths)
