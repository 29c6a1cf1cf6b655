"""The sequential test: play until one of two hypotheses about strength is decided.

It is the generalised sequential probability ratio test: each hypothesis is represented by the likeliest distribution of
results that satisfies it. Source: M. Van den Bergh, "The generalised SPRT for practical use" (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from agents.errors import InputError, unknown
from arena.records import Interval
from arena.statistics.arrays import Floats
from arena.statistics.direct import special
from arena.statistics.elo import ELO_PER_LOGIT, NORMALIZED_SCALE, elo_of, score_of
from arena.statistics.intervals import ABSENT, Counts, category_scores, score_interval

# The likeliest distribution of results under a hypothesis about strength.
#
# Every function takes `observed`, an array (..., categories) of shares that are all above 0 and sum to 1, worst
# category first and equally spaced in score, and returns an array of the same shape. Many matches are handled in one
# call.
#
# Source: M. Van den Bergh, "The generalised SPRT for practical use" and "Comments on normalized Elo" (2020).

_REACH = 40.0  # ln of the most extreme tilt; counts of 1e-3 among millions need less than 22
_SPREADS = 101  # deviations tried before the sign changes among them are narrowed
_EDGE = 28.0  # ln of how near to an end of the possible deviations the trials go
_NONE = 1e-9  # of a deviation: less is the same as none, to the last digits of a likelihood
_SHARP = 1e-15  # of a tilt or a deviation
_STEPS = 200  # at most, to a root; seven or eight are usual
_NEAR = 1e-6  # of a mean: a root misses by less, a gap by more


def logistic(observed: Floats, elo: float) -> Floats:
    """Return the likeliest distribution with the mean score that `elo` predicts."""
    scores = np.array(category_scores(observed.shape[-1]))
    return centred(observed, np.broadcast_to(scores - score_of(elo), observed.shape))


def normalized(observed: Floats, nelo: float) -> Floats:
    """Return the likeliest distribution with a mean `nelo` normalized Elo above one half.

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

    def excess(tilt: Floats) -> Floats:
        line = top + np.exp(tilt)[:, None] * bottom
        return np.asarray(np.log((above / line).sum(axis=-1) / (below / line).sum(axis=-1)))

    tilt = _root(excess, np.full(len(above), -_REACH), np.full(len(above), _REACH))
    tilted = observed / (at_top + np.exp(tilt).reshape(*observed.shape[:-1], 1) * at_bottom)
    return np.asarray(tilted / tilted.sum(axis=-1, keepdims=True))


def studentized(observed: Floats, ratio: float) -> Floats:
    """Return the likeliest distribution with a mean `ratio` > 0 of its own deviations above one half.

    In the plane of mean and mean square the condition is a curve, and each deviation names one point on it. The
    likeliest distribution on the tangent there is known; where it is that very point, the likelihood is stationary
    along the curve. All such points are looked for and the best is taken: on a one-sided sample there may be several,
    or one that the published fixed-point iteration never reaches.
    """
    flat = observed.reshape(-1, observed.shape[-1])
    rows, spreads = _stationary(flat, ratio)
    likeliest, miss = _miss(flat[rows], spreads, ratio)
    likelihood = (flat[rows] * np.log(likeliest)).sum(axis=-1)
    likelihood[~(abs(miss) < _NEAR)] = -np.inf  # a sign that changes across a gap without distributions is no root
    order = np.lexsort((likelihood, rows))  # the last of each row is the likeliest
    last = np.searchsorted(rows[order], np.arange(len(flat)), side="right") - 1
    return np.asarray(likeliest[order[last]].reshape(observed.shape))


