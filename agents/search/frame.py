"""The frames of a search, one for each node on the path from the root, and the principal variation.

    OWN, OPP      the discs
    ALPHA, BETA   the window: values up to ALPHA and values from BETA on are only bounds
    HASH_MOVE     the column to try first, or -1
    COMPLETERS    the cells that complete a line for the side to move
    BEST          the best value so far, for the side to move
    RANK          the place of the best move in the order
    TRY           the place of the last move tried, -1 for the hash move
    MOVES …       the columns in the order to try them; a fixed order is only in the root's frame

The stack begins with three words for each lane, to hold the values of a node's children and to sort its moves; then
come the frames, the root's first. The functions take some of these parameters:

    stack         the stack's address
    frame, row    the indices of a node's frame and of its moves
    p             the node's ply from the root
    pv, width     the address of the principal variation, and the length of a row
    shape, task   the board and the search, see `agents.search.task`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import position_key
from agents.jit.compiler import jit
from agents.jit.memory import load, save
from agents.search.task import INFINITY
from agents.search.transpositions import store

if TYPE_CHECKING:
    from agents.search.task import Shape, Task


# The principal variation is in a triangular table: row p holds the line from ply p on, from place p up to a -1.
#
# row 0   3  2  3 -1      the root's move, and the content of row 1 when the move was found
# row 1      2  4 -1      the line of the last reply searched
# row 2         4 -1


@jit(inline=True)
def cut_off(pv: int, width: int, p: int) -> None:
    """Empty the line of ply `p`."""
    save(pv, p * width + p, -1)


@jit(inline=True)
def extend(pv: int, width: int, p: int, column: int) -> None:
    """Set the line of ply `p` to this column followed by the line of ply `p` + 1. For parameters see the module."""
    place = p * width + p
    save(pv, place, column)
    while column >= 0:
        place += 1
        column = load(pv, place + width)
        save(pv, place, column)


OWN, OPP, ALPHA, BETA, HASH_MOVE, COMPLETERS, BEST, RANK, TRY, MOVES = range(10)


@jit(inline=True)
def write_node(stack: int, frame: int, own: int, opp: int, alpha: int, beta: int, hash_move: int) -> None:
    """Write a node's discs `own` and `opp`, its window `alpha` to `beta`, and its `hash_move` or -1; see the module."""
    save(stack, frame + OWN, own)
    save(stack, frame + OPP, opp)
    save(stack, frame + ALPHA, alpha)
    save(stack, frame + BETA, beta)
    save(stack, frame + HASH_MOVE, hash_move)


@jit(inline=True)
def discs(stack: int, frame: int) -> tuple[int, int]:
    """Return a node's discs: those of the side to move and those of the other."""
    return load(stack, frame + OWN), load(stack, frame + OPP)


@jit(inline=True)
def window(stack: int, frame: int) -> tuple[int, int]:
    """Return the window of a node."""
    return load(stack, frame + ALPHA), load(stack, frame + BETA)


@jit(inline=True)
def begin(stack: int, frame: int, completers: int, shape: Shape) -> None:
    """Set up a node before its first move.

    The search computes `completers` from its own constants: from those in `shape` LLVM makes slow loops of vectors.
    """
    save(stack, frame + COMPLETERS, completers)
    save(stack, frame + BEST, -INFINITY)
    save(stack, frame + RANK, shape.columns)
    save(stack, frame + TRY, -1 if load(stack, frame + HASH_MOVE) < 0 else -2)


@jit(inline=True)
def update_best(stack: int, frame: int, row: int, pv: int, width: int, p: int, value: int) -> None:
    """Make the last move tried the best one if its value is the best so far, and write its line into row `p` of `pv`.

    At the root a move also replaces an equal one that is later in the order: a hash move, which was tried out of turn.
    value: for the node's mover. For the other parameters see the module.
    """
    place = load(stack, frame + TRY)
    if place < 0:
        place = 0
        while load(stack, row + place) != load(stack, frame + HASH_MOVE):
            place += 1
    best = load(stack, frame + BEST)
    if value > best or (value == best and p == 0 and place < load(stack, frame + RANK)):
        save(stack, frame + BEST, value)
        save(stack, frame + RANK, place)
        if value > load(stack, frame + ALPHA):
            extend(pv, width, p, load(stack, row + place))


@jit(inline=True)
def store_node(frame: int, row: int, p: int, shape: Shape, task: Task) -> None:
    """Store a node's value in the table, unless its children are leaves. For parameters see the module."""
    if p + 1 < task.table_depth:
        stack = task.stack
        own, opp = discs(stack, frame)
        key = position_key(own, own | opp, shape.bottom)
        best, column = load(stack, frame + BEST), load(stack, row + load(stack, frame + RANK))
        alpha, beta = window(stack, frame)
        store(task.table, task.table_words, key, task.depth - p, p, best, alpha, beta, column)
