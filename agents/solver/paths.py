"""What the threads of a crew tell each other while they solve one position: where each of them is.

A thread notes the position that it searches at each ply, down to the last one that is shared, in a row of its own that
the others read. After a node's first move it puts off those moves that lead to where another thread is: until it has
tried the rest, the table will know them. The first move is never put off, for it often makes the others needless.

Who leaves a position tells those who are below it, and they leave it, too, if the table knows enough by now.
Sources: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996); T. Kerr, "Simplified ABDADA" (2015).
"""

from __future__ import annotations

from agents.bits.bitboard import mirrored
from agents.jit.compiler import jit
from agents.jit.words import load, save
from agents.solver.control import CREW, PLACE, SHARED
from agents.solver.node import BEST, BUCKET, OPEN, OPP, OWN, RANK, RANKS, REMAINDER, TRIED, Shape, cell_of
from agents.solver.table import find

PLIES = 64
"""Words of a thread's row in `paths`, the last of which is for hints."""
HINT = PLIES - 1
"""The ply of a position that another thread has left, or 0."""
NOWHERE = 0
SHARED_PLIES = 8
"""Plies below the position in which threads keep out of each other's way; from 8 to 20 hardly differ."""


@jit(inline=True)
def number_of(own: int, taken: int, shape: Shape) -> int:
    """Return a position's number, which it shares with its mirror image; without the sign, which is rarely missed."""
    key = own + taken
    return min(key, mirrored(key, shape.columns, shape.rows)) & (1 << 63) - 1


@jit(inline=True)
def share(control: int, root: int) -> None:
    """Choose the plies that a search from `root` shares with others, where there are any."""
    save(control, SHARED, min(root + SHARED_PLIES, HINT) if load(control, CREW) > 1 else 0)


@jit(inline=True)
def enter(control: int, paths: int, own: int, opp: int, ply: int, shape: Shape) -> None:
    """Let the others know which position this thread searches at a ply, if it is a shared one."""
    if ply < load(control, SHARED):
        save(paths, load(control, PLACE) * PLIES + ply, number_of(own, own | opp, shape))


@jit(inline=True)
def leave(control: int, paths: int, ply: int, last: int) -> None:
    """Let the others know that this thread has left its positions from `ply` to `last`; those below get a hint."""
    place = load(control, PLACE)
    for each in range(ply, min(last + 1, load(control, SHARED))):
        number = load(paths, place * PLIES + each)
        save(paths, place * PLIES + each, NOWHERE)
        for other in range(load(control, CREW)):
            if other != place and number != NOWHERE and load(paths, other * PLIES + each) == number:
                hint = load(paths, other * PLIES + HINT)
                if hint == 0 or hint > each:
                    save(paths, other * PLIES + HINT, each)


@jit(inline=True)
def hinted(control: int, paths: int) -> int:
    """Return the ply of a position that another thread has left, and forget it; 0 without a hint."""
    place = load(control, PLACE) * PLIES + HINT
    ply: int = load(paths, place)
    if ply:
        save(paths, place, 0)
    return ply


@jit(inline=True)
def settled(table: int, stack: int, frame: int, alpha: int) -> int:
    """Return the value of a frame's node where the table has learnt enough of it by now, or OPEN."""
    bucket = load(stack, frame + BUCKET)
    entry = 0
    if bucket >= 0:
        entry = find(table, bucket, load(stack, frame + REMAINDER))
    if entry and (entry & 63) - 32 <= alpha:
        return (entry & 63) - 32
    if entry and (entry >> 6 & 63) - 32 > alpha:
        return (entry >> 6 & 63) - 32
    return OPEN


@jit(inline=True)
def is_elsewhere(control: int, paths: int, ply: int, number: int) -> bool:
    """Tell whether another thread searches a position."""
    place = load(control, PLACE)
    found = False
    for other in range(load(control, CREW)):
        found |= other != place and load(paths, other * PLIES + ply) == number
    return found


@jit(inline=True)
def free_column(control: int, paths: int, stack: int, frame: int, ply: int, shape: Shape) -> int:
    """Take the best move out of a frame that leads to where no other thread is, or else the best; return its column."""
    ranks = frame + RANKS
    best = TRIED
    if ply + 1 < load(control, SHARED) and load(stack, frame + BEST) != OPEN:
        own, opp = load(stack, frame + OWN), load(stack, frame + OPP)
        for column in range(shape.columns):
            rank = load(stack, ranks + column)
            if rank > best:
                taken = own | opp | cell_of(own, opp, column, shape)
                if not is_elsewhere(control, paths, ply + 1, number_of(opp, taken, shape)):
                    best = rank
    if best == TRIED:
        best = load(stack, frame + RANK)
    else:
        save(stack, frame + RANK, best)
    return shape.columns - 1 - (best & 63)
