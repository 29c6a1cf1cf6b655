"""The solver's nodes: the memory of a search, and the expansion of a node.

A *node* is a position in which the side to move cannot win at once and has a move that does not lose at once; the
parent settles all other positions. A frame holds one node on the path from the root:

    BUCKET        the position's bucket in the table, or -1 for one that is not stored (only where threads share a ply)
    REMAINDER     identifies the position within its bucket (likewise)
    RANKS …       for each column the rank of its move, or TRIED; then for each column the other side's safe moves
                  after that move, and then the cells that win for the side that moved

All columns are processed at once, see `agents.jit.vectors`; one after the other takes a third longer, because of
mispredicted branches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agents.bits.bitboard import line_completers, mirrored
from agents.bits.windows import open_windows
from agents.jit.compiler import jit
from agents.jit.vectors import STEP, columns_from, get, highest, lanes_of, load, popcount, prefetch, put, union, where
from agents.solver.claimeven import claimeven_bound
from agents.solver.table import MULTIPLIER, aligned_zeros, bucket_of, entry_upper, probe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The memory of a search: words that it shares with the thread that started it, and a frame for each ply.

LIMIT, NODES, NEAR_START, FAR_BITS, NEAR_END, THREAD, THREADS, SHARED = range(8)
"""The number of nodes at which to stop; the nodes searched so far; the start of the thread's near table; the far
table's bits; whether the search has `near_end`, see `expand`; the thread's number; the number of threads; the first ply
that is not shared, 0 for a single thread."""
FRAMES = 8
"""The place of the first frame."""
BUCKET, REMAINDER = 0, 1
RANKS = 8
"""The place of the ranks in a frame; vectors start on cache lines."""
PARTS = 3
"""The words of a frame for each column."""
TRIED = -1
"""The rank of a move that needs no (further) try, below every other rank."""
PENDING, STOPPED = -1000, 1000
"""The values of a node that is not settled yet, below every score, and of an aborted search, above every score."""


class Shape(NamedTuple):
    """The board and the parts of the table; all but `far_bits` and `near_start` are constants of a compiled search."""

    columns: int
    rows: int
    connect: int
    bottom: int
    """The lowest cell of every column."""
    wild: int
    """See `agents.solver.claimeven.wild_rows`."""
    near_bits: int
    far_bits: int
    """The bits of a bucket's number in the near and in the far table."""
    near_start: int
    """The start of the thread's near table."""
    lanes: int
    """The columns of a frame: those of the board, rounded up to whole vectors."""


def empty_memory(columns: int, rows: int) -> NDArray[np.int64]:
    """Return a memory with a frame for each ply of a game. Its frames begin on cache lines, which saves a twentieth."""
    return aligned_zeros(FRAMES + (RANKS + PARTS * lanes_of(columns)) * columns * rows)


@jit(inline=True)
def frame_of(ply: int, shape: Shape) -> int:
    """Return the place of a ply's frame in the memory."""
    return FRAMES + ply * (RANKS + PARTS * shape.lanes)


@jit(inline=True)
def safe_moves(playable: int, threats: int) -> int:
    """Return the moves after which the opponent, with the winning cells `threats`, cannot win at once."""
    forced = playable & threats
    return where(forced & (forced - 1), 0, where(forced, forced, playable)) & ~(threats >> 1)


@jit(inline=True)
def slot(own: int, taken: int, ply: int, shape: Shape) -> tuple[int, int]:
    """Return a position's bucket in the table, and its remainder.

    In the far table a position and its mirror image have the same, which halves the nodes from the empty board. In the
    near table mirroring would take more time than it saves. own, taken, ply: the mover's discs, all, their number.
    """
    bits = shape.columns * (shape.rows + 1)
    is_near = ply > shape.columns * shape.rows >> 1
    key = own + taken
    if not is_near:
        key = min(key, mirrored(key, shape.columns, shape.rows))
    product = key * MULTIPLIER
    return bucket_of(product, bits, shape.near_bits, shape.far_bits, shape.near_start, is_near), product & (
        1 << bits - shape.near_bits
    ) - 1


