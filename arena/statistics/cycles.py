"""What no rating explains of a pool's results: scores that go in a circle, and whether chance alone makes as many.

A rating explains differences: if A is 100 ahead of B and B of C, then A is 200 ahead of C. Of a matrix of such
differences, antisymmetric, the part that is made of ratings and the part in which everybody is level are orthogonal
(X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge theory", 2011).

Results that are sampled always leave a cyclic part. How large it gets without any circle is simulated: agents with the
strengths that were fitted play as many games, by the same colours, with as many draws (B. Efron, R. Tibshirani, "An
Introduction to the Bootstrap", 1993, the parametric bootstrap). Games within a stratum are taken as independent; where
openings decide games whoever plays that is more careful than need be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import advantage_shows, estimate
from arena.statistics.nash import scores_of
from arena.statistics.pool import Table

SMALL: Final = 0.05
"""The p-value up to which something is claimed."""
MOST_RESAMPLES, FEWEST_RESAMPLES = 999, 199
_CELLS: Final = 8_000_000  # numbers drawn for all resamples
_CHUNK: Final = 1_000_000  # numbers held at a time


@dataclass(frozen=True, slots=True)
class Cycles:
    """How far a pool is from a ladder."""

    share: float
    """Of the squares of all differences in logits, what the cyclic part has."""
    expected: float | None
    """What it has on average where there is no circle; None where the results leave nothing to chance."""
    low: float | None
    """Lower end of what 95 of 100 such pools show."""
    high: float | None
    """Upper end of it."""
    p: float | None
    """The share of such pools that show as much or more."""
    worst: tuple[str, str, str] | None
    """Each of three scores over one half against the next and the last against the first; None where no three do."""
    scores: tuple[float, float, float] | None
    """What each of them scores against the next."""
    worst_p: float | None
    """The share of pools without a circle in which chance alone makes one whose least score is as high."""

    @property
    def shown(self) -> tuple[str, str, str] | None:
        """The worst cycle where it is more than chance makes, else None."""
        return self.worst if self.worst_p is None or self.worst_p <= SMALL else None


def cycles(table: Table, seed: int = 0, *, exact: bool = False) -> Cycles:
    """Return the cyclic share of a pool in which every pair met, and its worst cycle: that of the largest least score.

    Where the results are `exact` nothing is left to chance.
    """
    points, games = table.totals()
    scores = scores_of(points, games)
    share = float(_cyclic_share(scores, games))
    found = _worst(scores)
    least = None if found is None else min(_around(scores, found))
    worst = None if found is None else (table.agents[found[0]], table.agents[found[1]], table.agents[found[2]])
    around = None if found is None else _around(scores, found)
    if exact:
        return Cycles(share, None, None, None, None, worst, around, None)
    by_chance, circles = _by_chance(table, least, seed)
    low, high = np.quantile(by_chance, (0.025, 0.975))
    p = (1 + int((by_chance >= share).sum())) / (1 + len(by_chance))
    worst_p = None if least is None else (1 + circles) / (1 + len(by_chance))
    return Cycles(share, float(by_chance.mean()), float(low), float(high), p, worst, around, worst_p)


def cyclic_share(differences: Floats) -> Floats:
    """Return what share of the squares of antisymmetric matrices (..., agents, agents) no ratings explain.

    It is 0 where all are level.
    """
    agents = differences.shape[-1]
    differences = differences * (1.0 - np.eye(agents))
    ratings = differences.mean(axis=-1)
    cyclic = differences - (ratings[..., :, None] - ratings[..., None, :])
    whole = (differences**2).sum(axis=(-1, -2))
    return np.asarray((cyclic**2).sum(axis=(-1, -2)) / np.where(whole > 0.0, whole, 1.0))


def _cyclic_share(scores: Floats, games: Floats) -> Floats:
    """Return the cyclic share of scores; half a game won and half a game lost is added to each pair.

    No logit is then infinite.
    """
    met = games + games.swapaxes(-1, -2)
    steadied = (scores * met + 0.5) / (met + 1.0)
    return cyclic_share(np.log(steadied / (1.0 - steadied)))


def _by_chance(table: Table, least: float | None, seed: int) -> tuple[Floats, int]:
    """Return the cyclic shares of pools without a circle, and how many have a cycle of three that all score `least`.

    Each stratum of openings has strengths and an advantage of its own, by which its share of the games is won.
    """
    agents, strata = len(table.agents), table.strata or (np.arange(len(table.points)),)
    games = np.array([table.games[places].sum(axis=0, dtype=float) for places in strata])
    points = np.array([table.points[places].sum(axis=0, dtype=float) for places in strata])
    together = games.sum(axis=0)
    shows = table.colours and all(map(advantage_shows, games))
    strengths, _ = estimate(points, games, np.zeros(agents + 1), together, advantage=shows)
    ahead = strengths[:, :-1, None] - strengths[:, None, :-1] + strengths[:, -1, None, None]
    expected = 1.0 / (1.0 + np.exp(-ahead))
    draws = np.zeros_like(together) if table.draws is None else table.draws
    drawn = np.minimum(draws / np.maximum(together, 1.0), 2.0 * np.minimum(expected, 1.0 - expected))
    won = np.clip((expected - drawn / 2.0) / np.maximum(1.0 - drawn, 1e-12), 0.0, 1.0)
    number = games.astype(np.int64)

    random, shares, circles = np.random.default_rng(seed), [], 0
    resamples = min(MOST_RESAMPLES, max(FEWEST_RESAMPLES, _CELLS // number.size))
    for chunk in range(0, resamples, size := max(1, _CHUNK // number.size)):
        shape = (min(size, resamples - chunk), *number.shape)
        level = random.binomial(number, drawn, size=shape)
        made = (random.binomial(number - level, won) + level / 2.0).sum(axis=1)
        scores = scores_of(made, together)
        shares.append(_cyclic_share(scores, together))
        if least is not None:
            over = (scores >= least).astype(np.float32)
            circles += int(((over @ over) * over.swapaxes(-1, -2)).any(axis=(-1, -2)).sum())
    return np.concatenate(shares), circles


def _worst(scores: Floats) -> tuple[int, int, int] | None:
    """Return three of whom each scores over one half against the next, in a circle whose least score is the largest."""
    highest, found = 0.5, None
    for one, row in enumerate(scores):
        least = np.minimum(
            np.minimum(row[:, None], scores), scores[:, one]
        )  # one over two, two over three, three over one
        two, three = np.unravel_index(least.argmax(), least.shape)
        if least[two, three] > highest:
            highest, found = float(least[two, three]), (one, int(two), int(three))
    return found


def _around(scores: Floats, way: tuple[int, int, int]) -> tuple[float, float, float]:
    i, j, k = way
    return float(scores[i, j]), float(scores[j, k]), float(scores[k, i])
