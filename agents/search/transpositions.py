"""A transposition table for depth-limited searches: two int64 a position, the exact key and a packed entry.

The table stores the whole key, so two positions never share an entry. A new entry always replaces an old one. An entry
packs, from the low bits: column (6), bound (2), depth in plies (7), value + 2**21 (22).

    table, size   the table's address, and the number of its words
    key           see `agents.bits.bitboard.position_key`
    depth         plies searched below the node
    ply           the node's distance from the root; outside the table the distance to a win counts from the root
    value, alpha, beta   for the node's mover
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agents.jit.compiler import jit
from agents.jit.vectors import load, save
from agents.score import WIN_BOUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

UPPER, LOWER, EXACT = 1, 2, 3
VALUE_AT, DEPTH_AT, BOUND_AT = 15, 8, 6
"""The lowest bits of an entry's fields; the column is below them."""
ENTRY_BYTES = 16
_OFFSET = 1 << 21
_HALF = (1 << 31) - 1


def table_words(megabytes: int) -> int:
    """Return the length of a table with the largest power of two of entries that fits `megabytes`; 0 for 0."""
    entries = megabytes * 2**20 // ENTRY_BYTES
    return 2 << entries.bit_length() - 1 if entries else 0


def empty_table(megabytes: int) -> NDArray[np.int64]:
    """Return an empty table of the length that `table_words` gives."""
    return np.zeros(table_words(megabytes), np.int64)


@jit(inline=True)
def slot(size: int, key: int) -> int:
    """Return the place of a key's entry. The products stay below 2**62, because Python would not wrap them."""
    mixed = ((key & _HALF) * 0x5BD1E995) ^ ((key >> 31 & _HALF) * 0x27D4EB2F)
    return ((mixed >> 24 ^ mixed & 0xFFFFFF) << 1) & (size - 1)


@jit(inline=True)
def fetch(table: int, size: int, key: int, depth: int, ply: int, alpha: int, beta: int) -> tuple[bool, int, int]:
    """Return (whether the entry settles the node, its value, the column to try first or -1).

    An entry settles a node only at the same `depth` and with a value outside the window. With a value inside it the
    node is searched, so that the principal variation is complete. table, size: the table's address and its words.
    key: see `agents.bits.bitboard.position_key`. ply: the node's distance from the root.
    """
    at = slot(size, key)
    # Compare the whole key: another position may have this place.
    entry = load(table, at + 1)
    if load(table, at) != key or entry == 0:
        return False, 0, -1
    # Convert the distance to a win: from this node to the root.
    value = (entry >> VALUE_AT) - _OFFSET
    if value > WIN_BOUND:
        value -= ply
    elif value < -WIN_BOUND:
        value += ply
    bound = entry >> BOUND_AT & EXACT
    settled = entry >> DEPTH_AT & 127 == depth and (
        (value <= alpha and bound & UPPER != 0) or (value >= beta and bound & LOWER != 0)
    )
    return settled, value, entry & (1 << BOUND_AT) - 1


@jit(inline=True)
def store(
    table: int, size: int, key: int, depth: int, ply: int, value: int, alpha: int, beta: int, column: int
) -> None:
    """Store the value of a position, searched to `depth` in this window, and its best `column`; see `fetch`."""
    # Outside the window the value is only a bound.
    bound = EXACT
    if value <= alpha:
        bound = UPPER
    elif value >= beta:
        bound = LOWER
    # Convert the distance to a win: from the root to this node, which other searches reach at other plies.
    if value > WIN_BOUND:
        value += ply
    elif value < -WIN_BOUND:
        value -= ply
    at = slot(size, key)
    save(table, at, key)
    save(table, at + 1, (value + _OFFSET) << VALUE_AT | depth << DEPTH_AT | bound << BOUND_AT | column)
