"""`smart-simple`, `smart-aware` and `aware`: windows that count for the side with the disc on their anchor.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022. A window's anchor is its left, bottom or (on both diagonals)
lower end, its far end the opposite one. A window counts for the owner of the disc on the anchor. If the anchor is
empty, it may count for the owner of the disc on the far end. A window with both ends empty counts for nobody. Points:

    discs of one side | of the other | simple | aware | aware, where every empty cell can be filled at once
                    4 |            0 |      4 |    40 |
                    3 |            0 |      3 |    15 | 17
                    2 |            0 |      2 |     2 | 4
                    3 |            1 |     -1 |   -13 |

Windows with an empty anchor count only in these cases, without a disc of the other side. Simple: three discs in a
horizontal window. Aware: three discs in any window; two discs in a horizontal window if both empty cells can be filled
at once, in a diagonal window if at least one can. `aware` takes other points in place of 40, 17, 15, 4, 2 and 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import anchors, landing_cells
from agents.bits.windows import at_least_one, bounded, check_weights, exactly, number_of_windows, window_counts
from agents.errors import InputError
from agents.jit.compiler import jit
from agents.jit.vectors import popcount

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

FOUR = 4
FAR = FOUR - 1
"""Steps from a window's start to its other end."""

SIMPLE = (4, 3, 3, 2, 2, 1)
"""The weights of `smart-simple`, which are the same for cells that can be filled now and for others."""

Counts = tuple[int, int, int, int]
"""See `window_counts`."""
Starts = tuple[int, int, int, int]
"""See `anchors`."""
Weights = tuple[int, int, int, int, int, int]
"""The parameters of `make` after `rules`."""


def smart_simple(rules: Rules) -> Evaluate:
    """Return `smart-simple` for this board size. Raises InputError unless four in a row win."""
    rows = _rows(rules)
    up, right, rising, falling = anchors(rules.columns, rows, FOUR)

    def evaluate(own: int, opp: int) -> int:
        return (
            _simple(own, opp, 1, up, 0, False)
            + _simple(own, opp, rows + 1, right, 0, True)
            + _simple(own, opp, rows + 2, rising, 0, False)
            + _simple(own, opp, rows, falling, FAR * rows, False)
        )

    return bounded(evaluate, number_of_windows(rules) * max(SIMPLE))


def smart_aware(rules: Rules) -> Evaluate:
    """Return `aware` with the published points. Raises InputError unless four in a row win."""
    return make(rules, four=40, three_now=17, three=15, two_now=4, two=2, blocked=13)


def make(rules: Rules, four: int, three_now: int, three: int, two_now: int, two: int, blocked: int) -> Evaluate:
    """Return the heuristic with these points for four, three and two discs of one side in a window.

    `three_now` and `two_now` apply if every empty cell can be filled at once; three discs with one of the other side
    lose `blocked` points. Raises InputError unless four in a row win, and for points with sums that may reach a win.
    """
    rows, starts = _rows(rules), anchors(rules.columns, rules.rows, FOUR)
    weights = four, three_now, three, two_now, two, blocked
    check_weights(rules, weights)
    cells, bottom = rules.cells, rules.bottom

    def evaluate(own: int, opp: int) -> int:
        mask = own | opp
        level = (mask | landing_cells(mask, bottom)) & cells
        return aware(own, opp, level, rows, starts, weights) - aware(opp, own, level, rows, starts, weights)

    return bounded(evaluate, number_of_windows(rules) * max(map(abs, weights)))


def _rows(rules: Rules) -> int:
    if rules.connect != FOUR:
        raise InputError(f"it has a meaning only where four in a row win, not on {rules}")
    return rules.rows


@jit(inline=True)
def _simple(own: int, opp: int, stride: int, starts: int, anchor: int, horizontal: bool) -> int:
    """Return the points of one direction; `anchor` is the distance in bits from a window's start to its anchor."""
    if starts == 0:
        return 0
    mine = window_counts(own, stride, FOUR)
    theirs = window_counts(opp, stride, FOUR)
    my_anchor, their_anchor = own >> anchor, opp >> anchor
    any_anchor = -1 if horizontal else 0
    my_windows = my_anchor | any_anchor & _three(mine)
    their_windows = their_anchor | any_anchor & _three(theirs)
    points = _points(mine, theirs, starts, my_anchor, my_windows, SIMPLE)
    return points - _points(theirs, mine, starts, their_anchor, their_windows, SIMPLE)


@jit(inline=True)
def aware(own: int, opp: int, level: int, rows: int, starts: Starts, weights: Weights) -> int:
    """Return the points of `own`; `level` are the taken and the playable cells.

    With `level` 0 and the weights SIMPLE they are those of `smart-simple`. own, opp, rows: see `agents.bits.windows`.
    """
    up, right, rising, falling = starts
    points = _aware(own, opp, level, 1, up, 0, False, weights)
    points += _aware(own, opp, level, rows + 1, right, 0, True, weights)
    points += _aware(own, opp, level, rows + 2, rising, 0, False, weights)
    return points + _aware(own, opp, level, rows, falling, FAR * rows, False, weights)


@jit(inline=True)
def _aware(
    own: int, opp: int, level: int, stride: int, starts: int, anchor: int, horizontal: bool, weights: Weights
) -> int:
    """Return the points of one direction, see `_simple`."""
    if starts == 0:
        return 0
    mine = window_counts(own, stride, FOUR)
    theirs = window_counts(opp, stride, FOUR)
    far = own >> FAR * stride - anchor
    second, third, fourth = level >> stride, level >> 2 * stride, level >> 3 * stride
    low, high = level & second, third & fourth
    all_level = low & high
    windows = own >> anchor | far & all_level
    if horizontal:
        windows |= _three(mine)
    else:
        windows |= far & (low & (third | fourth) | high & (level | second))
    points = _points(mine, theirs, starts, own >> anchor, windows, weights)
    return points + _now(mine, theirs, starts & windows & all_level, weights)


@jit(inline=True)
def _points(mine: Counts, theirs: Counts, starts: int, anchor: int, windows: int, weights: Weights) -> int:
    """Return the points of the side of `mine` for its open windows, those of `starts` and `windows`.

    Three discs beside one of the other side lose points if the side holds the `anchor`.
    """
    four, _, three, _, two, blocked = weights
    threes = _three(mine)
    open_starts = _open(mine, theirs, starts & windows)
    stopped = threes & exactly(theirs, 1, FOUR) & starts & anchor
    points = two * popcount(open_starts) + (three - two) * popcount(open_starts & threes)
    return points - blocked * popcount(stopped) + four * popcount(mine[2] & starts)


@jit(inline=True)
def _now(mine: Counts, theirs: Counts, starts: int, weights: Weights) -> int:
    """Return the extra points for the windows of `starts`, which can be filled now."""
    _, three_now, three, two_now, two, _ = weights
    open_starts = _open(mine, theirs, starts)
    more, still_more = two_now - two, three_now - three - (two_now - two)
    return more * popcount(open_starts) + still_more * popcount(open_starts & _three(mine))


@jit(inline=True)
def _open(mine: Counts, theirs: Counts, starts: int) -> int:
    """Return the `starts` of windows with two or three discs of this side and none of the other."""
    return starts & mine[1] & ~at_least_one(theirs)


@jit(inline=True)
def _three(mine: Counts) -> int:
    """Return the starts of windows with three discs of this side."""
    return mine[0] & mine[1]
