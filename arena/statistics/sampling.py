"""Where the order of a pool is least sure, and which pairs of games would tell most about it.

Strengths are Bradley-Terry logits with a normal prior, so that they exist from the first game on; colours are swapped
within a pair, so that the first move needs no term. Two neighbours in the order are the wrong way round with a chance
that has an entropy, and a few pairs more between them are expected to reduce it: by little where that is sure already,
and by little where they are so close that a few pairs tell nothing. Source: D. V. Lindley, "On a measure of the
information provided by an experiment" (1956); for pools of paired comparisons A. Mikhailiuk et al., "Active sampling
for pairwise comparisons via approximate message passing and information gain maximization" (2020).

Arrays begin with any shape (...), such as pools side by side. Counts have the shape (..., agents, agents, 5): pairs of
games by what the row's agent made of them against the column's, worst first.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats
from arena.statistics.direct import special

# Which of two is better, valid at any time: the evidence may be read after every pair, and the match stopped at will.
#
# A bettor bets on each pair of games that agent one makes more than half of its points: with the stake b and the pair's
# score s the capital is multiplied by 1 + b (s - 1/2). If agent one is not better, no bet has an expected gain, and the
# capital ever reaches 20 times its start with a probability of at most 1 in 20 (J. Ville, 1939). That is for one bet;
# of two, one on each agent, one gains as much by chance in up to 1 case of 10. The capital is spread evenly over stakes
# from 0 to 2, so that none has to be chosen. The only assumptions are that scores lie between 0 and 1 and that each is
# expected to be at most 1/2; all results so far may decide which pairs are played next.
#
# Source: I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting" (2024).

STAKES: Final = (np.arange(32) + 0.5) / 16.0
_GAINS: Final = np.log1p(STAKES[:, None] * (np.arange(5) / 4.0 - 0.5))  # (stakes, categories)


def evidence(counts: Floats) -> Floats:
    """Return the logarithm of the capital of a bet on agent one, shape (...).

    counts: shape (..., 5), pairs by agent one's score, worst first. Reversed counts are a bet on agent two.
    """
    capitals = counts @ _GAINS.T
    highest = capitals.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(capitals - highest).mean(axis=-1)))


Places = npt.NDArray[np.intp]
PRIOR: Final = 3.0  # logits; 520 Elo: agents of a pool are rarely farther from its middle
_STEPS = 25
_STRIDE = 1.5  # logits
_DONE = 1e-4  # logits
_POINTS, _WEIGHTS = np.polynomial.hermite_e.hermegauss(7)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


def strengths(counts: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the likeliest strengths, shape (..., agents), and their covariance, shape (..., agents, agents)."""
    games = 2.0 * counts.sum(axis=-1)
    made = 2.0 * (counts @ (np.arange(5) / 4.0)).sum(axis=-1)
    agents = games.shape[-1]
    found = np.zeros(games.shape[:-1]) if start is None else start
    prior, diagonal = 1.0 / PRIOR**2, np.arange(agents)
    for _ in range(_STEPS):
        chances = 0.5 + 0.5 * np.tanh(0.5 * (found[..., :, None] - found[..., None, :]))
        weights = games * chances * (1.0 - chances)
        information = -weights
        information[..., diagonal, diagonal] += weights.sum(axis=-1) + prior
        slope = made - (games * chances).sum(axis=-1) - prior * found
        step = np.clip(np.linalg.solve(information, slope[..., None])[..., 0], -_STRIDE, _STRIDE)
        found = found + step
        if abs(step).max(initial=0.0) < _DONE:
            break
    return found, np.linalg.inv(information)


def order(found: Floats) -> Places:
    """Return the agents by strength, the strongest first, shape (..., agents); of equal ones the first."""
    return np.argsort(-found, axis=-1, kind="stable")


def gains(found: Floats, covariance: Floats, ranked: Places, pairs: int) -> Floats:
    """Return by how much so many more pairs between two neighbours are expected to reduce their order's entropy.

    Shape (..., agents - 1), in nats; the first entry is of the first two of `ranked`, the result of `order`.
    found, covariance: the results of `strengths`.
    """
    above, below = ranked[..., :-1], ranked[..., 1:]
    ahead = np.take_along_axis(found, above, -1) - np.take_along_axis(found, below, -1)
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    shared = np.take_along_axis(np.take_along_axis(covariance, above[..., None], -2), below[..., None], -1)[..., 0]
    spread = np.take_along_axis(own, above, -1) + np.take_along_axis(own, below, -1) - 2.0 * shared
    chance = 0.5 + 0.5 * np.tanh(0.5 * ahead)
    after = 1.0 / (1.0 / spread + 2.0 * pairs * chance * (1.0 - chance))
    moved = (ahead[..., None] + np.sqrt(spread - after)[..., None] * _POINTS) / np.sqrt(after)[..., None]
    return np.asarray(_entropy(ahead / np.sqrt(spread)) - _entropy(moved) @ _WEIGHTS)


def shown(counts: Floats, ranked: Places) -> Floats:
    """Return the evidence that each is better than the next one, from their own games: see `betting`.

    Shape (..., agents - 1); whatever was played and looked at before, it reaches ln(1 / a) with a chance of a at most
    where that is not so.
    """
    above, below = ranked[..., :-1], ranked[..., 1:]
    rows = np.take_along_axis(counts, above[..., None, None], -3)
    return evidence(np.take_along_axis(rows, below[..., None, None], -2)[..., 0, :])


def _entropy(deviations: Floats) -> Floats:
    """Return the entropy of the order of two that differ by so many standard deviations."""
    chances = special().ndtr(np.stack([deviations, -deviations]))
    return np.asarray(special().entr(chances).sum(axis=0))