def _stationary(observed: Floats, ratio: float) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the rows of `observed` (rows, categories), as often as each has stationary points, and their deviations.

    A miss of opposite signs on neighbours brackets each. Where millions of games ended alike, the only one can lie
    nearer to an end of the possible deviations than any trial: then the trial with the least miss is taken.
    """
    grid = np.broadcast_to(_spreads(ratio, observed.shape[-1]), (len(observed), _SPREADS))
    miss = _miss(observed[:, None, :], grid, ratio)[1]
    rows, cell = np.nonzero(miss[:, :-1] * miss[:, 1:] <= 0.0)
    others = np.setdiff1d(np.arange(len(observed)), rows)

    def miss_at(spread: Floats) -> Floats:
        return _miss(observed[rows], spread, ratio)[1]

    spreads = _root(miss_at, grid[rows, cell], grid[rows, cell + 1])
    ends = grid[others, np.nanargmin(abs(miss[others]), axis=-1)]
    return np.concatenate([rows, others]), np.concatenate([spreads, ends])


def _root(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return where each element of a continuous `function` changes its sign from `low` to `high`; nan where it is nan.

    All elements take each step of the Illinois method together: a secant, but where an end of the bracket stays, half
    of its value counts. scipy's `find_root` for arrays takes over fifty times as long for a hundred roots.
    Source: M. Dowell, P. Jarratt, "A modified regula falsi method for computing the root of an equation" (1971).
    """
    at_low, at_high = function(low), function(high)
    for _ in range(_STEPS):
        slope = (at_high - at_low) / np.where(high == low, np.inf, high - low)
        nearer = high - np.divide(at_high, slope, out=np.zeros_like(slope), where=slope != 0.0)
        value = function(nearer)
        crossed = value * at_high < 0.0
        low, at_low = np.where(crossed, high, low), np.where(crossed, at_high, at_low / 2.0)
        step, high, at_high = abs(nearer - high), nearer, value
        if not (step > _SHARP * (1.0 + abs(nearer))).any():
            break
    return high


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
    likeliest = centred(np.broadcast_to(observed, values.shape), values)
    miss = np.where(possible, likeliest @ scores - mean[..., 0], np.nan)
    return likeliest, miss


MINIMUM_PAIRS: Final = 10  # nothing is decided earlier: the spread of so few results is not known
FARTHEST: Final = 4000.0  # Elo; beyond, one win more or less among all games ever played decides

