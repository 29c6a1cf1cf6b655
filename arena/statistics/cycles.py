"""What no rating explains of a pool's results: who beats whom in a circle.

A rating explains differences: if A is 100 ahead of B and B of C, then A is 200 ahead of C. Of a matrix of such
differences, antisymmetric, the part that is made of ratings and the part in which everybody is level are orthogonal
(X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge theory", 2011).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from arena.statistics.arrays import Floats
from arena.statistics.nash import scores_of
from arena.statistics.pool import Table


@dataclass(frozen=True, slots=True)
class Cycles:
    """How far a pool is from a ladder."""

    share: float
    """Of the squares of all differences in logits, what the cyclic part has; sampling alone leaves some."""
    worst: tuple[str, str, str] | None
    """Each of three beats the next one and the last the first; None where no three do."""
    scores: tuple[float, float, float] | None
    """What each of them scores against the next."""


def cycles(table: Table) -> Cycles:
    """Return the cyclic share of a pool in which every pair met, and its worst cycle: that of the largest least margin.

    Half a game won and half a game lost is added to each pair, so that no logit is infinite.
    """
    points, games = table.totals()
    scores = scores_of(points, games)
    met = games + games.T
    steadied = (scores * met + 0.5) / (met + 1.0)
    share = cyclic_share(np.log(steadied / (1.0 - steadied)))
    found: list[tuple[float, tuple[int, int, int]]] = []
    for i, j, k in itertools.combinations(range(len(table.agents)), 3):
        found += [(least, way) for way in ((i, j, k), (i, k, j)) if (least := min(_around(scores, way))) > 0.5]
    if not found:
        return Cycles(share, None, None)
    _, way = max(found, key=lambda each: each[0])
    one, two, three = (table.agents[place] for place in way)
    return Cycles(share, (one, two, three), _around(scores, way))


def cyclic_share(differences: Floats) -> float:
    """Return what share of the squares of an antisymmetric matrix no ratings explain; 0 where all are level."""
    np.fill_diagonal(differences, 0.0)
    ratings = differences.mean(axis=1)
    cyclic = differences - (ratings[:, None] - ratings[None, :])
    whole = float((differences**2).sum())
    return float((cyclic**2).sum()) / whole if whole else 0.0


def _around(scores: Floats, way: tuple[int, int, int]) -> tuple[float, float, float]:
    i, j, k = way
    return float(scores[i, j]), float(scores[j, k]), float(scores[k, i])