@jit(inline=True)
def expand(table: int, m: int, own: int, opp: int, moves: int, threats: int, ply: int, alpha: int, shape: Shape) -> int:
    """Write the children of a node into its frame, and return PENDING; or return a bound that settles the node.

    That is a lower bound if a move wins at the next turn, or if claimeven after a move secures more than `alpha`. It
    is an upper bound if no move wins at the next turn and a win one turn later does not exceed `alpha`. For the
    parameters see `agents.solver.search.negamax`; `ply` is the number of discs.

    The rank of a move adds points: 8 for each winning cell that is not right above one of `threats`, 4 for two
    winning cells on top of each other, and 2 for a winning cell that the next disc in its column makes playable. With
    `near_end` the latter gives 1, and a move that forces the reply 2. Otherwise a side that plays for a win (`alpha` of
    0 or more) gets 1 for each window that only it can still fill and that lacks two discs, which saves a third of the
    nodes of long searches; the other side gets 1 for each column nearer to the centre. Among equals the column nearest
    to the centre comes first.
    """
    columns, rows, bottom = shape.columns, shape.rows, shape.bottom
    cells = bottom * ((1 << rows) - 1)
    near_end = load(m, NEAR_END) != 0
    ranks = frame_of(ply, shape) + RANKS
    replies_after, wins_after = ranks + shape.lanes, ranks + 2 * shape.lanes
    later = columns * rows - 3 - ply >> 1
    for start in range(0, shape.lanes, STEP):
        # Play each safe move, and start to fetch the bucket of its child.
        column = columns_from(start)
        move = moves & where(column < columns, ((1 << rows) - 1) << column * (rows + 1), 0)
        discs = own | move
        taken = opp | discs
        put(m, ranks + start, slot(opp, taken, ply + 1, shape)[0])
        for lane in range(start, min(start + STEP, columns)):  # bounds that begin with `ranks` take 3 % more time
            prefetch(table, load(m, ranks + lane))
        # A child without a safe reply is a win at the next turn.
        wins = line_completers(discs, rows, shape.connect) & cells & ~taken
        playable = taken + bottom & cells
        replies = safe_moves(playable, wins)
        if union(where(replies, 0, move)):
            return columns * rows - 1 - ply >> 1
        # If only such a win can exceed alpha, nothing else of the child is needed.
        if alpha >= later:
            continue
        # Claimeven may settle the node.
        bound = claimeven_bound(opp, discs, wins, bottom, shape.wild, rows, shape.connect, alpha == 0)
        least = highest(where(move, -bound, PENDING))
        if least > alpha:
            return least
        # Rank the move; the low bits hold its column, so that no two ranks are equal.
        centrality = columns - abs(2 * column - columns + 1)
        value = 8 * popcount(wins & ~(threats << 1)) + 4 * popcount(wins & wins >> 1)
        soon = popcount(wins & playable << 1)
        value += soon + (where(replies & (replies - 1), 0, 2) if near_end else soon)
        if alpha >= 0 and not near_end:
            value += open_windows(discs, opp, shape.connect - 2, columns, rows, shape.connect)
        elif not near_end:
            value += centrality >> 1
        rank = where(move, value << 12 | centrality << 6 | columns - 1 - column, TRIED)
        put(m, ranks + start, rank)
        put(m, replies_after + start, replies)
        put(m, wins_after + start, wins)
    return later if alpha >= later else PENDING


@jit(inline=True)
def cell_of(own: int, opp: int, column: int, shape: Shape) -> int:
    """Return the cell where a disc in a column lands; own, opp: the discs of both sides."""
    return (own | opp) + shape.bottom & ((1 << shape.rows) - 1) << column * (shape.rows + 1)


@jit(inline=True)
def highest_rank(m: int, ply: int, shape: Shape) -> int:
    """Return the rank of the best move left in the frame of a ply, or TRIED."""
    best = TRIED
    for start in range(0, shape.lanes, STEP):
        best = max(best, highest(get(m, frame_of(ply, shape) + RANKS + start)))
    return best


@jit(inline=True)
def enhanced_cutoff(table: int, m: int, own: int, opp: int, ply: int, alpha: int, shape: Shape) -> int:
    """Return a lower bound above `alpha` that follows from a child's entry in the table, or PENDING.

    Children with a forced reply are not in the table. For the parameters see `expand`.
    """
    ranks = frame_of(ply, shape) + RANKS
    for column in range(shape.columns):
        if load(m, ranks + column) == TRIED:
            continue
        replies = load(m, ranks + shape.lanes + column)
        if replies & (replies - 1):
            taken = own | opp | cell_of(own, opp, column, shape)
            bucket, remainder = slot(opp, taken, ply + 1, shape)
            entry = probe(table, bucket, remainder)
            # The negated upper bound of the child is a lower bound of the node.
            if entry and -entry_upper(entry) > alpha:
                return -entry_upper(entry)
    return PENDING