Decision = Literal["H0", "H1", "continue"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The state of a sequential test; its fields are what `arena sprt` prints."""

    llr: float
    """Natural logarithm of the likelihood under H1 over that under H0."""
    lower: float
    """At or below it H0 is accepted."""
    upper: float
    """At or above it H1 is accepted."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, "engine one is elo0 stronger", against H1, "it is elo1 stronger", on the scale of `model`.

    `alpha` is the tolerated share of H1 accepted under H0, `beta` that of H0 accepted under H1. Raises InputError
    where the hypotheses are not in order or the shares leave nothing to decide.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise unknown("model", self.model, MODELS)
        if not self.elo0 < self.elo1:
            raise InputError(f"elo0 must be below elo1, but {self.elo0:g} and {self.elo1:g} were given")
        if max(-self.elo0, self.elo1) > FARTHEST:
            raise InputError(f"elo0 and elo1 must lie within ±{FARTHEST:g}")
        for name, share in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < share < 1.0:
                raise InputError(f"{name} must lie between 0 and 1, but {share:g} was given")
        if self.alpha + self.beta >= 1.0:
            raise InputError(f"alpha and beta must sum to less than 1, but {self.alpha:g} and {self.beta:g} were given")

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        values = (getattr(self, field.name) for field in fields(self))
        texts = (value if isinstance(value, str) else f"{value:.12g}" for value in values)
        return ",".join(f"{field.name}={text}" for field, text in zip(fields(self), texts, strict=True))

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Return the test written as "elo0=0,elo1=30,alpha=0.05,beta=0.05,model=logistic".

        elo0 and elo1 are needed, the others have defaults. Raises InputError naming the part that cannot be read.
        """
        values: dict[str, Any] = {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise InputError(f"{part.strip()!r} is not of the form key=value, as in elo0=0,elo1=30")
            if key not in (keys := [field.name for field in fields(cls)]):
                raise unknown("key of a sequential test", key, keys)
            if key in values:
                raise InputError(f"{key} is given twice")
            values[key] = value if key == "model" else _number(key, value)
        for key in ("elo0", "elo1"):
            if key not in values:
                raise InputError(f"a sequential test needs {key}, as in elo0=0,elo1=30")
        return cls(**values)

    @property
    def unit(self) -> str:
        """What elo0 and elo1 are measured in."""
        return {"normalized": "normalized Elo", "bayesian": "BayesElo"}.get(self.model, "Elo")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def weigh(self, numbers: Sequence[SupportsIndex]) -> Evidence:
        """Return the evidence in 3 or 5 counts, worst first; raise InputError on bad counts.

        The bayesian model knows single games only.
        """
        counts = Counts.of(numbers)
        if self.model == "bayesian" and counts.unit == "pairs":
            raise InputError("the bayesian model takes 3 counts, of games; use logistic or normalized for pairs")
        ratio = float(self.ratios(np.array(counts.numbers, dtype=float)))
        pairs = counts.total / (1 if counts.unit == "pairs" else 2)
        decision: Decision = "continue"
        if pairs >= MINIMUM_PAIRS and not self.lower < ratio < self.upper:
            decision = "H1" if ratio > 0.0 else "H0"
        return Evidence(ratio, self.lower, self.upper, decision)

    def ratios(self, counts: Floats) -> Floats:
        """Return the log-likelihood ratios, shape (...), of an array (..., categories) of counts as floats."""
        counts = np.where(counts == 0.0, ABSENT, counts)
        observed = counts / counts.sum(axis=-1, keepdims=True)
        under = MODELS[self.model]
        shift = np.log(under(observed, self.elo1) / under(observed, self.elo0))
        return np.asarray((counts * shift).sum(axis=-1))


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{key} must be a number, but {value!r} was given") from None


MODELS: Final[dict[str, Callable[[Floats, float], Floats]]] = {
    "logistic": logistic,
    "normalized": normalized,
    "bayesian": bayesian,
}


# How strong, after a sequential test has stopped the match.
#
# A match that stops because one side was ahead overstates by how much: of matches between equals stopped by a test of 0
# against 30 Elo the plain estimates average below 0, of those 30 apart above 30.

_TRIED = 41  # strengths at which the test is replayed
_WIDE = 8.0  # standard errors on either side that they reach; a stop biases by one or two
_MEANS = 1.0 / (1.0 + np.exp(-np.linspace(-9.0, 9.0, 73)))  # scores at which the log-likelihood ratio is computed
_LONG = 1000  # pairs; a longer match is replayed as one of so many longer steps
_RARE = 1e-12  # a state less probable is left out


def sprt_estimate(test: Sprt, numbers: Sequence[SupportsIndex], alpha: float = 0.05) -> Interval | None:
    """Return the strength in Elo after `test` has decided a match of pairs; None where the stop tells nothing.

    What counts is at which bound the match stopped, after how many pairs and with which score: the sooner at the upper
    one and, of equally soon, the more points, the stronger. The ends of the interval are the strengths under which as
    much or more, and as little or less, has a chance of `alpha` / 2, half of the same counted and by Student's t, since
    the spread of a pair is estimated. The value is that under which it has one of 50 %, so that the truth is about as
    often above as below it. It tells nothing where the test has not decided, or did at the first pair at which it
    could, or where one agent made all points: there the plain interval holds. Source: C. Jennison, B. W. Turnbull,
    "Group Sequential Methods with Applications to Clinical Trials" (2000), chapter 8, for the order.
    """
    counts, decision = Counts.of(numbers), test.weigh(numbers).decision
    decidable = counts.unit != "games" and counts.total > MINIMUM_PAIRS and 0.0 < counts.mean < 1.0
    if decision == "continue" or not decidable:
        return None
    if decision == "H0":
        other = replace(test, elo0=-test.elo1, elo1=-test.elo0, alpha=test.beta, beta=test.alpha)
        seen = sprt_estimate(other, counts.numbers[::-1], alpha)
        ends = (None, None) if seen is None else (seen.high, seen.low)
        return None if seen is None else Interval(-seen.value, *(None if end is None else -end for end in ends))
    scores, deviations = _deviations(test, counts)
    width = float(special().stdtrit(counts.total - 1, 1.0 - alpha / 2.0))  # the spread of a pair is estimated, too
    at = [
        elo_of(float(np.interp(quantile, deviations, scores))) if deviations[0] < quantile < deviations[-1] else None
        for quantile in (0.0, -width, width)
    ]
    return None if at[0] is None else Interval(at[0], at[1], at[2])


@lru_cache(maxsize=64)
def _deviations(test: Sprt, counts: Counts) -> tuple[Floats, Floats]:
    """Return the true scores that are tried, and their chances as quantiles of the normal distribution.

    They are kept, since a search for the level at which a claim is decided asks at each level.
    """
    low, high = score_interval(counts, width=_WIDE)
    scores = np.linspace(max(low, 1e-4), min(high, 1.0 - 1e-4), _TRIED)
    chances = np.clip(_chances(test, counts, scores), _RARE, 1.0 - _RARE)
    return scores, np.maximum.accumulate(special().ndtri(chances))


def _chances(test: Sprt, counts: Counts, scores: Floats) -> Floats:
    """Return the chances, at each of some true `scores`, to stop at the upper bound as `counts` did or sooner.

    Pairs end as in the sample, tilted to the score. The bounds of the log-likelihood ratio are taken as bounds of the
    score so far, those of the sample tilted to it, so that the points made so far are all there is to follow. Of a long
    match several pairs are one step: all distances from the middle between the bounds grow by the root of their number,
    as those of a Brownian motion do.
    """
    sample = np.array([number or ABSENT for number in counts.numbers], dtype=float)
    sample /= sample.sum()
    steps = min(counts.total, _LONG)
    pairs = counts.total / steps  # of a step
    rates = test.ratios(counts.total * np.array([logistic(sample, elo_of(score)) for score in _MEANS])) / counts.total
    rates, played = np.maximum.accumulate(rates), pairs * np.arange(1, steps + 1)
    upper: Floats = np.interp(test.upper / played, rates, _MEANS, right=np.inf)
    lower: Floats = np.interp(test.lower / played, rates, _MEANS, left=-np.inf)
    middle, grown = float(np.interp(0.0, rates, _MEANS)), math.sqrt(pairs)
    upper, lower, scores = (middle + grown * (score - middle) for score in (upper, lower, scores))
    mean = middle + grown * (counts.mean - middle)
    inside = (scores > 0.0) & (scores < 1.0)
    chances = np.array([logistic(sample, elo_of(score)) for score in np.where(inside, scores, 0.5)])

    stopped = np.where(scores < 0.5, 0.0, 1.0)
    stopped[inside] = 0.0
    states, least = inside[:, None].astype(float), 0  # chances of points, in quarters of a pair from `least` on
    for step in range(1, steps + 1):
        before, states = states, np.zeros((len(scores), states.shape[1] + 4))
        for quarters in range(5):
            states[:, quarters : quarters + before.shape[1]] += chances[:, quarters, None] * before
        points = (least + np.arange(states.shape[1])) / (4.0 * step)
        if step == steps:
            beyond = np.where(np.abs(points - mean) < 0.125 / step, 0.5, points > mean)
            return np.asarray(stopped + states @ beyond)
        if step * pairs >= MINIMUM_PAIRS:
            stopped += states @ (points >= upper[step - 1])
            states[:, (points >= upper[step - 1]) | (points <= lower[step - 1])] = 0.0
        held = np.flatnonzero(states.max(axis=0) > _RARE)
        if not len(held):
            break
        states, least = states[:, held[0] : held[-1] + 1], least + int(held[0])
    return stopped
