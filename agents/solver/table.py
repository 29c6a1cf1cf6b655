"""The solver's transposition table: what is known of a position's score, in one word each, a cache line a bucket.

Two kinds of tables in one array of int64. Positions far down the tree are many and cheap, and go to a near table that
stays in the processor's own cache, one for each core; the others go to a far one, which may be large and which all
threads share. On positions of 11 plies that takes a third less time than the far one alone; the near one alone does as
well there, but takes a sixth more on those of 5 plies.

A word packs, from the low bits: upper bound + 32 (6), lower bound + 32 (6), effort (6), remainder. A position's number
is multiplied by an odd constant, modulo the board's bits; that loses nothing. The product's high bits choose the
bucket and the rest is the remainder, so that an entry is never taken for another position's. Effort is the bit length
of the nodes searched below; the entry of least effort makes room for a new one, and its neighbour's is then taken for
one less. Without that entries from elsewhere in the tree fill the table, and a long search takes a tenth more nodes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from agents.jit.compiler import jit, popcount
from agents.jit.memory import STEP, columns_from, get, load, save
from agents.jit.simd import either, highest

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKET = 8
"""Entries of a bucket: 64 bytes, a cache line."""
NEAR_BITS = 13
NEAR_TABLES = min(os.cpu_count() or 1, 64)
"""Those of threads that do not exist take no memory."""
MOST_REMAINDER_BITS = 45
MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)
"""2**64 divided by the golden ratio, as int64: it spreads neighbours (Knuth, The Art of Computer Programming 3)."""


def near_bits(board_bits: int) -> int:
    """Return the bit length of the near table's number of buckets; the remainder must fit its place."""
    return min(board_bits, max(NEAR_BITS, board_bits - MOST_REMAINDER_BITS))


def far_bits(board_bits: int, mebibytes: int) -> int:
    """Return the bit length of the far table's number of buckets, where it may take `mebibytes`."""
    wanted = (mebibytes << 20) // (BUCKET * 8)
    return min(board_bits, max(near_bits(board_bits), wanted.bit_length() - 1))


def near_start(board_bits: int, mebibytes: int, place: int) -> int:
    """Return where the near table of a thread starts: behind the far one. More threads than there are cores share."""
    return ((1 << far_bits(board_bits, mebibytes)) + (place % NEAR_TABLES << near_bits(board_bits))) * BUCKET


def empty_table(board_bits: int, mebibytes: int) -> NDArray[np.int64]:
    """Return an empty table, whose buckets start on cache lines."""
    buckets = (NEAR_TABLES << near_bits(board_bits)) + (1 << far_bits(board_bits, mebibytes))
    words = np.zeros((buckets + 1) * BUCKET, np.int64)
    start = -words.ctypes.data // 8 % BUCKET
    return words[start : start + buckets * BUCKET]


@jit(inline=True)
def bucket_of(product: int, board_bits: int, near: int, far: int, start: int, is_near: bool) -> int:
    """Return the place of the first word of a position's bucket, from the product of its number and MULTIPLIER.

    `start` is where the thread's near table starts.
    """
    if is_near:
        return (product >> board_bits - near & (1 << near) - 1) * BUCKET + start
    return (product >> board_bits - far & (1 << far) - 1) * BUCKET


@jit(inline=True)
def find(table: int, bucket: int, remainder: int) -> int:
    """Return the position's entry, or 0. `bucket` is the place of the bucket's first word.

    Threads that write at once may leave two of a position: each holds, and one is returned.
    """
    entry = 0
    for slot in range(0, BUCKET, STEP):
        entries = get(table, bucket + slot)
        entry = max(entry, highest(either(entries >> 18 == remainder, entries, 0)))
    return entry


@jit(inline=True)
def put(table: int, bucket: int, remainder: int, lower: int, upper: int, nodes: int) -> None:
    """Keep a position's bounds in the place of what is known of it, or of the entry of least effort; a neighbour ages.

    There is no branch: a processor would guess wrong how many nodes there were, and which entry makes room.
    """
    for shift in (1, 2, 4, 8, 16, 32):
        nodes |= nodes >> shift
    effort = popcount(nodes)
    first = 0
    for slot in range(0, BUCKET, STEP):
        entries = get(table, bucket + slot)
        spare = either(entries, either(entries >> 18 == remainder, 65, 63 - (entries >> 12 & 63)), 64)
        first = max(first, highest(spare * BUCKET + BUCKET - 1 - columns_from(slot)))
    place = bucket + BUCKET - 1 - first % BUCKET
    neighbour = bucket + -first % BUCKET
    entry: int = load(table, neighbour)
    save(table, neighbour, entry - ((first < 64 * BUCKET and entry >> 12 & 63 > 0) << 12))
    save(table, place, remainder << 18 | effort << 12 | (lower + 32) << 6 | (upper + 32))
