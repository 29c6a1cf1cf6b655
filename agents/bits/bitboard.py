"""The board as two integers, and the operations that all kernels share.

A cell is the bit `column * (rows + 1) + row`, row 0 at the bottom; the extra row on top stays empty, so that a line
never runs from one column into the next. On 7x6:

     6 13 20 27 34 41 48   <- always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

`own` holds the discs of the side to move, `opp` the other's. A line runs along a stride: 1 up, rows + 1 to the right,
rows + 2 up to the right, rows down to the right. All words are int64; the board's own bits never reach the sign.

An example, the moves 12233434464: the first player has four on a diagonal. A word is written with its columns from
right to left, and each column with its top cell first:

    .  .  .  .  .  .  .
    .  .  .  .  .  .  .
    .  .  .  X  .  .  .
    .  .  X  X  .  .  .
    .  X  X  O  .  .  .
    X  O  O  O  .  O  .

    >>> x = 0b0000000_0000000_0000000_0001100_0000110_0000010_0000001
    >>> o = 0b0000000_0000001_0000000_0000011_0000001_0000001_0000000
    >>> f"{x | o:049b}"  # the discs of both: each column filled from below
    '0000000000000100000000001111000011100000110000001'
    >>> pairs = x & x >> 8  # an own disc here, and one a step up to the right
    >>> [cell for cell in range(49) if pairs >> cell & 1]
    [0, 8, 15, 16]
    >>> pairs & pairs >> 16  # a pair here, and one two steps further: four in a row, from cell 0 on
    1
    >>> [x & x >> stride & x >> 2 * stride & x >> 3 * stride for stride in (1, 7, 8, 6)]
    [0, 0, 1, 0]
"""

from __future__ import annotations

import numpy as np

from agents import rules
from agents.jit.compiler import jit
from agents.jit.vectors import popcount
from agents.rules import WORD_BITS, all_cells


def strides(rows: int) -> tuple[int, int, int, int]:
    """Return the four strides of a line: up, right, up-right, down-right."""
    return 1, rows + 1, rows + 2, rows


def anchors(columns: int, rows: int, connect: int) -> tuple[int, int, int, int]:
    """Return, for each stride, the cells where a line of `connect` cells along it can start."""
    cells = all_cells(columns, rows)
    masks = []
    for stride in strides(rows):
        mask = cells
        for step in range(1, connect):
            mask &= cells >> step * stride
        masks.append(mask)
    return masks[0], masks[1], masks[2], masks[3]


@jit(inline=True)
def landing_cells(mask: int, bottom: int) -> int:
    """Return the cell above the discs of each column, off the board for a full column; `mask` holds all discs.

    Use a shift and not mask + bottom: in plain Python a sum that reaches the sign bit causes a warning.
    """
    return (mask << 1 | bottom) & ~mask


@jit(inline=True)
def position_key(own: int, mask: int, bottom: int) -> int:
    """Return a number that is unique among the positions of this board size: `own` with each column's landing cell.

    It may use the sign bit, so `mask` becomes an int64: plain Python's integers would grow.
    """
    return own | landing_cells(np.int64(mask), bottom)  # type: ignore[arg-type]  # an int to numba


mirrored = jit(inline=True)(rules.mirrored)
lines_in = jit(inline=True)(rules.lines_in)


@jit(inline=True)
def has_line(discs: int, rows: int, connect: int) -> bool:
    """Return whether `discs` hold `connect` in a line."""
    return lines_in(discs, rows, connect) != 0


@jit(inline=True)
def fours(discs: int, rows: int, connect: int) -> int:
    """Return the number of windows of `connect` cells that `discs` fill: five in a row fill two windows of four."""
    count = 0
    for stride in (1, rows + 1, rows + 2, rows):
        if (connect - 1) * stride < WORD_BITS:
            starts = discs
            for step in range(1, connect):
                starts &= discs >> step * stride
            count += popcount(starts)
    return count


@jit(inline=True)
def line_completers(discs: int, rows: int, connect: int) -> int:
    """Return the cells that would complete a line of `connect` for `discs`; they may be taken or off the board.

    Mask the result with the empty cells or with the playable ones.
    """
    cells = 0
    for stride in (1, rows + 1, rows + 2, rows):
        if (connect - 1) * stride < WORD_BITS:
            for gap in range(connect):
                others = -1
                for step in range(connect):
                    if step < gap:
                        others &= discs << (gap - step) * stride
                    elif step > gap:
                        others &= discs >> (step - gap) * stride
                cells |= others
    return cells
