"""`powers-of-ten`: 1, 10, 100, 1000 for one to four discs in a window that the other side has not touched.

Source: Simon Møllerhøj, "Connect 4 AI in Ruby", 2013. A sum over every window of the board, also where somebody has
won; windows of other lengths continue the powers.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from agents.bits.bitboard import anchors
from agents.bits.windows import at_least_one, by_planes, holding, window_counts
from agents.errors import InputError
from agents.jit.compiler import EVALUATE_SIGNATURE, jit, popcount

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

LONGEST = 7
"""One disc less than eight in a window would be worth as much as a win."""


@functools.cache
def build(rules: Rules) -> Evaluate:
    """Return the heuristic for this board size. Raises InputError where a line is so long that it outgrows a win."""
    rows, connect = rules.rows, rules.connect
    if connect > LONGEST:
        raise InputError(f"heuristic 'powers-of-ten' outgrows a win with {connect} in a row; {LONGEST} is the limit")
    up, right, rising, falling = anchors(rules.columns, rows, connect)
    weights = by_planes([0, *(10**discs for discs in range(connect))])

    @jit(EVALUATE_SIGNATURE, inline=True)
    def evaluate(own: int, opp: int) -> int:
        return (
            _along(own, opp, 1, up, connect, weights)
            + _along(own, opp, rows + 1, right, connect, weights)
            + _along(own, opp, rows + 2, rising, connect, weights)
            + _along(own, opp, rows, falling, connect, weights)
        )

    return evaluate


@jit(inline=True)
def _along(own: int, opp: int, stride: int, starts: int, connect: int, weights: tuple[int, ...]) -> int:
    if starts == 0:
        return 0
    mine = window_counts(own, stride, connect)
    theirs = window_counts(opp, stride, connect)
    my_open = starts & ~at_least_one(theirs)
    their_open = starts & ~at_least_one(mine)
    total = 0
    for number in range(1, connect + 1):
        my_windows = popcount(my_open & holding(mine, number))
        total += weights[number] * (my_windows - popcount(their_open & holding(theirs, number)))
    return total
