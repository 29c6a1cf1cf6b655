"""`smart-simple` and `smart-aware`: windows that count for the side whose disc stands on their anchor.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022. A window's anchor is its left, bottom or (on both diagonals)
lower end, its far end the other one. It counts for the owner of the disc on the anchor. Where the anchor is empty it
may count for the owner of the disc on the far end; a window that is empty at both ends counts for nobody. In points:

    discs of one side | of the other | simple | aware | aware, where every empty cell can be filled at once
                    4 |            0 |      4 |    40 |
                    3 |            0 |      3 |    15 | 17
                    2 |            0 |      2 |     2 | 4
                    3 |            1 |     -1 |   -13 |

With an empty anchor only three or two discs without the other side's count, and only so: simple, three in a
horizontal window; aware, three in any; two in a horizontal window whose empty cells can both be filled at once, and in
a diagonal one of whose two empty cells at least one can.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from agents.bits.bitboard import all_cells, anchors, bottom_row, landing_cells
from agents.bits.windows import at_least_one, exactly, window_counts
from agents.errors import InputError
from agents.jit.compiler import EVALUATE_SIGNATURE, jit, popcount

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

FOUR = 4
FAR = FOUR - 1
"""Steps from a window's start to its other end."""

Counts = tuple[int, int, int, int]
"""See `window_counts`."""


@functools.cache
def build_simple(rules: Rules) -> Evaluate:
    """Return `smart-simple` for this board size. Raises InputError unless four in a row win."""
    rows = _rows(rules, "smart-simple")
    up, right, rising, falling = anchors(rules.columns, rows, FOUR)

    @jit(EVALUATE_SIGNATURE, inline=True)
    def evaluate(own: int, opp: int) -> int:
        return (
            _simple(own, opp, 1, up, 0, False)
            + _simple(own, opp, rows + 1, right, 0, True)
            + _simple(own, opp, rows + 2, rising, 0, False)
            + _simple(own, opp, rows, falling, FAR * rows, False)
        )

    return evaluate


@functools.cache
def build_aware(rules: Rules) -> Evaluate:
    """Return `smart-aware` for this board size. Raises InputError unless four in a row win."""
    rows = _rows(rules, "smart-aware")
    cells = all_cells(rules.columns, rows)
    bottom = bottom_row(rules.columns, rows)
    up, right, rising, falling = anchors(rules.columns, rows, FOUR)

    @jit(EVALUATE_SIGNATURE, inline=True)
    def evaluate(own: int, opp: int) -> int:
        mask = own | opp
        level = (mask | landing_cells(mask, bottom)) & cells
        return (
            _aware(own, opp, level, 1, up, 0, False)
            + _aware(own, opp, level, rows + 1, right, 0, True)
            + _aware(own, opp, level, rows + 2, rising, 0, False)
            + _aware(own, opp, level, rows, falling, FAR * rows, False)
        )

    return evaluate


def _rows(rules: Rules, name: str) -> int:
    if rules.connect != FOUR:
        raise InputError(f"heuristic {name!r} has a meaning only where four in a row win, not on {rules}")
    return rules.rows


@jit(inline=True)
def _simple(own: int, opp: int, stride: int, starts: int, anchor: int, horizontal: bool) -> int:
    """Return the points of one direction; `anchor` is the distance in bits from a window's start to its anchor."""
    if starts == 0:
        return 0
    mine = window_counts(own, stride, FOUR)
    theirs = window_counts(opp, stride, FOUR)
    my_anchor, their_anchor = own >> anchor, opp >> anchor
    either = -1 if horizontal else 0
    my_windows = my_anchor | either & _three(mine)
    their_windows = their_anchor | either & _three(theirs)
    points = _points(mine, theirs, starts, my_anchor, my_windows, 1, 4)
    return points - _points(theirs, mine, starts, their_anchor, their_windows, 1, 4)


@jit(inline=True)
def _aware(own: int, opp: int, level: int, stride: int, starts: int, anchor: int, horizontal: bool) -> int:
    """Return the points of one direction; `level` are the cells that are taken or can be played now."""
    if starts == 0:
        return 0
    mine = window_counts(own, stride, FOUR)
    theirs = window_counts(opp, stride, FOUR)
    far = FAR * stride - anchor
    my_anchor, their_anchor = own >> anchor, opp >> anchor
    second, third, fourth = level >> stride, level >> 2 * stride, level >> 3 * stride
    low, high = level & second, third & fourth
    all_level = low & high
    my_windows = my_anchor | (own >> far) & all_level
    their_windows = their_anchor | (opp >> far) & all_level
    if horizontal:
        my_windows |= _three(mine)
        their_windows |= _three(theirs)
    else:
        three_level = low & (third | fourth) | high & (level | second)
        my_windows |= (own >> far) & three_level
        their_windows |= (opp >> far) & three_level
    points = _points(mine, theirs, starts, my_anchor, my_windows, 13, 40)
    points -= _points(theirs, mine, starts, their_anchor, their_windows, 13, 40)
    my_level = popcount(_open(mine, theirs, starts & my_windows & all_level))
    return points + 2 * (my_level - popcount(_open(theirs, mine, starts & their_windows & all_level)))


@jit(inline=True)
def _points(mine: Counts, theirs: Counts, starts: int, anchor: int, windows: int, third: int, four: int) -> int:
    """Return the points of the side that `mine` counts: of the open windows of `starts` that are among `windows`.

    Two discs are worth 2, a third disc `third` more, four discs `four`. One disc of the other side's beside three
    turns the third disc's worth into a loss, where the `anchor` is own.
    """
    three = _three(mine)
    found = _open(mine, theirs, starts & windows)
    blocked = three & exactly(theirs, 1, FOUR) & starts & anchor
    thirds = popcount(found & three) - popcount(blocked)
    return 2 * popcount(found) + third * thirds + four * popcount(mine[2] & starts)


@jit(inline=True)
def _open(mine: Counts, theirs: Counts, starts: int) -> int:
    """Return the `starts` whose windows hold two or three discs of this side and none of the other."""
    return starts & mine[1] & ~at_least_one(theirs)


@jit(inline=True)
def _three(mine: Counts) -> int:
    """Return the starts whose windows hold three discs of this side."""
    return mine[0] & mine[1]
