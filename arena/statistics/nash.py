"""Nash averaging: a pool rated by how it fares against its own equilibrium, to which copies of an agent add nothing.

Two players each name an agent of the pool, and the first gets what his agent is expected to score against the other's,
less one half. The pool's Nash average is the equilibrium of this game that spreads most evenly, the one of most entropy
(D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, "Re-evaluating Evaluation", 2018). Agents with the same results against
everybody are one agent here, and share evenly what it gets.

With A the antisymmetric matrix of these scores, p is an equilibrium where A p ≤ 0. Some equilibrium is strictly
complementary: p - A p > 0 (A. J. Goldman, A. W. Tucker, "Theory of Linear Programming", 1956). It shows which agents
have a share in any, and the most even one follows from those alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import advantage_shows, estimate, gradients
from arena.statistics.pool import PoolResults

TINY: Final = 1e-9
"""What counts as 0: of shares, and of differences between results."""
RESAMPLES: Final = 500
FEWEST_OPENINGS: Final = 10
"""From which on openings are drawn again, as for ratings."""


@dataclass(frozen=True, slots=True)
class Nash:
    """The Nash average of a pool; arrays have an entry for each agent of the results."""

    shares: Floats
    """Of the agents in the equilibrium; they sum to 1."""
    values: Floats
    """Each agent's expected score against it: 0.5 where the agent has a share, at most that where it has none."""
    ends: Floats | None
    """Shape (2, 2, agents): of shares and of values the lower and the upper ends of 95 % intervals, by bootstrap over
    openings; None without openings enough."""


def nash(results: PoolResults, seed: int = 0) -> Nash:
    """Return the Nash average. Raises InputError where two agents have not met."""
    scores = scores_of(*results.totals())
    missing = [f"{results.agents[i]} and {results.agents[j]}" for i, j in np.argwhere(np.isnan(scores)) if i < j]
    if missing:
        more = len(missing) - 1
        others = f", nor have {more} other pairs" if more > 1 else ", nor has another pair" if more else ""
        raise InputError(f"a Nash average needs games of every pair: {missing[0]} have not met{others}")
    shares, values = average(scores)
    if len(results.openings) < FEWEST_OPENINGS or None in results.openings:
        return Nash(shares, values, None)
    found = []
    for weights in results.resampled(np.random.default_rng(seed), RESAMPLES):
        again = scores_of(np.tensordot(weights, results.points, 1), np.tensordot(weights, results.games, 1))
        if not np.isnan(again).any():
            found.append(average(again))
    return Nash(shares, values, np.quantile(np.array(found), (0.025, 0.975), axis=0).swapaxes(0, 1) if found else None)


