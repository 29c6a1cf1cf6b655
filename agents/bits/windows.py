"""The vocabulary of heuristics: counting discs in windows, for all windows of a direction at once.

A window is `connect` cells in a line; it is named by its first cell, its start, from which it runs along a stride (see
`agents.bits.bitboard`). Words of these functions hold one bit for each start.
"""

from __future__ import annotations

from agents.jit.compiler import jit


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
