"""A rating among opponents with fixed ratings, such as the anchors of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from arena.records import Interval
from arena.statistics.arrays import Floats
from arena.statistics.direct import brentq, special
from arena.statistics.elo import ELO_PER_LOGIT, score_of

FARTHEST = 4000.0
"""Elo beyond the outermost opponents; half a draw against each holds ratings far nearer."""


def anchored_rating(points: Sequence[float], opponents: Sequence[float], openings: Sequence[object]) -> Interval:
    """Return the likeliest Elo of an agent by its games against opponents of known Elo, with a 95 % interval.

    points: of each game, 0, 0.5 or 1. opponents: the rating of the opponent in it. openings: what the game began with;
    games of one opening resemble each other, so that the interval is the sandwich clustered by opening, with Student's
    t of the openings less one (Liang, Zeger, "Longitudinal data analysis using generalized linear models", 1986). The
    opponents' ratings count as exact: they define the scale. Where all points were won or lost half a virtual draw
    against each opponent holds the rating finite, and its interval is open on that side.
    """
    won, against = np.asarray(points, float), np.asarray(opponents, float)
    share = float(won.mean())
    extreme = share in (0.0, 1.0)
    anchors = np.unique(against) if extreme else np.empty(0)

    def excess(elo: float) -> float:
        held = sum(0.5 - score_of(elo - each) for each in anchors) / 2.0
        return float(sum(won - _expected(elo, against))) + held

    elo = brentq(excess, against.min() - FARTHEST, against.max() + FARTHEST)
    expected = _expected(elo, against)
    known = float((expected * (1.0 - expected)).sum())
    _, place = np.unique([str(each) for each in openings], return_inverse=True)
    number = int(place.max()) + 1
    if number < 2:
        return Interval(elo, None, None)
    sums = np.bincount(place, won - expected)
    error = ELO_PER_LOGIT * math.sqrt(number / (number - 1) * float(sums @ sums)) / known
    margin = float(special().stdtrit(number - 1, 0.975)) * error
    return Interval(elo, None if share == 0.0 else elo - margin, None if share == 1.0 else elo + margin)


def _expected(elo: float, against: Floats) -> Floats:
    """Return the expected points of each game."""
    return np.asarray(1.0 / (1.0 + np.exp((against - elo) / ELO_PER_LOGIT)))
