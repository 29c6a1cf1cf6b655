"""The words of heuristics: counting discs, windows and threats.

`own` and `opp` are the bits of the side to move and of the other side, see `agents.bits.bitboard`. A window is
`connect` cells in a line; it is named by its first cell, its start, from which it runs along a stride. All windows of a
direction are counted at once, in words that hold one bit for each start. Every function is compiled and can be called
from a heuristic at no cost; where a board's size is asked for, it is 7x6 if not given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.bits.bitboard import anchors, line_completers
from agents.errors import InputError
from agents.jit.compiler import jit, popcount
from agents.rules import WORD_BITS
from agents.score import WIN_BOUND

if TYPE_CHECKING:
    from agents.rules import Rules


@jit(inline=True)
def window_counts(discs: int, stride: int, connect: int) -> tuple[int, int, int, int]:
    """Return, in binary over four words, how many of `discs` the window at each start holds (up to 15)."""
    ones = discs & 0
    twos = discs & 0
    fours = discs & 0
    eights = discs & 0
    for step in range(connect):
        carry = discs >> step * stride
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights ^= carry
    return ones, twos, fours, eights


@jit(inline=True)
def exactly(counts: tuple[int, int, int, int], number: int, connect: int) -> int:
    """Return the starts whose count is `number`, for counts up to `connect`."""
    ones, twos, fours, eights = counts
    found = (ones if number & 1 else ~ones) & (twos if number & 2 else ~twos)
    if connect >= 4:
        found &= fours if number & 4 else ~fours
    if connect >= 8:
        found &= eights if number & 8 else ~eights
    return found


@jit(inline=True)
def at_least_one(counts: tuple[int, int, int, int]) -> int:
    """Return the starts whose count is not 0."""
    return counts[0] | counts[1] | counts[2] | counts[3]


@jit(inline=True)
def holding(counts: tuple[int, int, int, int], bits: int) -> int:
    """Return the starts whose count has all of `bits` set: fewer operations than `exactly`, see `by_planes`."""
    found = -1
    if bits & 1:
        found &= counts[0]
    if bits & 2:
        found &= counts[1]
    if bits & 4:
        found &= counts[2]
    if bits & 8:
        found &= counts[3]
    return found


def by_planes(worth: list[int]) -> tuple[int, ...]:
    """Return the weights w with which the sum of w[bits] over all bits that a count holds is `worth[count]`.

    The Möbius inversion over subsets of bits: (0, 1, 10, 100, 1000) becomes (0, 1, 10, 89, 1000).
    """
    weights: list[int] = []
    for count, value in enumerate(worth):
        weights.append(value - sum(weights[bits] for bits in range(count) if bits & count == bits))
    return tuple(weights)


def check_weights(rules: Rules, weights: Sequence[int]) -> None:
    """Raise InputError where a sum over all windows, each worth one of these weights, can look like a proven win."""
    windows = sum(starts.bit_count() for starts in anchors(rules.columns, rules.rows, rules.connect))
    largest = max(map(abs, weights))
    if windows * largest >= WIN_BOUND:
        limit = (WIN_BOUND - 1) // windows
        raise InputError(f"a weight of {largest} in {windows} windows outgrows a win; {limit} is the limit")


@jit(inline=True)
def along(own: int, opp: int, stride: int, starts: int, connect: int, weights: tuple[int, ...]) -> int:
    """Return, of the windows of a stride that only one side has discs in, the sum of weights; see `by_planes`."""
    if starts == 0:
        return 0
    mine = window_counts(own, stride, connect)
    theirs = window_counts(opp, stride, connect)
    my_open = starts & ~at_least_one(theirs)
    their_open = starts & ~at_least_one(mine)
    total = 0
    for number in range(1, connect + 1):
        my_windows = popcount(my_open & holding(mine, number))
        total += weights[number] * (my_windows - popcount(their_open & holding(theirs, number)))
    return total


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
        # A shift by a word or more is undefined in machine code, and no window is that long.
        if (connect - 1) * stride < WORD_BITS:
            starts = cells
            for step in range(1, connect):
                starts &= cells >> step * stride
            mine = exactly(window_counts(own, stride, connect), discs, connect)
            found += popcount(starts & mine & exactly(window_counts(opp, stride, connect), 0, connect))
    return found
