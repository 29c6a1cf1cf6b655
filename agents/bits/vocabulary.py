"""Words for heuristics of one's own: counting discs, windows and threats on a 7x6 board, or any other.

Every function is compiled and can be called from a heuristic at no cost; `own` and `opp` are the bits of the side to
move and of the other side, see `agents.bits.bitboard`. The last arguments are the board's size.
"""

from __future__ import annotations

from agents.bits.bitboard import line_completers
from agents.bits.windows import exactly, window_counts
from agents.jit.compiler import jit, popcount

__all__ = ["all_cells", "column_cells", "open_windows", "playable", "popcount", "row_cells", "threats"]


@jit(inline=True)
def row_cells(row: int, columns: int = 7, rows: int = 6) -> int:
    """Return the cells of a row, 0 the lowest."""
    cells = 0
    for column in range(columns):
        cells |= 1 << column * (rows + 1) + row
    return cells


@jit(inline=True)
def column_cells(column: int, rows: int = 6) -> int:
    """Return the cells of a column, 0 the leftmost."""
    return ((1 << rows) - 1) << column * (rows + 1)


@jit(inline=True)
def all_cells(columns: int = 7, rows: int = 6) -> int:
    """Return the cells of the board."""
    return row_cells(0, columns, rows) * ((1 << rows) - 1)


@jit(inline=True)
def playable(own: int, opp: int, columns: int = 7, rows: int = 6) -> int:
    """Return the cells where a disc can land now."""
    return ((own | opp) + row_cells(0, columns, rows)) & all_cells(columns, rows)


@jit(inline=True)
def threats(own: int, opp: int, columns: int = 7, rows: int = 6, connect: int = 4) -> int:
    """Return the empty cells that would complete a line for `own`, whether they can be played now or not."""
    return line_completers(own, rows, connect) & all_cells(columns, rows) & ~(own | opp)


@jit(inline=True)
def open_windows(own: int, opp: int, discs: int, columns: int = 7, rows: int = 6, connect: int = 4) -> int:
    """Return how many windows hold exactly `discs` of `own` and none of `opp`."""
    found = 0
    cells = all_cells(columns, rows)
    for stride in (1, rows + 1, rows + 2, rows):
        starts = cells
        for step in range(1, connect):
            starts &= cells >> step * stride
        mine = exactly(window_counts(own, stride, connect), discs, connect)
        found += popcount(starts & mine & exactly(window_counts(opp, stride, connect), 0, connect))
    return found
