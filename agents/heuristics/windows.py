"""`windows` and `powers-of-ten`: open windows, with discs of only one side, by their number of discs.

Source: Simon Møllerhøj, "Connect 4 AI in Ruby", 2013, with 1, 10, 100, 1000 for one to four discs. The sum covers every
window of the board, also after a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.bits.windows import bounded, check_weights, number_of_windows, open_window_sum, packed, subset_weights
from agents.errors import InputError, unknown

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen")  # fmt: skip
"""The weights by the number of discs; counts end at fifteen."""
LONGEST = 7
"""With powers of ten, seven discs in a window of eight would be worth as much as a win."""


def make(rules: Rules, *weights: int, **named: int) -> Evaluate:
    """Return the heuristic with a weight for each number of discs, from one up to a whole line.

    Raises InputError for another number of weights, and for weights with sums that may reach a win.
    """
    names = NAMES[: rules.connect]
    for name in named.keys() - names[len(weights) :]:
        raise InputError(f"{name} is given twice") if name in names else unknown("weight", name, names)
    values = [*weights, *(named[name] for name in names if name in named)]
    if len(values) != rules.connect:
        raise InputError(f"there must be {rules.connect} weights on a {rules} board, not {len(values)}")
    if rules.connect > len(NAMES):
        raise InputError(f"no more than {len(NAMES)} discs in a window can be counted")
    check_weights(rules, values)
    return _weighted(rules, values)


def powers_of_ten(rules: Rules) -> Evaluate:
    """Return the published heuristic, with further powers of ten for longer lines. Raises InputError above LONGEST."""
    if rules.connect > LONGEST:
        raise InputError(f"it outgrows a win with {rules.connect} in a row; {LONGEST} is the limit")
    return _weighted(rules, [10**discs for discs in range(rules.connect)])


def _weighted(rules: Rules, values: Sequence[int]) -> Evaluate:
    rows, connect = rules.rows, rules.connect
    packs = packed(rules)
    weights = subset_weights([0, *values])

    def evaluate(own: int, opp: int) -> int:
        return open_window_sum(own, opp, rows, connect, packs, weights)

    return bounded(evaluate, number_of_windows(rules) * max(map(abs, values)))
