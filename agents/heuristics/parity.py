"""`parity` and `zugzwang`: open windows, and threats by the parity of their rows.

On a board with an even number of rows the second player can answer every disc on top of it, and so gets the cells of
the even rows, and the first player those of the odd rows. A threat is an empty cell that completes a line. It can
decide a game if its row has its owner's parity, the lower the better. If the first player has no such threat, the
second player controls the endgame (Victor Allis, "A Knowledge-based Approach of Connect-Four", 1988). Among threats
that are not playable yet only the lowest of each column counts: play reaches it first. Playable threats decide at
once: the side to move completes a line, or cannot stop two threats with one disc.

The weights of `parity` are fitted to solved positions, see `results/parity/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells, line_completers
from agents.bits.windows import bounded, check_weights, number_of_windows, open_window_sum, packed, subset_weights
from agents.errors import InputError
from agents.heuristics.windows import powers_of_ten
from agents.jit.vectors import popcount, where

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

FOUR = 4
LOW_ROWS = 3
"""The lowest rows, where threats have a separate weight: row 3 for the first player, row 2 for the second."""


def parity(rules: Rules) -> Evaluate:
    """Return `zugzwang` with the fitted weights, or `powers_of_ten` on boards where it is not defined."""
    if not _meant(rules):
        return powers_of_ten(rules)
    return make(rules, one=16, two=50, three=26, low=216, high=140, other=66, control=18, forced=173, decided=5000)


def make(
    rules: Rules,
    one: int,
    two: int,
    three: int,
    low: int,
    high: int,
    other: int,
    control: int,
    forced: int,
    decided: int,
) -> Evaluate:
    """Return the heuristic with these weights; each counts for a side and against the other.

    one, two, three: an open window with so many discs. low, high: a column's lowest threat, if its row has the owner's
    parity, in the first three rows or above. other: a lowest threat of the other parity. control: for the second
    player, unless the first has a lowest threat of its own parity. forced: against the side to move, if it must answer
    a threat. decided: the value if the side to move can complete a line, or cannot stop the other side's.

    Raises InputError unless four in a row win and the rows are even in number, and for weights that may reach a win.
    """
    rows = rules.rows
    if not _meant(rules):
        raise InputError(f"it has a meaning only where four in a row win and rows are even in number, not on {rules}")
    every = sum(map(abs, (one, two, three, low, high, other, control, forced, decided)))
    check_weights(rules, [every])
    packs = packed(rules)
    by_count = subset_weights([0, one, two, three, 0])
    cells, bottom = rules.cells, rules.bottom
    top = bottom << rows
    odd_rows, low_rows = sum(bottom << row for row in range(0, rows, 2)), bottom * ((1 << LOW_ROWS) - 1)

    def evaluate(own: int, opp: int) -> int:
        taken = own | opp
        now = landing_cells(taken, bottom) & cells
        mine = line_completers(own, rows, FOUR) & cells & ~taken
        theirs = line_completers(opp, rows, FOUR) & cells & ~taken
        later = (mine | theirs) & ~now
        lowest = later & ~((later | top) - bottom)  # the bits on top of the columns stop borrows between columns
        second_moves = -(popcount(taken) & 1)
        my_rows = odd_rows ^ second_moves
        good, bad = mine & lowest & my_rows, theirs & lowest & ~my_rows
        must = theirs & now
        value = (
            open_window_sum(own, opp, rows, FOUR, packs, by_count)
            + low * (popcount(good & low_rows) - popcount(bad & low_rows))
            + high * (popcount(good & ~low_rows) - popcount(bad & ~low_rows))
            + other * (popcount(mine & lowest & ~my_rows) - popcount(theirs & lowest & my_rows))
        )
        value += where(second_moves, where(bad, 0, control), where(good, 0, -control))
        value -= where(must, forced, 0)
        value = where((must & (must - 1)) | (must << 1 & theirs), -decided, value)
        return where(mine & now, decided, value)

    return bounded(evaluate, number_of_windows(rules) * every)


def _meant(rules: Rules) -> bool:
    return rules.connect == FOUR and rules.rows % 2 == 0
