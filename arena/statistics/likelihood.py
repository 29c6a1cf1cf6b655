"""The likeliest distribution of results under a hypothesis about strength.

Every function takes `observed`, an array (..., categories) of shares that are all above 0 and sum to 1, worst category
first and equally spaced in score, and returns an array of the same shape. Many matches are handled in one call.

Source: M. Van den Bergh, "The generalised SPRT for practical use" and "Comments on normalized Elo" (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats
from arena.statistics.counts import category_scores
from arena.statistics.elo import ELO_PER_LOGIT, NORMALIZED_SCALE, score_of

_REACH = 40.0  # ln of the most extreme tilt; counts of 1e-3 among millions need less than 22
_SPREADS = 101  # deviations tried before the sign changes among them are narrowed
_EDGE = 28.0  # ln of how near to an end of the possible deviations the trials go
_NONE = 1e-9  # of a deviation: less is the same as none, to the last digits of a likelihood
_SHARP = 1e-15  # of a tilt or a deviation
_NEAR = 1e-6  # of a mean: a root misses by less, a gap by more


def logistic(observed: Floats, elo: float) -> Floats:
    """Return the likeliest distribution whose mean score is the one that `elo` predicts."""
    scores = np.array(category_scores(observed.shape[-1]))
    return centred(observed, np.broadcast_to(scores - score_of(elo), observed.shape))


def normalized(observed: Floats, nelo: float) -> Floats:
    """Return the likeliest distribution whose mean lies `nelo` normalized Elo above one half.

    With five categories, pairs, the deviation of a game is taken as √2 times that of a pair.
    """
    games_per_count = 2.0 if observed.shape[-1] == 5 else 1.0
    ratio = math.sqrt(games_per_count) * nelo / NORMALIZED_SCALE
    if abs(ratio) < _NONE:
        return logistic(observed, 0.0)
    if ratio < 0.0:
        return studentized(observed[..., ::-1], -ratio)[..., ::-1]
    return studentized(observed, ratio)


def bayesian(observed: Floats, elo: float) -> Floats:
    """Return the distribution of one game under `elo` in the BayesElo model with the draw rate of the sample.

    Source: R. Coulom, "Bayeselo" (2005): a side wins as often as one rated `elo` less a draw margin wins with no draws.
    """
    lost, won = observed[..., 0], observed[..., 2]
    margin = 0.5 * np.log((1.0 - lost) / lost * (1.0 - won) / won)
    wins = 1.0 / (1.0 + np.exp(margin - elo / ELO_PER_LOGIT))
    losses = 1.0 / (1.0 + np.exp(margin + elo / ELO_PER_LOGIT))
    return np.stack([losses, 1.0 - wins - losses, wins], axis=-1)


def centred(observed: Floats, values: Floats) -> Floats:
    """Return the likeliest distribution under which the mean of `values` is 0.

    `values` has the shape of `observed` and in each row both signs. The answer is p̂ divided by a line in the value;
    the lines that stay positive run from one that vanishes at the largest value to one that does at the smallest, and
    the mean falls all along, so that a bracket holds the one that is wanted however one-sided the sample is. The
    logarithm of what lies above 0 over what lies below falls almost straight, so that few steps find its root.
    """
    at_top = 1.0 - values / values.max(axis=-1, keepdims=True)
    at_bottom = 1.0 - values / values.min(axis=-1, keepdims=True)
    weighted = observed * values
    tables = (np.maximum(weighted, 0.0), np.maximum(-weighted, 0.0), at_top, at_bottom)
    above, below, top, bottom = (table.reshape(-1, observed.shape[-1]) for table in tables)

    def excess(tilt: Floats, row: Floats) -> Floats:
        index = row.astype(int)
        line = top[index] + np.exp(tilt)[..., None] * bottom[index]
        return np.asarray(np.log((above[index] / line).sum(axis=-1) / (below[index] / line).sum(axis=-1)))

    tilt = _root(excess, np.full(len(above), -_REACH), np.full(len(above), _REACH))
    tilted = observed / (at_top + np.exp(tilt).reshape(*observed.shape[:-1], 1) * at_bottom)
    return np.asarray(tilted / tilted.sum(axis=-1, keepdims=True))


def studentized(observed: Floats, ratio: float) -> Floats:
    """Return the likeliest distribution whose mean lies `ratio` > 0 of its own deviations above one half.

    In the plane of mean and mean square the condition is a curve, and each deviation names one point on it. The
    likeliest distribution on the tangent there is known; where it is that very point, the likelihood is stationary
    along the curve. All such points are looked for and the best is taken: on a one-sided sample there may be several,
    or one that the published fixed-point iteration never reaches.
    """
    flat = observed.reshape(-1, observed.shape[-1])
    rows, spreads = _stationary(flat, ratio)
    found, miss = _miss(flat[rows], spreads, ratio)
    likelihood = (flat[rows] * np.log(found)).sum(axis=-1)
    likelihood[~(abs(miss) < _NEAR)] = -np.inf  # a sign that changes across a gap without distributions is no root
    order = np.lexsort((likelihood, rows))  # the last of each row is the likeliest
    last = np.searchsorted(rows[order], np.arange(len(flat)), side="right") - 1
    best = order[last]
    assert np.array_equal(rows[best], np.arange(len(flat))), "a maximum exists, so every row has a stationary point"
    return np.asarray(found[best].reshape(observed.shape))


def _stationary(observed: Floats, ratio: float) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the rows of `observed` (rows, categories), as often as each has stationary points, and their deviations.

    A miss of opposite signs on neighbours brackets each.
    """
    grid = np.broadcast_to(_spreads(ratio, observed.shape[-1]), (len(observed), _SPREADS))
    miss = _miss(observed[:, None, :], grid, ratio)[1]
    rows, cell = np.nonzero(miss[:, :-1] * miss[:, 1:] <= 0.0)

    def miss_at(spread: Floats, place: Floats) -> Floats:
        return _miss(observed[rows[place.astype(int)]], spread, ratio)[1]

    return rows, _root(miss_at, grid[rows, cell], grid[rows, cell + 1])


