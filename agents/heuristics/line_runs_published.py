"""`line-runs-published`: `line-runs` as its authors' program computes it, 7x6 only.

Source: the program of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012. It differs from their text:

* The program marks the place of a disc within its run of free cells, and keeps the marks of a run that the other side
  breaks. So a chunk counts the places that are marked in it or in earlier runs of its line.
* Four marks are worth nothing to the side to move and 1111 to the other.
* Diagonals cover only the first six columns; cells above and below the board count as empty. Each direction has eight
  lines, which cross column 1 in the rows -5 to 2 (rising) and 3 to 10 (falling).

All 29 lines are read at once: each has a bit, and a word holds the same step along all lines. No line is longer than
7, so each holds at most one chunk of each side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.windows import bounded
from agents.board import STANDARD
from agents.errors import InputError
from agents.jit.compiler import jit
from agents.jit.vectors import popcount

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

HEIGHT = 7
BOTTOM = 0x40810204081
"""The bits of the columns: 0, 7, ..., 42."""
ROWS_AT, RISING_AT, FALLING_AT, END = 1, 43, 51, 59
"""The first bits of the lines of the other directions."""
SIX = (1 << 6) - 1
EIGHT = (1 << 8) - 1
ROWS = SIX << ROWS_AT
FOUR = 1111
"""The value of four marks of the other side."""
LINES = BOTTOM | ROWS | (1 << END) - (1 << RISING_AT)

Words = tuple[int, int, int, int, int, int, int]
"""One word for each step along a line."""


def make(rules: Rules) -> Evaluate:
    """Return the heuristic. Raises InputError for other boards than 7x6 with four in a row."""
    if rules.size != STANDARD.size:
        raise InputError(f"it is defined on {STANDARD} only, not on {rules}")
    return bounded(evaluate, LINES.bit_count() * FOUR)


def evaluate(own: int, opp: int) -> int:
    """Return the sum over all lines, for the side to move."""
    mine = steps(own)
    theirs = steps(opp)
    return worth(marks(mine, free_lines(theirs)), 0) - worth(marks(theirs, free_lines(mine)), FOUR)


@jit(inline=True)
def steps(discs: int) -> Words:
    """Return the discs at each step along the lines."""
    return (
        _step(discs, 0),
        _step(discs, 1),
        _step(discs, 2),
        _step(discs, 3),
        _step(discs, 4),
        _step(discs, 5),
        (discs >> 6 * HEIGHT & SIX) << ROWS_AT,
    )


@jit(inline=True)
def _step(discs: int, step: int) -> int:
    """Return the discs at a step up to 5, which all lines have: in columns row `step`, in other lines column `step`."""
    column = discs >> step * HEIGHT & SIX
    rising = (column << 5 - step) & EIGHT
    falling = (column << step >> 3) & EIGHT
    return discs >> step & BOTTOM | column << ROWS_AT | rising << RISING_AT | falling << FALLING_AT


@jit(inline=True)
def free_lines(theirs: Words) -> Words:
    """Return, for each step, the lines without a disc of the other side there; only rows have a seventh cell."""
    return (
        LINES & ~theirs[0],
        LINES & ~theirs[1],
        LINES & ~theirs[2],
        LINES & ~theirs[3],
        LINES & ~theirs[4],
        LINES & ~theirs[5],
        ROWS & ~theirs[6],
    )


@jit(inline=True)
def marks(mine: Words, free: Words) -> tuple[int, int, int, int]:
    """Return, for each place in a chunk, the lines with a mark there; lines without a chunk have no marks."""
    at_0 = free[0] & free[1] & free[2] & free[3]
    at_1 = ~free[0] & free[1] & free[2] & free[3] & free[4]
    at_2 = ~free[1] & free[2] & free[3] & free[4] & free[5]
    at_3 = ~free[2] & free[3] & free[4] & free[5] & free[6]
    # Add the marks of earlier runs: one cell before a chunk that begins at step 2, two cells before one at step 3.
    first = at_2 & mine[0] | at_3 & (mine[0] | mine[1] & ~free[0])
    second = at_3 & mine[1] & free[0]
    return (
        at_0 & mine[0] | at_1 & mine[1] | at_2 & mine[2] | at_3 & mine[3] | first,
        at_0 & mine[1] | at_1 & mine[2] | at_2 & mine[3] | at_3 & mine[4] | second,
        at_0 & mine[2] | at_1 & mine[3] | at_2 & mine[4] | at_3 & mine[5],
        at_0 & mine[3] | at_1 & mine[4] | at_2 & mine[5] | at_3 & mine[6],
    )


@jit(inline=True)
def worth(marked: tuple[int, int, int, int], four: int) -> int:
    """Return the sum over all lines of 1, 11, 111 and `four` for one to four marks."""
    odd, pair = marked[0] ^ marked[1], marked[0] & marked[1]
    other_odd, other_pair = marked[2] ^ marked[3], marked[2] & marked[3]
    carry = odd & other_odd
    ones = odd ^ other_odd
    twos = pair ^ other_pair ^ carry
    fours = pair & other_pair
    return popcount(ones) + 11 * popcount(twos) + 99 * popcount(ones & twos) + four * popcount(fours)
