"""Where a function of one number changes its sign.

scipy's brentq asks a function less often, but importing it takes longer than all roots of a report together.
"""

from __future__ import annotations

from collections.abc import Callable

_HALVINGS = 60  # of the bracket, to the last bits of a number as large as it


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where `function`, negative at `low` and positive at `high`, changes its sign; `low` may be the larger."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if function(middle) < 0.0 else (low, middle)
    return (low + high) / 2.0
