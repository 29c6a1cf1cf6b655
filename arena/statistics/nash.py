"""Nash averaging: a pool rated by how it fares against its own equilibrium, to which copies of an agent add nothing.

Two players each name an agent of the pool, and the first gets what his agent is expected to score against the other's,
less one half. The pool's Nash average is the equilibrium of this game that spreads most evenly, the one of most entropy
(D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, "Re-evaluating Evaluation", 2018). Agents with the same results against
everybody are one agent here, and share evenly what it gets.

With A the antisymmetric matrix of these scores, p is an equilibrium where A p ≤ 0. Some equilibrium is strictly
complementary: p - A p > 0 (A. J. Goldman, A. W. Tucker, "Theory of Linear Programming", 1956). It shows who has a share
in any, and the most even one follows from those alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats
from arena.statistics.pool import Table

TINY: Final = 1e-9
"""What counts as 0: of shares, and of differences between results."""
RESAMPLES: Final = 500
FEWEST_OPENINGS: Final = 10
"""From which on openings are drawn again, as for ratings."""


@dataclass(frozen=True, slots=True)
class Nash:
    """The Nash average of a pool; arrays have an entry for each agent of the table."""

    shares: Floats
    """Of the agents in the equilibrium; they sum to 1."""
    values: Floats
    """Each agent's expected score against it: 0.5 where the agent has a share, at most that where it has none."""
    ends: Floats | None
    """Shape (2, 2, agents): of shares and of values the lower and the upper ends of 95 % intervals, by bootstrap over
    openings; None without openings enough."""


def nash(table: Table, seed: int = 0) -> Nash:
    """Return the Nash average. Raises InputError where two agents have not met."""
    scores = scores_of(*table.totals())
    missing = [f"{table.agents[i]} and {table.agents[j]}" for i, j in np.argwhere(np.isnan(scores)) if i < j]
    if missing:
        more = len(missing) - 1
        others = f", nor have {more} other pairs" if more > 1 else ", nor has another pair" if more else ""
        raise InputError(f"a Nash average needs games of every pair: {missing[0]} have not met{others}")
    shares, values = average(scores)
    openings = len(table.points) if table.openings else 1
    if openings < FEWEST_OPENINGS:
        return Nash(shares, values, None)
    found = []
    for weights in table.resampled(np.random.default_rng(seed), RESAMPLES):
        again = scores_of(np.tensordot(weights, table.points, 1), np.tensordot(weights, table.games, 1))
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
    """Return the most even equilibrium among those whose shares lie where they are `held`.

    It is p = exp(A m) up to its sum, where m makes the logarithm of that sum smallest; m is at least 0 for those who
    have no share.
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
