"""The solver's transposition table: bounds on a position's score in one word, eight words a bucket, one cache line.

One array of int64 holds two kinds of tables. Positions in the second half of the game are many and cheap. They go to a
near table, one for each core, which stays in the processor's cache. All others go to the far table, which may be large
and is shared by all threads. On positions of 11 plies this takes a third less time than only a far table.

The key of a position is multiplied by an odd constant, modulo 2 to the power of the board's bits, which is reversible.
The product's high bits choose the bucket and the rest is the remainder, so two positions never share an entry.

A new entry replaces the one of least effort in its bucket, and lowers the effort of a neighbour by one. Without this
ageing, old entries fill the table, and a long search takes a tenth more nodes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from agents.jit.compiler import jit
from agents.jit.vectors import STEP, columns_from, get, highest, load, popcount, save, where

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKET = 8
"""Entries of a bucket: 64 bytes, a cache line."""
NEAR_BITS = 13
NEAR_TABLES = min(os.cpu_count() or 1, 64)
"""The number of near tables; those that no thread uses take no memory."""
MOST_REMAINDER_BITS = 45
MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)
"""2**64 divided by the golden ratio, as int64, spreads similar keys (Knuth, The Art of Computer Programming 3)."""


def near_bits(board_bits: int) -> int:
    """Return the bits of a bucket's number in a near table; the remainder must fit into an entry."""
    return min(board_bits, max(NEAR_BITS, board_bits - MOST_REMAINDER_BITS))


def far_bits(board_bits: int, mebibytes: int) -> int:
    """Return the bits of a bucket's number in a far table of `mebibytes`."""
    wanted = (mebibytes << 20) // (BUCKET * 8)
    return min(board_bits, max(near_bits(board_bits), wanted.bit_length() - 1))


def near_start(board_bits: int, mebibytes: int, place: int) -> int:
    """Return the start of a thread's near table, behind the far one. With more threads than cores, threads share it."""
    return ((1 << far_bits(board_bits, mebibytes)) + (place % NEAR_TABLES << near_bits(board_bits))) * BUCKET


def aligned_zeros(words: int) -> NDArray[np.int64]:
    """Return an array of zeros that starts on a cache line."""
    zeros = np.zeros(words + BUCKET, np.int64)
    start = -zeros.ctypes.data // 8 % BUCKET
    return zeros[start : start + words]


def empty_table(board_bits: int, mebibytes: int) -> NDArray[np.int64]:
    """Return an empty table with its buckets on cache lines."""
    buckets = (NEAR_TABLES << near_bits(board_bits)) + (1 << far_bits(board_bits, mebibytes))
    return aligned_zeros(buckets * BUCKET)


# An entry packs, from the low bits: upper bound + 32 (6 bits), lower bound + 32 (6), effort (6), remainder. The effort
# is the bit length of the number of nodes searched below. Bounds are from -32 to 31; 0 is no entry. Each function takes
# words or vectors of entries, see `agents.jit.vectors`.

ENTRY_REMAINDER, ENTRY_EFFORT, ENTRY_LOWER = 18, 12, 6
"""The lowest bits of these fields."""
FIELD, OFFSET = 63, 32


@jit(inline=True)
def packed_entry(remainder: int, effort: int, lower: int, upper: int) -> int:
    """Return an entry with this `remainder`, `effort` (0 to 63), and bounds `lower`, `upper` on the mover's score."""
    bounds = (lower + OFFSET) << ENTRY_LOWER | (upper + OFFSET)
    return remainder << ENTRY_REMAINDER | effort << ENTRY_EFFORT | bounds


@jit(inline=True)
def entry_upper(entry: int) -> int:
    """Return the upper bound on the score of the position's mover."""
    return (entry & FIELD) - OFFSET


@jit(inline=True)
def entry_lower(entry: int) -> int:
    """Return the lower bound on the score of the position's mover."""
    return (entry >> ENTRY_LOWER & FIELD) - OFFSET


@jit(inline=True)
def entry_effort(entry: int) -> int:
    """Return the effort, from 0 to 63."""
    return entry >> ENTRY_EFFORT & FIELD


@jit(inline=True)
def entry_remainder(entry: int) -> int:
    """Return the remainder."""
    return entry >> ENTRY_REMAINDER


@jit(inline=True)
def bucket_of(product: int, board_bits: int, near: int, far: int, start: int, is_near: bool) -> int:
    """Return the place of the first word of a position's bucket, from the product of its key and MULTIPLIER.

    board_bits: the bits of the board, and of the product.
    near, far: the bits of a bucket's number in the two kinds of tables.
    start: the start of the thread's near table.
    is_near: whether the near table holds the position.
    """
    if is_near:
        return (product >> board_bits - near & (1 << near) - 1) * BUCKET + start
    return (product >> board_bits - far & (1 << far) - 1) * BUCKET


@jit(inline=True)
def probe(table: int, bucket: int, remainder: int) -> int:
    """Return the position's entry, or 0. `bucket` is the place of the bucket's first word.

    Threads that write at the same time may leave two entries of a position; both are valid, and one is returned.
    """
    entry = 0
    for slot in range(0, BUCKET, STEP):
        entries = get(table, bucket + slot)
        entry = max(entry, highest(where(entry_remainder(entries) == remainder, entries, 0)))
    return entry


@jit(inline=True)
def store(table: int, bucket: int, remainder: int, lower: int, upper: int, nodes: int) -> None:
    """Store a position's bounds over its own entry, an empty one or the one of least effort, and age a neighbour.

    table: an address.
    bucket, remainder: the place of the bucket's first word, and the position's remainder.
    lower, upper: bounds on the score of the position's mover.
    nodes: the nodes searched.

    There is no branch: neither the number of nodes nor the slot is predictable.
    """
    # The bit length of `nodes`: the number of bits after the highest one has been copied downwards.
    for shift in (1, 2, 4, 8, 16, 32):
        nodes |= nodes >> shift
    effort = popcount(nodes)
    # Choose the first of the best slots: the position's own, else an empty one, else the one of least effort.
    first = 0
    for slot in range(0, BUCKET, STEP):
        entries = get(table, bucket + slot)
        spare = where(entries, where(entry_remainder(entries) == remainder, 65, FIELD - entry_effort(entries)), 64)
        first = max(first, highest(spare * BUCKET + BUCKET - 1 - columns_from(slot)))
    place = bucket + BUCKET - 1 - first % BUCKET
    neighbour = bucket + -first % BUCKET
    # If an entry is replaced, its neighbour ages.
    entry: int = load(table, neighbour)
    save(table, neighbour, entry - ((first < 64 * BUCKET and entry_effort(entry) > 0) << ENTRY_EFFORT))
    save(table, place, packed_entry(remainder, effort, lower, upper))
