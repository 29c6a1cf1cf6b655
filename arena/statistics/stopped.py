"""How strong, after a sequential test has stopped the match.

A match that stops because one side was ahead overstates by how much: of matches between equals stopped by a test of 0
against 30 Elo the plain estimates average below 0, of those 30 apart above 30.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from arena.statistics.counts import Counts
from arena.statistics.direct import brentq, special
from arena.statistics.elo import NORMALIZED_SCALE, elo_of, score_of
from arena.statistics.intervals import ABSENT
from arena.statistics.sequential import MINIMUM_PAIRS, Sprt

_OVERSHOOT = 0.5825971579390107  # deviations of a step that a walk lands beyond a line on average
_BEYOND = 20.0  # deviations; no motion ends so far from where its drift takes it
_ROUGH = 1.0  # of the log-likelihood ratio; a motion that misses it by as much is another one
_EDGE = 1e-9  # a score nearer to 0 or 1 has no Elo to speak of


@dataclass(frozen=True, slots=True)
class Stopped:
    """Strength in Elo as the time of stopping tells it; None where the interval is open."""

    elo: float
    """The median-unbiased estimate: the truth is as often above as below it."""
    low: float | None
    """Lower end of the 95 % interval."""
    high: float | None


def after_stop(test: Sprt, numbers: Sequence[SupportsIndex]) -> Stopped | None:
    """Return the strength after `test` has decided a match of pairs; None where the stop tells nothing.

    What counts is at which bound the match stopped and after how many pairs: the sooner at the upper one, the stronger.
    The log-likelihood ratio is taken as a Brownian motion between the bounds, which are moved outwards by what a step
    overshoots them. It tells nothing where the test has not decided, or did at the first pair at which it could, when
    the plain interval holds, or where results are so lopsided that the ratio is no such motion. Source: D. Siegmund,
    "Sequential Analysis: Tests and Confidence Intervals" (1985).
    """
    counts = Counts.of(numbers)
    evidence = test.weigh(numbers)
    if evidence.decision == "continue" or counts.unit == "games" or counts.total <= MINIMUM_PAIRS:
        return None
    weights = np.array([number or ABSENT for number in counts.numbers], dtype=float)
    scores = np.array(counts.scores)
    mean = float(weights @ scores / weights.sum())
    deviation = math.sqrt(float(weights @ (scores - mean) ** 2 / weights.sum()))
    if test.model == "logistic":
        ends = [score_of(elo) for elo in (test.elo0, test.elo1)]
    else:
        ends = [0.5 + math.sqrt(2.0) * elo / NORMALIZED_SCALE * deviation for elo in (test.elo0, test.elo1)]
    middle = (ends[0] + ends[1]) / 2.0
    step = (ends[1] - ends[0]) / deviation  # of the log-likelihood ratio, in one pair
    if abs(counts.total * step * (mean - middle) / deviation / evidence.llr - 1.0) > _ROUGH:
        return None
    upper, lower = test.upper / step + _OVERSHOOT, test.lower / step - _OVERSHOOT
    above = evidence.decision == "H1"
    near, far = (upper, lower) if above else (-lower, -upper)

    chances = (0.5, 0.025, 0.975) if above else (0.5, 0.975, 0.025)
    drifts = [_drift(chance, counts.total, near, far) for chance in chances]
    if None in drifts:
        return None
    side = 1.0 if above else -1.0
    elo, low, high = (middle + side * drift * deviation for drift in drifts if drift is not None)
    return Stopped(
        elo_of(min(max(elo, _EDGE), 1.0 - _EDGE)),
        elo_of(low) if low > 0.0 else None,
        elo_of(high) if high < 1.0 else None,
    )


def _drift(chance: float, time: float, near: float, far: float) -> float | None:
    """Return the drift at which a motion leaves at `near` by `time` with this chance; None where none can be told."""
    farthest = near / time + _BEYOND / math.sqrt(time)
    with np.errstate(over="ignore", invalid="ignore"):
        if not exit_by(time, near, far, -farthest) < chance < exit_by(time, near, far, farthest):
            return None
        return brentq(lambda drift: exit_by(time, near, far, drift) - chance, -farthest, farthest)


def exit_by(time: float, near: float, far: float, drift: float) -> float:
    """Return the probability that a Brownian motion from 0 leaves at `near` > 0, not at `far` < 0, and by `time`.

    It moves by `drift` in a unit of time, with deviation 1. Each term is a passage of one of the images of the line.
    """
    lines = near + 2.0 * (near - far) * np.arange(-50, 51)
    away, pace, root = abs(lines), abs(drift), math.sqrt(time)
    terms = np.exp(drift * near - away * pace + special().log_ndtr((pace * time - away) / root)) + np.exp(
        drift * near + away * pace + special().log_ndtr((-pace * time - away) / root)
    )
    return float(np.sign(lines) @ terms)
