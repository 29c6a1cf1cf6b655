"""`open-windows`: the windows through the landing cell that one side has not touched yet.

A window without the other side's discs is worth 2 * 4**n with n own discs in it, one without own discs half as much
with n of the other side's. A move that wins comes first, one that stops a win next.

Measured at depth 10: 0.13 to 0.17 of the nodes that the order from the centre visits (`results/notes/enhancements.md`).
From the empty board with powers-of-ten it needs 0.36 of the time that the order from the centre does at depth 11, but
1.5 times as much at depth 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells, strides
from agents.bits.windows import at_least_one, holding, packed, packed_counts, subset_weights, windows_through
from agents.jit.compiler import jit, popcount
from agents.rules import WORD_BITS

if TYPE_CHECKING:
    from agents.bits.windows import Pack, Packs
    from agents.board import Rules
    from agents.jit.compiler import Score

    Windows = tuple[int, int, int, int, int, int]

COMPLETED = 1 << 40
"""Worth of a window whose last cell this is: more than that of all the other windows through it."""
STEEPEST = 12
"""Discs beyond this number add nothing, so that the sum fits a word on the longest boards."""


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
        found = _worth(a, connect, weights) + _worth(b, connect, weights)
        return found + _worth(c, connect, weights) + _worth(d, connect, weights)

    return score


def apart(rules: Rules) -> tuple[Packs, bool]:
    """Return the packed windows, and whether one word holds those through a cell, whichever it is: then they are moved.

    No two of them have their starts in the same place then, and their discs are counted all at once.
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
    """Return what `windows_through` does, without machine code of its own."""
    found = 0
    for stride, mask, shift in zip(strides(rules.rows), pack[1:5], pack[5:], strict=True):
        for step in range(rules.connect):
            found |= cell >> step * stride << shift & mask
    return found


@jit(inline=True)
def _through(own: int, opp: int, cell: int, rows: int, connect: int, pack: Pack) -> Windows:
    """Return the packed windows through a cell.

    First stand those without the other side's discs, then those without own ones, then, of all these, those whose count
    of discs has the first bit set, the second, the third, the fourth.
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
    """Return the windows of two packs that have no place in common."""
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3], a[4] | b[4], a[5] | b[5]


@jit(inline=True)
def _worth(windows: Windows, connect: int, weights: tuple[int, ...]) -> int:
    """Return what windows through a cell are worth."""
    my_open, their_open = windows[0], windows[1]
    total = 0
    for number in range(connect):
        held = holding(windows[2:6], number)
        total += weights[number] * (2 * popcount(my_open & held) + popcount(their_open & held))
    return total
