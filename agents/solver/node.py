"""The solver's nodes: what a frame of its stack holds, and how a node is expanded.

A *node* is a position in which the side to move cannot win at once and has a move that does not lose at once; all
others are settled where they would be reached. A frame is one node on the way from the root:

    OWN, OPP      the discs
    BEST          the best value so far
    LOWER, UPPER  what is known of the score
    BUCKET        the position's place in the table, or -1 for one that is not kept
    REMAINDER     what tells it from others in its bucket
    START         the nodes searched before
    RANK          the rank of the move that is tried, the highest at first
    RANKS …       for each column the rank of its move, or TRIED; then for each column the other side's safe moves
                  after that move, and then the cells that win for the side that moved

Children are worked out for all columns at once, see `agents.jit.memory`. One after the other takes a third longer: the
processor guesses wrong what each of them asks for.
"""

from __future__ import annotations

from typing import NamedTuple

from agents.bits.bitboard import line_completers, mirrored
from agents.bits.windows import open_windows
from agents.jit.compiler import jit, popcount
from agents.jit.memory import STEP, columns_from, get, lanes_of, load, prefetch, put, save
from agents.jit.simd import either, highest, united
from agents.solver.claimeven import follow_up_bound
from agents.solver.table import MULTIPLIER, bucket_of, find

OWN, OPP, BEST, LOWER, UPPER, BUCKET, REMAINDER, START, RANK = range(9)
RANKS = 16
"""Vectors start on cache lines."""
PARTS = 3
"""Words of a frame for each column."""
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
    lanes: int
    """The columns of a frame: those of the board, rounded up to whole vectors."""


def stack_words(columns: int, rows: int) -> int:
    """Return the length of the stack: a frame for each disc of a game."""
    return (RANKS + PARTS * lanes_of(columns)) * (columns * rows + 1)


@jit(inline=True)
def safe_moves(playable: int, threats: int) -> int:
    """Return the moves after which the opponent, whose winning cells are `threats`, cannot win at once."""
    forced = playable & threats
    return either(forced & (forced - 1), 0, either(forced, forced, playable)) & ~(threats >> 1)


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
    return what the node is worth at least. Without a win at the next turn it is worth at most a win one turn later: if
    `alpha` is not below that, return it. `threats` are the opponent's winning cells.

    The best move makes most winning cells (8 each) that do not lie on one of `threats`, which would be played first;
    two in a column above each other count for more (4), and so does one that the next disc in its column makes playable
    (2). Where the end is near, which the search calls `hasty`, such a one counts for less (1), and a move that forces
    the reply for more (2). Elsewhere the side that must exceed 0 or more, which is out to win, also counts the windows
    that it alone can still fill and that lack two discs (1 each): a third fewer nodes in long questions. The other
    side does better without, but a move counts for more with each column nearer to the centre (1), which decides
    among equals in any case. A history of the cells that were best elsewhere took a fifth more.
    """
    columns, rows, bottom = shape.columns, shape.rows, shape.bottom
    cells = bottom * ((1 << rows) - 1)
    ranks = frame + RANKS
    size = shape.lanes
    later = columns * rows - 3 - ply >> 1
    best = TRIED
    for start in range(0, size, STEP):
        column = columns_from(start)
        move = moves & either(column < columns, ((1 << rows) - 1) << column * (rows + 1), 0)
        discs = own | move
        taken = opp | discs
        put(stack, ranks + start, place_of(opp, taken, ply + 1, shape)[0])
        for each in range(start, min(start + STEP, columns)):
            prefetch(table, load(stack, ranks + each))
        wins = line_completers(discs, rows, shape.connect) & cells & ~taken
        playable = taken + bottom & cells
        replies = safe_moves(playable, wins)
        if united(either(replies, 0, move)):
            return columns * rows - 1 - ply >> 1
        if alpha >= later:
            continue
        bound = follow_up_bound(opp, discs, wins, bottom, shape.wild, rows, shape.connect, alpha == 0)
        least = highest(either(move, -bound, OPEN))
        if least > alpha:
            return least
        centrality = columns - abs(2 * column - columns + 1)
        value = 8 * popcount(wins & ~(threats << 1)) + 4 * popcount(wins & wins >> 1)
        soon = popcount(wins & playable << 1)
        value += soon + (either(replies & (replies - 1), 0, 2) if hasty else soon)
        if alpha >= 0 and not hasty:
            value += open_windows(discs, opp, shape.connect - 2, columns, rows, shape.connect)
        elif not hasty:
            value += centrality >> 1
        rank = either(move, value << 12 | centrality << 6 | columns - 1 - column, TRIED)
        best = max(best, highest(rank))
        put(stack, ranks + start, rank)
        put(stack, ranks + size + start, replies)
        put(stack, ranks + 2 * size + start, wins)
    if alpha >= later:
        return later
    save(stack, frame + RANK, best)
    return OPEN


@jit(inline=True)
def cell_of(own: int, opp: int, column: int, shape: Shape) -> int:
    """Return the cell that a disc in a column falls into."""
    return (own | opp) + shape.bottom & ((1 << shape.rows) - 1) << column * (shape.rows + 1)


@jit(inline=True)
def next_rank(stack: int, frame: int, shape: Shape) -> int:
    """Put the move just tried out of a frame, and return the highest rank of those left, or TRIED."""
    tried = load(stack, frame + RANK)
    best = TRIED
    for start in range(0, shape.lanes, STEP):
        ranks = get(stack, frame + RANKS + start)
        ranks = either(ranks == tried, TRIED, ranks)
        put(stack, frame + RANKS + start, ranks)
        best = max(best, highest(ranks))
    return best


@jit(inline=True)
def known_move(table: int, stack: int, frame: int, own: int, opp: int, ply: int, alpha: int, shape: Shape) -> int:
    """Return what the table already says of a node by one of its children, if that is more than `alpha`, or OPEN."""
    ranks = frame + RANKS
    for column in range(shape.columns):
        if load(stack, ranks + column) == TRIED:
            continue
        replies = load(stack, ranks + shape.lanes + column)
        if replies & (replies - 1):
            taken = own | opp | cell_of(own, opp, column, shape)
            bucket, remainder = place_of(opp, taken, ply + 1, shape)
            entry = find(table, bucket, remainder)
            if entry and 32 - (entry & 63) > alpha:
                return 32 - (entry & 63)
    return OPEN


# How the solver is limited and stopped while it runs: words that it shares with whoever started it.

LIMIT, NODES, NEAR_START, PLACE, CREW, SHARED = range(6)
"""The number of nodes at which to stop; nodes searched so far; where a thread's near table starts; its number in the
crew, and the crew's size; the ply from which on nothing is shared, 0 for a thread alone."""
CONTROL_WORDS = 6
