"""What threads that solve one position together tell each other, so that they do not search the same nodes.

At the first plies below the root each thread notes the positions that it searches in its row of words, which all others
read. After a node's first move a thread postpones the moves to positions that others are searching: by the time it has
tried the rest, the table may settle them. The first move is never postponed; it often cuts off.

After each move at these plies a thread asks the table about its whole path. If another thread has settled a position
there, the search goes back to it.

What the search calls is not inlined: one thread never runs it, but its code would make the search a twentieth slower.

Sources: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996); T. Kerr, "Simplified ABDADA" (2015).
"""

from __future__ import annotations

from agents.bits.bitboard import mirrored
from agents.jit.compiler import jit
from agents.jit.vectors import load, save
from agents.solver.node import (
    BUCKET,
    RANKS,
    REMAINDER,
    SHARED,
    STOPPED,
    THREAD,
    THREADS,
    TRIED,
    Shape,
    cell_of,
    frame_of,
)
from agents.solver.table import entry_lower, entry_upper, probe

PLIES = 64
"""The words of a thread's row: one for each ply."""
NOWHERE = 0
SHARED_PLIES = 8
"""The plies below the root that threads share; values from 8 to 20 hardly differ."""


@jit(inline=True)
def number_of(own: int, taken: int, shape: Shape) -> int:
    """Return a non-negative number for a position and its mirror image; other positions rarely have the same one.

    own, taken: the discs of the side to move, and of both.
    """
    key = own + taken
    return min(key, mirrored(key, shape.columns, shape.rows)) & (1 << 63) - 1


@jit()
def enter(m: int, searching: int, own: int, opp: int, ply: int, bucket: int, remainder: int, shape: Shape) -> None:
    """Note that this thread searches a position.

    m, searching: the addresses of the thread's memory, see `agents.solver.node`, and of the rows of all threads.
    own, opp, ply: the discs of the side to move and of the other, and their number.
    bucket, remainder: the position's place in the table, see `agents.solver.node.slot`; -1 for one that is not stored.
    """
    save(searching, load(m, THREAD) * PLIES + ply, number_of(own, own | opp, shape))
    save(m, frame_of(ply, shape) + BUCKET, bucket)
    save(m, frame_of(ply, shape) + REMAINDER, remainder)


@jit()
def leave(table: int, m: int, searching: int, ply: int, value: int, alpha: int, shape: Shape) -> int:
    """Note that this thread searches a position no longer; return its value, or for STOPPED that of another thread.

    table: the address of the table. For the other parameters see `enter` and `settled`.
    """
    save(searching, load(m, THREAD) * PLIES + ply, NOWHERE)
    return settled(table, m, ply, alpha, shape) if value == STOPPED else value


@jit(inline=True)
def settled(table: int, m: int, ply: int, alpha: int, shape: Shape) -> int:
    """Return a bound in the table that settles whether the path's position at `ply` exceeds `alpha`, or STOPPED."""
    bucket = load(m, frame_of(ply, shape) + BUCKET)
    entry = 0
    if bucket >= 0:
        entry = probe(table, bucket, load(m, frame_of(ply, shape) + REMAINDER))
    if entry and entry_upper(entry) <= alpha:
        return entry_upper(entry)
    if entry and entry_lower(entry) > alpha:
        return entry_lower(entry)
    return STOPPED


@jit()
def is_path_settled(table: int, m: int, ply: int, alpha: int, shape: Shape) -> bool:
    """Return whether the table settles a position on the path down to `ply`, whose alpha is given."""
    is_settled = False
    for above in range(load(m, SHARED) - SHARED_PLIES, ply + 1):
        # The alpha of an odd number of plies above is -1 - alpha.
        is_settled |= settled(table, m, above, alpha ^ -(ply - above & 1), shape) != STOPPED
    return is_settled


@jit(inline=True)
def is_elsewhere(m: int, searching: int, ply: int, number: int) -> bool:
    """Return whether another thread searches the position with this number; for the parameters see `enter`."""
    thread = load(m, THREAD)
    is_there = False
    for other in range(load(m, THREADS)):
        is_there |= other != thread and load(searching, other * PLIES + ply) == number
    return is_there


@jit()
def free_rank(m: int, searching: int, own: int, opp: int, ply: int, rank: int, shape: Shape) -> int:
    """Return the rank of the best move to a position that no other thread searches, or else `rank`.

    The node must be in its frame. For the other parameters see `enter`.
    """
    best = TRIED
    for column in range(shape.columns):
        other = load(m, frame_of(ply, shape) + RANKS + column)
        if other > best:
            number = number_of(opp, own | opp | cell_of(own, opp, column, shape), shape)
            if ply + 1 >= load(m, SHARED) or not is_elsewhere(m, searching, ply + 1, number):
                best = other
    return rank if best == TRIED else best
