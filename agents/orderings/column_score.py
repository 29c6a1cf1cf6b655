"""`column-score` and `column-score-published`: a column is scored by the runs of cells around its landing cell.

Seven runs start beside the cell where the disc would land: down, left, right, up-right, down-left, up-left, down-right.
A run walks on while the next cell on the board holds what the first one held, four cells at most. The n-th cell of a
run adds n * 10**n, twice that for a disc of the side to move. A full column scores 0.

Source: O'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024. `column-score` is what the text describes:
runs of discs, n from 1 in each. In the program, `column-score-published`, n starts from 0, the run to the right goes on
counting where the one to the left ended, and diagonal runs are runs of empty cells, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import all_cells, bottom_row, landing_cells
from agents.jit.compiler import jit
from agents.rules import WORD_BITS

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Score

LONGEST = 4
LAST_BIT = WORD_BITS - 1
"""The longest shift there is; only on one column would a stride be longer, and both lead off the board."""
WORTH = tuple(number * 10**number for number in range(2 * LONGEST))


def make(rules: Rules) -> Score:
    """Return `column-score` for this board size."""
    columns, rows = rules.columns, rules.rows
    falling, right, rising = (min(stride, LAST_BIT) for stride in (rows, rows + 1, rows + 2))
    cells, bottom = all_cells(columns, rows), bottom_row(columns, rows)

    def score(own: int, opp: int, column: int) -> int:
        cell = _landing(own | opp, column, rows, cells, bottom)
        total = 0
        for stride in (-1, -right, right, rising, -rising, -falling, falling):
            total += _run(own, opp, cells, cell, stride, 1, False)[0]
        return total

    return score


def make_published(rules: Rules) -> Score:
    """Return `column-score-published` for this board size."""
    columns, rows = rules.columns, rules.rows
    falling, right, rising = (min(stride, LAST_BIT) for stride in (rows, rows + 1, rows + 2))
    cells, bottom = all_cells(columns, rows), bottom_row(columns, rows)

    def score(own: int, opp: int, column: int) -> int:
        cell = _landing(own | opp, column, rows, cells, bottom)
        total, _ = _run(own, opp, cells, cell, -1, 0, False)
        leftward, number = _run(own, opp, cells, cell, -right, 0, False)
        total += leftward + _run(own, opp, cells, cell, right, number, False)[0]
        for stride in (rising, -rising, -falling, falling):
            total += _run(own, opp, cells, cell, stride, 0, True)[0]
        return total

    return score


@jit(inline=True)
def _landing(mask: int, column: int, rows: int, cells: int, bottom: int) -> int:
    """Return the bit where a disc in the column would land, 0 if it is full: then every run is empty."""
    return landing_cells(mask, bottom) & cells & ((1 << rows) - 1) << column * (rows + 1)


@jit(inline=True)
def _run(own: int, opp: int, cells: int, cell: int, stride: int, number: int, through_empty: bool) -> tuple[int, int]:
    """Return the worth of the run that leaves `cell` along `stride`, counted from `number`, and the next number."""
    cell = _beside(cell, stride, cells)
    same, times = 0, 1
    if cell & own:
        same, times = own, 2
    elif cell & opp:
        same = opp
    elif through_empty:
        same = ~(own | opp)
    total = 0
    for _ in range(LONGEST):
        if cell & same == 0:
            break
        total += times * WORTH[number]
        number += 1
        cell = _beside(cell, stride, cells)
    return total, number


@jit(inline=True)
def _beside(cell: int, stride: int, cells: int) -> int:
    """Return the cell one step along the stride, which may be negative; 0 off the board."""
    return (cell << stride if stride > 0 else cell >> -stride) & cells
