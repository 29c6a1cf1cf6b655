"""Who of two is better, told at any time: evidence that may be looked at after every pair and stopped at will.

Somebody bets on each pair of games that agent one makes more than half of its points: with the stake b and the pair's
score s the capital grows by 1 + b (s - 1/2). Where it is not better no bet can be expected to gain, and the capital
reaches 20 times what it began with at any time with a chance of at most 1 in 20 (J. Ville, 1939). It is spread evenly
over stakes from 0 to 2, so that none has to be chosen. Nothing is assumed of the scores but that they lie between 0
and 1 and that each is expected to be at most 1/2; which pairs are played next may depend on all before.

Source: I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting" (2024).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.statistics.arrays import Floats

STAKES: Final = (np.arange(32) + 0.5) / 16.0
_GAINS: Final = np.log1p(STAKES[:, None] * (np.arange(5) / 4.0 - 0.5))  # (stakes, categories)


def evidence(counts: Floats) -> Floats:
    """Return the logarithm of the capital of who bets on agent one, shape (...).

    counts: shape (..., 5), pairs by agent one's score, worst first. Reversed counts are a bet on agent two.
    """
    capitals = counts @ _GAINS.T
    highest = capitals.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(capitals - highest).mean(axis=-1)))
