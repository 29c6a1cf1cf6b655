"""The place of a player on a ladder of ever better players, by the proportion of the same questions answered well.

A ladder's share grows with its rungs; where sampling has it fall, the rungs are pooled into one of their mean, which is
the isotonic regression (M. Ayer and others, "An empirical distribution function for sampling with incomplete
information", 1955). Between the rungs that are left the share is taken to grow in a straight line.

The interval is by bootstrap over questions (B. Efron, "Bootstrap methods: another look at the jackknife", 1979): all
answers to a question are drawn together, so that what makes questions easy for everybody cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from arena.records import Interval
from arena.statistics.arrays import Floats

RESAMPLES: Final = 400


def place(rungs: Sequence[int], answered: Floats, answers: Floats, seed: int = 0) -> Interval | None:
    """Return the place of a player by its `answers`, shape (questions,): 1 where it answered well, or 0 where not.

    Places are in units of the rungs, and infinite beyond the ends of the ladder.

    rungs: two or more numbers that rise. answered: the rungs' answers, shape (rungs, questions). None where there are
    no questions, or where no rung is better than another. seed: that of the bootstrap.
    """
    questions = len(answers)
    if not questions:
        return None
    at = _stands(rungs, answered.mean(axis=1), float(answers.mean()))
    if math.isnan(at):
        return None
    drawn = np.random.default_rng(seed).multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)
    ladders, shares = drawn @ answered.T / questions, drawn @ answers / questions
    places = np.sort([_stands(rungs, *draw) for draw in zip(ladders, shares, strict=True)])
    places = places[~np.isnan(places)]
    edge = round(0.025 * (len(places) - 1))
    return Interval(at, min(at, float(places[edge])), max(at, float(places[len(places) - 1 - edge])))


def _stands(rungs: Sequence[int], ladder: Floats, share: float) -> float:
    """Return the rung of a share, between rungs a fraction; nan where all rungs are pooled into one."""
    from scipy.optimize import isotonic_regression

    pooled = isotonic_regression(ladder)
    ends = pooled.blocks
    if len(ends) < 3:
        return math.nan
    shares = pooled.x[ends[:-1]]
    if not shares[0] <= share <= shares[-1]:
        return math.inf if share > shares[-1] else -math.inf
    middles = [float(np.mean(rungs[first:last])) for first, last in pairwise(ends.tolist())]
    return float(np.interp(share, shares, middles))
