"""The solver's nodes: what a frame of its stack holds, and how a node is expanded.

A *node* is a position in which the side to move cannot win at once and has a move that does not lose at once; all
others are settled where they would be reached. A frame is one node on the way from the root:

    OWN, OPP      the discs
    BEST          the best value so far
    LOWER, UPPER  what is known of the score
    BUCKET        the position's place in the table, or -1 for one that is not kept
    REMAINDER     what tells it from others in its bucket
    START         the nodes searched before
    LEFT          the number of moves still to try
    RANKS …       for each column, right to left, the rank of its move and the column's slot, or TRIED
    then a slot for each column, likewise, CHILD words each: the discs of the side that moved, the other's safe moves,
    the bound by following up, the cells that win for the side that moved
"""

from __future__ import annotations

from typing import NamedTuple

from agents.bits.bitboard import line_completers, mirrored
from agents.jit.compiler import jit, popcount
from agents.jit.words import load, prefetch, save
from agents.solver.claimeven import follow_up_bound
from agents.solver.table import MULTIPLIER, bucket_of, find

OWN, OPP, BEST, LOWER, UPPER, BUCKET, REMAINDER, START, LEFT, RANKS = range(10)
CHILD = 4
TRIED = -1
"""The rank of a move that was tried or need not be, below every other."""
OPEN = -1000
"""The value of a node that is not settled yet: below every score."""


class Shape(NamedTuple):
    """The board, and the parts of the table: constants of a compiled search, but for the last two."""

    columns: int
    rows: int
    connect: int
    bottom: int
    """The lowest cell of every column."""
    wild: int
    """The cells an odd number of which, counted from themselves, reach the top of their column."""
    near: int
    far: int
    """Bits of a bucket's number, in the two kinds of tables."""
    start: int
    """Where the thread's near table starts."""


def stack_words(columns: int, rows: int) -> int:
    """Return the length of the stack: a frame for each disc of a game."""
    return (RANKS + (1 + CHILD) * columns) * (columns * rows + 1)


@jit(inline=True)
def safe_moves(playable: int, threats: int) -> int:
    """Return the moves after which the opponent, whose winning cells are `threats`, cannot win at once."""
    forced = playable & threats
    if forced:
        if forced & (forced - 1):
            return 0
        playable = forced
    return playable & ~(threats >> 1)


@jit(inline=True)
def place_of(own: int, taken: int, ply: int, shape: Shape) -> tuple[int, int]:
    """Return a position's bucket in the table, and its remainder.

    In the far table it shares them with its mirror image, which from the empty board halves the nodes. In the near one
    that would take longer than the few nodes that it saves.
    """
    bits = shape.columns * (shape.rows + 1)
    is_near = ply > shape.columns * shape.rows >> 1
    key = own + taken
    if not is_near:
        key = min(key, mirrored(key, shape.columns, shape.rows))
    product = key * MULTIPLIER
    return bucket_of(product, bits, shape.near, shape.far, shape.start, is_near), product & (1 << bits - shape.near) - 1


@jit(inline=True)
def expand(
    table: int,
    stack: int,
    frame: int,
    own: int,
    opp: int,
    moves: int,
    threats: int,
    ply: int,
    alpha: int,
    hasty: bool,
    shape: Shape,
) -> int:
    """Write the children of a node into its frame, and return OPEN.

    A move that wins at the next turn, or after which following up secures more than `alpha`, needs no search: then
    return what the node is worth at least. `threats` are the opponent's winning cells.

    The best move makes most winning cells (8 each) that do not lie on one of `threats`, which would be played first;
    two in a column above each other count for more (4), and so does one that the next disc in its column makes playable
    (2). Where the end is near, which the search calls `hasty`, such a one counts for less (1), and a move that forces
    the reply for more (2). Among equals the best move is the most central. Of the nodes on positions of medium
    difficulty that takes a seventh less than to count cells and pairs alone; a history of the cells that were best
    elsewhere took a fifth more.
    """
    columns, rows, bottom = shape.columns, shape.rows, shape.bottom
    cells = bottom * ((1 << rows) - 1)
    ranks = frame + RANKS
    save(stack, frame + LEFT, popcount(moves))
    for slot in range(columns):
        save(stack, ranks + slot, TRIED)
    while moves:
        move = moves & -moves
        moves ^= move
        discs = own | move
        taken = opp | discs
        wins = line_completers(discs, rows, shape.connect) & cells & ~taken
        playable = taken + bottom & cells
        replies = safe_moves(playable, wins)
        if replies == 0:
            return columns * rows - 1 - ply >> 1
        if replies & (replies - 1):
            prefetch(table, place_of(opp, taken, ply + 1, shape)[0])
        bound = follow_up_bound(opp, discs, wins, bottom, shape.wild, rows, shape.connect)
        if -bound > alpha:
            return -bound
        slot = columns - 1 - popcount(move - 1) // (rows + 1)
        child = ranks + columns + CHILD * slot
        save(stack, child, discs)
        save(stack, child + 1, replies)
        save(stack, child + 2, bound)
        save(stack, child + 3, wins)
        centrality = columns - abs(2 * slot - columns + 1)
        value = 8 * popcount(wins & ~(threats << 1)) + 4 * popcount(wins & wins >> 1)
        soon = popcount(wins & playable << 1)
        if hasty:
            value += soon + (0 if replies & (replies - 1) else 2)
        else:
            value += 2 * soon
        save(stack, ranks + slot, value << 12 | centrality << 6 | slot)
    return OPEN


@jit(inline=True)
def next_slot(stack: int, frame: int, columns: int) -> int:
    """Take the move of highest rank out of a frame, and return its slot."""
    ranks = frame + RANKS
    best: int = load(stack, ranks)
    for slot in range(1, columns):
        best = max(best, load(stack, ranks + slot))
    save(stack, ranks + (best & 63), TRIED)
    return best & 63


@jit(inline=True)
def known_move(table: int, stack: int, frame: int, opp: int, ply: int, alpha: int, shape: Shape) -> int:
    """Return what the table already says of a node by one of its children, if that is more than `alpha`, or OPEN."""
    ranks = frame + RANKS
    for slot in range(shape.columns):
        if load(stack, ranks + slot) == TRIED:
            continue
        child = ranks + shape.columns + CHILD * slot
        replies = load(stack, child + 1)
        if replies & (replies - 1):
            bucket, remainder = place_of(opp, opp | load(stack, child), ply + 1, shape)
            entry = find(table, bucket, remainder)
            if entry and 32 - (entry & 63) > alpha:
                return 32 - (entry & 63)
    return OPEN
