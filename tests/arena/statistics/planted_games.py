"""Games between agents whose strengths are known."""

import itertools

import numpy as np

from arena.statistics.pool import PoolGame


def by_agent(pool):
    """Return the ratings of a pool by the names of its agents."""
    return {rating.agent: rating for rating in pool.ratings}


def planted(strengths, advantage, openings, seed=0, tilt=0.0, draws=0.05):
    """Return games of every ordered pair of agents on every opening; an opening favours the first player by `tilt`."""
    random = np.random.default_rng(seed)
    results = []
    for opening in range(openings):
        favour = random.normal(0, tilt)
        for first, second in itertools.permutations(strengths, 2):
            ahead = strengths[first] - strengths[second] + advantage + favour
            chance, drawn = 1 / (1 + 10 ** (-ahead / 400)), random.random()
            points = 1.0 if drawn < chance - draws else 0.5 if drawn < chance + draws else 0.0
            results.append(PoolGame(first, second, str(opening), points))
    return results
