"""What more search is worth: Elo per doubling of nodes and per ply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.errors import InputError
from arena.statistics.elo import Z95

_STRAIGHT = 1e-6  # Elo per squared unit; less is rounding


@dataclass(frozen=True, slots=True)
class TrendLine:
    """A straight line through ratings, in Elo against `x`."""

    slope: float
    """Elo per unit of x: a doubling, or a ply."""
    slope_error: float
    """Standard error of the slope, in the same unit."""
    intercept: float
    """Elo at x = 0."""
    points: int
    bend: tuple[float, float] | None = None
    """The slopes at the least and the greatest x where the points curve more than their errors allow, else None."""


def elo_per_doubling(nodes: Sequence[float], elo: Sequence[float], errors: Sequence[float]) -> TrendLine:
    """Return the line of ratings against the binary logarithm of the nodes a move, geometric means at best.

    `errors` are the ratings' standard errors in Elo. Raises InputError unless all nodes are above 0.
    """
    if any(count <= 0 for count in nodes):
        raise InputError("Elo per doubling needs searches that visited nodes")
    return weighted_line([math.log2(count) for count in nodes], elo, errors)


def elo_per_ply(depths: Sequence[float], elo: Sequence[float], errors: Sequence[float]) -> TrendLine:
    """Return the line of ratings against depth in plies; `errors` are the ratings' standard errors in Elo."""
    return weighted_line(depths, elo, errors)


def weighted_line(x: Sequence[float], y: Sequence[float], errors: Sequence[float]) -> TrendLine:
    """Return the least-squares line through (x, y), each point weighted by its standard error to the power -2.

    Errors that are all 0 make the ratings facts: the points count alike, and the slope has no error.

    Where the points scatter more than their errors say, the slope's error grows by the same factor (R. T. Birge, "The
    calculation of errors by the method of least squares", 1932): the world is not quite straight. Raises InputError
    unless there are two different x and either every error is above 0 or none is.
    """
    if len(set(x)) < 2:
        raise InputError("a slope needs ratings at two or more places")
    exact = max(errors) == 0.0
    if min(errors) <= 0.0 and not exact:
        raise InputError("a slope needs ratings with errors above 0")
    weights = [1.0 if exact else error**-2 for error in errors]
    total = sum(weights)
    centre = sum(w * a for w, a in zip(weights, x, strict=True)) / total
    level = sum(w * b for w, b in zip(weights, y, strict=True)) / total
    spread = sum(w * (a - centre) ** 2 for w, a in zip(weights, x, strict=True))
    slope = sum(w * (a - centre) * (b - level) for w, a, b in zip(weights, x, y, strict=True)) / spread
    misfit = sum(w * (b - level - slope * (a - centre)) ** 2 for w, a, b in zip(weights, x, y, strict=True))
    excess = misfit / (len(x) - 2) if len(x) > 2 else 0.0
    error = 0.0 if exact else math.sqrt(max(1.0, excess) / spread)
    return TrendLine(slope, error, level - slope * centre, len(x), _bend(x, y, errors))


def _bend(x: Sequence[float], y: Sequence[float], errors: Sequence[float]) -> tuple[float, float] | None:
    """Return the slopes at both ends of the parabola through the points, None where it may as well be a line."""
    if len(set(x)) < 3:
        return None
    moved = np.array(x, dtype=float) - np.mean(x)
    exact = max(errors) == 0.0
    (curve, slope, _), known = np.polyfit(moved, y, 2, w=None if exact else 1.0 / np.array(errors), cov="unscaled")
    if abs(curve) <= (_STRAIGHT if exact else Z95 * math.sqrt(known[0, 0])):
        return None
    return float(slope + 2.0 * curve * moved.min()), float(slope + 2.0 * curve * moved.max())
