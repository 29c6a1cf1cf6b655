"""`column-score` and `column-score-published`: score a column by the runs of cells around its landing cell.

Seven runs start beside the landing cell: down, left, right, up-right, down-left, up-left, down-right. A run continues
while the next cell on the board holds the same as its first cell, for at most four cells. The n-th cell of a run adds
n * 10**n, twice that for a disc of the side to move. A full column scores 0.

Source: O'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024. `column-score` follows the text: runs of
discs, with n from 1 in each. `column-score-published` follows the program: n starts from 0, the run to the right
continues the count of the run to the left, and diagonal runs may also be runs of empty cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells
from agents.jit.compiler import jit
from agents.rules import WORD_BITS

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Score

    Worth = tuple[int, ...]

LONGEST = 4
LAST_BIT = WORD_BITS - 1
"""The longest valid shift. Only boards of one column have longer strides, and either shift leads off the board."""
WORTH = tuple(number * 10**number for number in range(2 * LONGEST))
FROM_NONE, FROM_ONE = WORTH[:LONGEST], WORTH[1 : LONGEST + 1]


def make(rules: Rules) -> Score:
    """Return `column-score` for this board size."""
    rows = rules.rows
    falling, right, rising = (min(stride, LAST_BIT) for stride in (rows, rows + 1, rows + 2))
    cells, bottom = rules.cells, rules.bottom

    def score(own: int, opp: int, column: int) -> int:
        cell = _landing(own | opp, column, rows, cells, bottom)
        total = 0
        for stride in (-1, -right, right, rising, -rising, -falling, falling):
            total += _run(own, opp, cells, cell, stride, FROM_ONE)[0]
        return total

    return score


def make_published(rules: Rules) -> Score:
    """Return `column-score-published` for this board size."""
    rows = rules.rows
    falling, right, rising = (min(stride, LAST_BIT) for stride in (rows, rows + 1, rows + 2))
    cells, bottom = rules.cells, rules.bottom

    def score(own: int, opp: int, column: int) -> int:
        cell = _landing(own | opp, column, rows, cells, bottom)
        empty = cells & ~(own | opp)
        total, _ = _run(own, opp, cells, cell, -1, FROM_NONE)
        leftward, number = _run(own, opp, cells, cell, -right, FROM_NONE)
        further = _worth(number), _worth(number + 1), _worth(number + 2), _worth(number + 3)
        total += leftward + _run(own, opp, cells, cell, right, further)[0]
        for stride in (rising, -rising, -falling, falling):
            total += _run(own, opp, cells, cell, stride, FROM_NONE)[0]
            total += _cells_of(empty, cells, cell, stride, FROM_NONE)[0]
        return total

    return score


@jit(inline=True)
def _landing(mask: int, column: int, rows: int, cells: int, bottom: int) -> int:
    """Return the landing cell of a column, or 0 if it is full: then every run is empty."""
    return landing_cells(mask, bottom) & cells & ((1 << rows) - 1) << column * (rows + 1)


@jit(inline=True)
def _run(own: int, opp: int, cells: int, cell: int, stride: int, worth: Worth) -> tuple[int, int]:
    """Return the worth and the length of the run of discs that starts beside `cell` along `stride`."""
    mine, number = _cells_of(own, cells, cell, stride, worth)
    theirs, other = _cells_of(opp, cells, cell, stride, worth)
    return 2 * mine + theirs, number + other


@jit(inline=True)
def _cells_of(those: int, cells: int, cell: int, stride: int, worth: Worth) -> tuple[int, int]:
    """Return the worth and the length of the run of `those` cells that starts beside `cell` along `stride`."""
    total, number, going = 0, 0, 1
    for place in range(LONGEST):
        cell = _beside(cell, stride, cells)
        going &= (cell & those) != 0
        total += going * worth[place]
        number += going
    return total, number


@jit(inline=True)
def _worth(number: int) -> int:
    """Return WORTH[number] without indexing, because `number` may be a vector."""
    worth = 0
    for other in range(2 * LONGEST):
        worth += (number == other) * WORTH[other]
    return worth


@jit(inline=True)
def _beside(cell: int, stride: int, cells: int) -> int:
    """Return the cell one step along the stride, which may be negative; 0 off the board."""
    return (cell << stride if stride > 0 else cell >> -stride) & cells