def _root(function: Callable[[Floats, Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return where `function`, of arguments and their places in the arrays, changes its sign from `low` to `high`.

    A look at one match asks for single roots, which the method for arrays finds ten times slower.
    """
    from scipy.optimize import brentq, elementwise

    places = np.arange(len(low), dtype=float)
    if len(low) > 1:
        with np.errstate(invalid="ignore"):  # it takes roots of shares that rounding has left just above 1
            return np.asarray(elementwise.find_root(function, (low, high), args=(places,)).x)
    return np.array([brentq(lambda at: function(np.array([at]), places)[0], low[0], high[0], xtol=_SHARP)])


def _spreads(ratio: float, categories: int) -> Floats:
    """Return deviations that a mean `ratio` of them above one half allows, dense at either end."""
    least = ratio / (1.0 + ratio**2) / (categories - 1)  # on one half and the category above it
    greatest = 0.5 / math.sqrt(1.0 + ratio**2)  # on the two extremes
    share = 1.0 / (1.0 + np.exp(-np.linspace(-_EDGE, _EDGE, _SPREADS)))
    return np.asarray(least + (greatest - least) * share)


def _miss(observed: Floats, spreads: Floats, ratio: float) -> tuple[Floats, Floats]:
    """Return the likeliest distributions on the tangents at the deviations `spreads`, and by how much they miss them.

    The miss is that of the mean, which should lie `ratio` deviations above one half; it is nan where no distribution
    lies on the tangent. A distribution does where the mean of `values` is 0.
    """
    scores = np.array(category_scores(observed.shape[-1]))
    spread = spreads[..., None]
    mean = 0.5 + ratio * spread
    values = scores - 0.5 - 0.5 * ratio * spread * (1.0 + ((scores - mean) / spread) ** 2)
    possible = (values.min(axis=-1) < 0.0) & (values.max(axis=-1) > 0.0)
    values = np.where(possible[..., None], values, scores - 0.5)
    found = centred(np.broadcast_to(observed, values.shape), values)
    miss = np.where(possible, found @ scores - mean[..., 0], np.nan)
    return found, miss
