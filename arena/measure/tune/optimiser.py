"""What to try next: an optimiser from a library, driven by one function that it knows nothing of.

With the extra `tune` it is CMA-ES (N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016) from the package cmaes;
without, or for a single number, differential evolution (R. Storn, K. Price, 1997) from scipy. Both are told their seed,
so that the same answers lead to the same questions: a run that stopped is continued by answering them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats

Value = Callable[[Sequence[float]], float]
"""Of a point, the higher the better."""
SPREAD = 0.4
"""The standard deviation of the first points about the start, where 1 is the start's own size."""
REACH = 3.0
"""How far from the start differential evolution looks."""
NAMES = ("cmaes", "scipy")


class Enough(Exception):  # noqa: N818  nothing went wrong
    """As many points were tried as were asked for."""


def default() -> str:
    """Return the optimiser that is installed."""
    return "cmaes" if find_spec("cmaes") else "scipy"


def maximise(value: Value, start: Sequence[float], name: str, seed: int) -> None:
    """Ask for the value of one point after the other, the start first, until `value` raises Enough."""
    try:
        value(start)
        if name == "cmaes" and len(start) > 1:
            _evolve(value, start, seed)
        else:
            _differ(value, start, seed)
    except Enough:
        pass


def _evolve(value: Value, start: Sequence[float], seed: int) -> None:
    import numpy as np
    from cmaes import CMA

    while True:
        optimiser = CMA(mean=np.array(start), sigma=SPREAD, seed=seed % 2**32)
        while not optimiser.should_stop():
            points = [optimiser.ask() for _ in range(optimiser.population_size)]
            optimiser.tell([(point, -value(point.tolist())) for point in points])
        seed += 1  # it has settled: try again from the start


def _differ(value: Value, start: Sequence[float], seed: int) -> None:
    from scipy.optimize import Bounds, differential_evolution

    bounds = Bounds([x - REACH for x in start], [x + REACH for x in start])

    def lost(point: Floats) -> float:
        return -value(point.tolist())

    while True:
        differential_evolution(lost, bounds, x0=start, rng=seed, polish=False, tol=0.0, maxiter=1000)
        seed += 1