def scores_of(points: Floats, games: Floats) -> Floats:
    """Return [i][j], what i scores a game against j, as first and as second player alike; nan where they never met.

    points, games: shape (..., agents, agents), of i as the first against j.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        lost, other = (games - points).swapaxes(-1, -2), games.swapaxes(-1, -2)
        both = (points / games + lost / other) / 2.0
        one = (points + lost) / (games + other)
    scores = np.where((games > 0.0) & (other > 0.0), both, one)
    diagonal = np.arange(scores.shape[-1])
    scores[..., diagonal, diagonal] = 0.5
    return np.asarray(scores)


def average(scores: Floats) -> tuple[Floats, Floats]:
    """Return shares and values for expected scores [i][j] = 1 - [j][i]."""
    _, first, group = np.unique(np.round(scores / TINY), axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    merged = most_even(scores[np.ix_(first, first)] - 0.5)
    shares = merged[group] / np.bincount(group)[group]
    return shares, scores @ shares


def most_even(payoffs: Floats) -> Floats:
    """Return the equilibrium of most entropy for antisymmetric `payoffs`, in which no two rows are alike."""
    best = (payoffs > TINY).sum(axis=1) == len(payoffs) - 1
    if best.any():
        return np.asarray(best, float)  # an agent that beats all others is the only equilibrium
    inside = _complementary(payoffs)
    held = inside > TINY
    if np.linalg.matrix_rank(payoffs[np.ix_(held, held)], TINY) >= held.sum() - 1:
        return inside  # there is no other
    return _spread(payoffs, held)


def _complementary(payoffs: Floats) -> Floats:
    """Return a strictly complementary equilibrium: the one of the largest least p - A p."""
    from scipy.optimize import linprog

    number = len(payoffs)
    identity, column = np.eye(number), np.ones((number, 1))
    found = linprog(
        np.append(np.zeros(number), -1.0),
        A_ub=np.block([[payoffs, 0.0 * column], [payoffs - identity, column]]),
        b_ub=np.zeros(2 * number),
        A_eq=np.append(np.ones(number), 0.0)[None],
        b_eq=[1.0],
    )
    assert found.x is not None  # there always is one
    shares = np.where(found.x[:-1] > TINY, found.x[:-1], 0.0)
    return np.asarray(shares / shares.sum())


def _spread(payoffs: Floats, held: npt.NDArray[np.bool_]) -> Floats:
    """Return the most even equilibrium among those with shares only where they are `held`.

    It is p = exp(A m) up to its sum, where m makes the logarithm of that sum smallest; m is at least 0 elsewhere.
    """
    from scipy.optimize import Bounds, minimize

    rows = payoffs[held]

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        powers = rows @ multipliers
        top = float(powers.max())
        weights = np.exp(powers - top)
        total = float(weights.sum())
        return top + float(np.log(total)), rows.T @ (weights / total)

    bounds = Bounds(np.where(held, -np.inf, 0.0), np.inf)
    found = minimize(
        dual, np.zeros(len(held)), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": 10_000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-10},
    )  # fmt: skip
    powers = rows @ found.x
    shares = np.zeros(len(held))
    shares[held] = np.exp(powers - powers.max())
    return np.asarray(shares / shares.sum())


# What no rating explains of a pool's results: scores that go in a circle, and whether chance alone makes as many.
#
# A rating explains differences: if A is 100 ahead of B and B of C, then A is 200 ahead of C. Of a matrix of such
# differences, antisymmetric, the part that is made of ratings and the part in which everybody is level are orthogonal
# (X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge theory", 2011).
#
# Results that are sampled always leave a cyclic part. How large it gets without any circle is simulated: agents with
# the strengths that were fitted play as many games, by the same colours, with as many draws (B. Efron, R. Tibshirani,
# "An Introduction to the Bootstrap", 1993, the parametric bootstrap). Games within a stratum are taken as independent;
# where openings decide games whoever plays that is more careful than need be.

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
    """The share of pools without a circle in which chance alone makes one with as high a least score."""

    @property
    def shown(self) -> tuple[str, str, str] | None:
        """The worst cycle where it is more than chance makes, else None."""
        return self.worst if self.worst_p is None or self.worst_p <= SMALL else None


def cycles(results: PoolResults, seed: int = 0, *, exact: bool = False) -> Cycles:
    """Return the cyclic share of a pool in which every pair met, and its worst cycle: that of the largest least score.

    Where the results are `exact` nothing is left to chance.
    """
    points, games = results.totals()
    scores = scores_of(points, games)
    share = float(_cyclic_share(scores, games))
    found = _worst(scores)
    least = None if found is None else min(_around(scores, found))
    worst = None if found is None else (results.agents[found[0]], results.agents[found[1]], results.agents[found[2]])
    around = None if found is None else _around(scores, found)
    if exact:
        return Cycles(share, None, None, None, None, worst, around, None)
    by_chance, circles = _by_chance(results, least, seed)
    low, high = np.quantile(by_chance, (0.025, 0.975))
    p = _p_value(by_chance, share)
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


def misfit(results: PoolResults, strengths: Floats, inverse: Floats, *, advantage: bool) -> float | None:
    """Return the p-value of the test that these ratings explain all pairings; None where there are too few of them.

    The statistic sums over pairings the squared difference between the points and those that the ratings expect, over
    its variance, less what another fit would take of it. It is compared with that of simulated pools, as for `cycles`.
    If the openings show that pairs of results vary more than single games, it is divided by that ratio.

    strengths, inverse: the fit and its covariance, see `bradley_terry`. advantage: whether the first player's is in it.
    """
    points, games = results.totals()
    agents, met = len(games), np.triu(games + games.T, 1) > 0.0
    if met.sum() < agents:
        return None
    ahead = strengths[:-1, None] - strengths[:-1] + strengths[-1]
    expected = 0.5 + 0.5 * np.tanh(0.5 * ahead)
    draws = np.minimum(results.ends[:, :, 1] / np.maximum(games, 1.0), 2.0 * np.minimum(expected, 1.0 - expected))
    won = np.clip((expected - draws / 2.0) / np.maximum(1.0 - draws, 1e-12), 0.0, 1.0)
    variance = games * expected * (1.0 - expected)
    weights = 1.0 / (variance + variance.T)[met]

    def beyond(made: Floats, games: Floats) -> Floats:
        more = made - games * expected
        return np.asarray((more - more.swapaxes(-1, -2))[..., met])

    def statistic(made: Floats) -> Floats:
        slopes = gradients(made, games, np.broadcast_to(strengths, (len(made), agents + 1)), advantage=advantage)
        return np.asarray((beyond(made, games) ** 2) @ weights - ((slopes @ inverse) * slopes).sum(axis=-1))

    spread = 1.0
    if results.clustered:
        off = beyond(results.points, results.games)
        often = ((results.games + results.games.swapaxes(-1, -2)) > 0.0)[:, met].sum(axis=0)
        alike = (off**2).sum(axis=0) - off.sum(axis=0) ** 2 / often
        single = variance - games * draws / 4.0
        several = often > 1
        by_games = float((single + single.T)[met][several].sum())
        if by_games > 0.0:  # else every game was drawn
            unbiased = (alike * often / np.maximum(often - 1, 1))[several].sum()
            spread = max(1.0, float(unbiased) / by_games)
    random, number = np.random.default_rng(0), games.astype(np.int64)
    resamples = min(MOST_RESAMPLES, max(FEWEST_RESAMPLES, _CELLS // 4 // games.size))
    level = random.binomial(number, draws, size=(resamples, agents, agents))
    by_chance = statistic(random.binomial(number - level, won) + level / 2.0)
    found = float(statistic(points[None])[0]) / spread
    return _p_value(by_chance, found)


def _p_value(by_chance: Floats, found: float) -> float:
    """Return the share of simulated statistics that are at least `found`, which counts as one of them.

    Small pools often give the same statistic; what differs by rounding alone, which depends on the processor, is equal.
    """
    return (1 + int((by_chance >= found - TINY * max(1.0, abs(found))).sum())) / (1 + len(by_chance))


def _by_chance(results: PoolResults, least: float | None, seed: int) -> tuple[Floats, int]:
    """Return the cyclic shares of pools without a circle, and how many have a cycle of three that all score `least`.

    Each stratum of openings has strengths and an advantage of its own, by which its share of the games is won.
    """
    agents, strata = len(results.agents), results.strata
    games = np.array([results.games[places].sum(axis=0, dtype=float) for places in strata])
    points = np.array([results.points[places].sum(axis=0, dtype=float) for places in strata])
    together = games.sum(axis=0)
    shows = results.colours and all(map(advantage_shows, games))
    strengths, _ = estimate(points, games, np.zeros(agents + 1), together, advantage=shows)
    ahead = strengths[:, :-1, None] - strengths[:, None, :-1] + strengths[:, -1, None, None]
    expected = 1.0 / (1.0 + np.exp(-ahead))
    draws = results.ends[:, :, 1].astype(float)
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
    """Return the circle of three with the largest least score, if each scores over one half against the next."""
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
