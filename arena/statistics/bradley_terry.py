"""Bradley-Terry strengths of many samples at once, by Newton's method with the exact Hessian.

Agent i, moving first, beats agent j with probability 1 / (1 + exp(-(r_i - r_j + c))); a draw is half a win for each.
Strengths are in logits, sum to 0 and come with the first player's advantage c as the last entry. Arrays of points and
games have the shape (samples, agents, agents), as in `pool.PoolResults`; self-play informs only c. `advantage` says
whether c is fitted, too; else it keeps the value that it starts with.

Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952); the first-move term is that
of R. R. Davidson and R. J. Beaver, "On extending the Bradley-Terry model to incorporate within-pair order effects"
(1977).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats

_STEPS = 40
_STRIDE = 3.0  # logits; longer steps overshoot where a start is far off
_DONE = 1e-9
_BEYOND = 20.0  # logits between opponents; to measure as much takes half a billion games
_RIDGE = 1e-12  # games; keeps the Hessian of a sample without a maximum solvable until it is given up
_VIRTUAL_DRAWS = 0.5  # a played pair


def estimate(
    points: Floats,
    games: Floats,
    start: Floats,
    met: Floats,
    *,
    advantage: bool,
    groups: Floats | float = 1.0,
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the likeliest strengths, shape (samples, agents + 1), and which samples were held finite.

    `groups`, an array (agents, agents), is 1 for two of the same group and else 0; groups without games between them
    each sum to 0.

    Where all points flow one way between two groups of agents, or all to the first player, the likelihood has no
    maximum. Half a virtual draw for each pair of agents that `met`, an array (agents, agents), then holds the
    strengths finite. `start` has the shape of one row or of all. For the other parameters see the module.
    """
    strengths, settled = _fit(points, games, start, groups, advantage=advantage)
    held = ~settled
    if held.any():
        virtual = virtual_games(met)
        strengths[held] = _fit(
            points[held] + virtual / 2.0, games[held] + virtual, np.zeros(start.shape[-1]), groups, advantage=advantage
        )[0]
    return strengths, held


def virtual_games(met: Floats) -> Floats:
    """Return the virtual games, shape (agents, agents), half of them with either agent first."""
    virtual = np.where(met + met.T > 0.0, _VIRTUAL_DRAWS / 2.0, 0.0)
    np.fill_diagonal(virtual, 0.0)
    return virtual


def apart(points: Floats, games: Floats, strengths: Floats, groups: Floats) -> Floats:
    """Return one sample's strengths with each group moved as a whole, by its games against others.

    All points between two groups may go one way, so that half a virtual draw for each pair of agents of different
    groups that met holds them finite. Differences within a group stay as they are. groups: see `estimate`.
    """
    member = (groups.argmax(axis=1)[:, None] == np.unique(groups.argmax(axis=1))).astype(float)
    virtual = virtual_games(games)
    points, games = (points + virtual / 2.0) * (1.0 - groups), (games + virtual) * (1.0 - groups)
    moved = strengths.copy()
    for _ in range(_STEPS):
        slope = gradients(points[None], games[None], moved[None], advantage=False)[0, :-1] @ member
        hessian = information(games[None], moved[None], advantage=False)[0, :-1, :-1]
        step = np.linalg.solve(member.T @ hessian @ member + 1.0, slope)
        longest = abs(step).max()
        moved[:-1] += member @ step * min(1.0, _STRIDE / max(longest, _DONE))
        if longest < _DONE:
            break
    return moved


def covariance(games: Floats, strengths: Floats, *, advantage: bool) -> Floats:
    """Return the covariance of one sample's strengths and advantage: the pseudo-inverse of the Fisher information."""
    fisher = information(games[None], strengths[None], advantage=advantage)[0]
    return np.asarray(np.linalg.pinv(fisher, hermitian=True))


def gradients(points: Floats, games: Floats, strengths: Floats, *, advantage: bool) -> Floats:
    """Return the gradients of the log-likelihood, shape (samples, agents + 1). For parameters see the module."""
    more = points - games * _chances(strengths)
    by_agent = more.sum(axis=-1) - more.sum(axis=-2)
    total = more.sum(axis=(-1, -2))[:, None] if advantage else np.zeros((len(more), 1))
    return np.concatenate([by_agent, total], axis=-1)


def advantage_shows(games: Floats) -> bool:
    """Return whether the games (agents, agents) separate the first player's advantage from the strengths.

    They do not where, say, one of two agents always moved first.
    """
    agents = len(games)
    fisher = information(games[None], np.zeros((1, agents + 1)), advantage=True)[0]
    return bool(np.linalg.matrix_rank(fisher, hermitian=True) == agents)


def _fit(
    points: Floats, games: Floats, start: Floats, groups: Floats | float, *, advantage: bool
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the strengths at which Newton's method arrives, and for which samples they are a maximum."""
    strengths = np.array(np.broadcast_to(start, (len(points), points.shape[-1] + 1)))
    moving = np.arange(len(points))
    for _ in range(_STEPS):
        gradient, hessian = _slopes(points[moving], games[moving], strengths[moving], groups, advantage=advantage)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        longest = abs(step).max(axis=-1)
        strengths[moving] += step * (_STRIDE / np.maximum(longest, _STRIDE))[:, None]
        moving = moving[(longest > _DONE) & _within(games[moving], strengths[moving])]
        if not len(moving):
            break
    near = _within(games, strengths)
    near[moving] = False
    return strengths, near


def _slopes(
    points: Floats, games: Floats, strengths: Floats, groups: Floats | float = 1.0, *, advantage: bool
) -> tuple[Floats, Floats]:
    """Return gradient and negative Hessian of the log-likelihood, the latter held down where it is flat by design."""
    hessian = information(games, strengths, advantage=advantage)
    agents = points.shape[-1]
    hessian[:, :agents, :agents] += groups  # the sum of their strengths, which no game tells, stays what it is: 0
    if not advantage:
        hessian[:, agents, agents] = 1.0
    hessian += _RIDGE * np.eye(agents + 1)
    return gradients(points, games, strengths, advantage=advantage), hessian


def information(games: Floats, strengths: Floats, *, advantage: bool) -> Floats:
    """Return the Fisher information, shape (samples, agents + 1, agents + 1)."""
    chances = _chances(strengths)
    weights = games * chances * (1.0 - chances)
    as_first, as_second = weights.sum(axis=-1), weights.sum(axis=-2)
    samples, agents = as_first.shape
    matrix = np.zeros((samples, agents + 1, agents + 1))
    matrix[:, :agents, :agents] = -(weights + weights.swapaxes(-1, -2))
    diagonal = np.arange(agents)
    matrix[:, diagonal, diagonal] += as_first + as_second
    if advantage:
        matrix[:, :agents, agents] = matrix[:, agents, :agents] = as_first - as_second
        matrix[:, agents, agents] = weights.sum(axis=(-1, -2))
    return matrix


def _chances(strengths: Floats) -> Floats:
    """Return what the row's agent, moving first, expects against the column's."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * _ahead(strengths))))  # the logistic function, without overflow


def _within(games: Floats, strengths: Floats) -> npt.NDArray[np.bool_]:
    """Return, for each sample, whether no agent is further ahead of an opponent than games could show."""
    return np.asarray(np.where(games > 0.0, abs(_ahead(strengths)), 0.0).max(axis=(-1, -2)) < _BEYOND)


def _ahead(strengths: Floats) -> Floats:
    """Return by how much the row's agent, moving first, is ahead of the column's, in logits."""
    ability = strengths[:, :-1]
    return ability[:, :, None] - ability[:, None, :] + strengths[:, -1, None, None]
