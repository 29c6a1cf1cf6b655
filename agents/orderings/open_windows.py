"""`open-windows`: scores a column by the windows through its landing cell that one side has not touched yet.

A window with n own discs and none of the other side's is worth 2 * 4**n, a window with n discs of the other side and no
own ones half as much. A winning move comes first, then a move that stops a win.

Measured at depth 10, it visits 0.13 to 0.17 of the nodes that the order from the centre visits
(`results/notes/enhancements.md`). From the empty board with powers-of-ten it takes 0.33 of the time of the order from
the centre at depth 11, but 1.5 times as much at depth 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells, strides
from agents.bits.windows import at_least_one, holding, packed, packed_counts, subset_weights, windows_through
from agents.jit.compiler import jit
from agents.jit.vectors import popcount
from agents.rules import WORD_BITS

if TYPE_CHECKING:
    from agents.bits.windows import Pack, Packs
    from agents.board import Rules
    from agents.jit.compiler import Score

    Windows = tuple[int, int, int, int, int, int]

COMPLETED = 1 << 40
"""The worth of a window that the move completes: more than all other windows through the cell together."""
STEEPEST = 12
"""The largest exponent: more discs add nothing, so that the sum fits a word on the longest boards."""


def make(rules: Rules) -> Score:
    """Return the ordering for this board size."""
    rows, connect = rules.rows, rules.connect
    cells, bottom = rules.cells, rules.bottom
    weights = subset_weights([4 ** min(discs, STEEPEST) for discs in range(connect - 1)] + [COMPLETED])
    (first, second, third, fourth), in_one_word = apart(rules)

    def score(own: int, opp: int, column: int) -> int:
        mask = own | opp
        cell = landing_cells(mask, bottom) & cells & ((1 << rows) - 1) << column * (rows + 1)
        a = _through(own, opp, cell, rows, connect, first)
        b = _through(own, opp, cell, rows, connect, second)
        c = _through(own, opp, cell, rows, connect, third)
        d = _through(own, opp, cell, rows, connect, fourth)
        if in_one_word:
            return _worth(_joined(_joined(a, b), _joined(c, d)), connect, weights)
        worth = _worth(a, connect, weights) + _worth(b, connect, weights)
        return worth + _worth(c, connect, weights) + _worth(d, connect, weights)

    return score


def apart(rules: Rules) -> tuple[Packs, bool]:
    """Return the packed windows, and whether shifts make all windows through any one cell fit into one word.

    If so, the packs are shifted: no two windows through a cell share a bit, and one count covers all of them.
    """
    packs = packed(rules)
    cells = [1 << cell for cell in range(WORD_BITS) if rules.cells >> cell & 1]
    held = [0 for _ in cells]
    moved = []
    for pack in packs:
        through = [_through_cell(cell, rules, pack) for cell in cells]
        for shift in range(WORD_BITS - pack[0].bit_length()):
            if not any(before & starts << shift for before, starts in zip(held, through, strict=True)):
                break
        else:
            return packs, False
        held = [before | starts << shift for before, starts in zip(held, through, strict=True)]
        moved.append((*(starts << shift for starts in pack[:5]), *(before + shift for before in pack[5:])))
    first, second, third, fourth = moved
    return (first, second, third, fourth), True


def _through_cell(cell: int, rules: Rules, pack: Pack) -> int:
    """Return the same as `windows_through`, in plain Python, which saves a compilation."""
    windows = 0
    for stride, mask, shift in zip(strides(rules.rows), pack[1:5], pack[5:], strict=True):
        for step in range(rules.connect):
            windows |= cell >> step * stride << shift & mask
    return windows


@jit(inline=True)
def _through(own: int, opp: int, cell: int, rows: int, connect: int, pack: Pack) -> Windows:
    """Return the packed windows through a cell.

    The six words: windows without discs of the other side; windows without own discs; and those of both with the first,
    second, third or fourth bit set in their count of discs.
    """
    starts = pack[0]
    if starts == 0:
        none = cell & 0
        return none, none, none, none, none, none
    through = windows_through(cell, rows, connect, pack)
    mine = packed_counts(own, rows, connect, pack)
    theirs = packed_counts(opp, rows, connect, pack)
    my_open = starts & ~at_least_one(theirs)
    their_open = starts & ~at_least_one(mine)
    return (
        through & my_open,
        through & their_open,
        through & (my_open & mine[0] | their_open & theirs[0]),
        through & (my_open & mine[1] | their_open & theirs[1]),
        through & (my_open & mine[2] | their_open & theirs[2]),
        through & (my_open & mine[3] | their_open & theirs[3]),
    )


@jit(inline=True)
def _joined(a: Windows, b: Windows) -> Windows:
    """Return the windows of two packs that share no bits, in one."""
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3], a[4] | b[4], a[5] | b[5]


@jit(inline=True)
def _worth(windows: Windows, connect: int, weights: tuple[int, ...]) -> int:
    """Return the worth of the windows through a cell."""
    my_open, their_open = windows[0], windows[1]
    total = 0
    for number in range(connect):
        held = holding(windows[2:6], number)
        total += weights[number] * (2 * popcount(my_open & held) + popcount(their_open & held))
    return total
