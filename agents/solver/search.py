"""Perfect play: alpha-beta with a null window, on an explicit stack.

Scores are for the side to move, in Pascal Pons' convention ("Solving Connect 4: how to build a perfect AI", 2015): the
discs that the winner has left after the winning move, plus one; negative for a loss; 0 for a draw.

The functions take some of these parameters:

    table, stack, control, shared_path   addresses of words: `agents.solver.table`, `node`, and below
    frame          the index of a node's frame in the stack
    own, opp       the discs of the side to move and of the other
    moves, threats the safe moves of the side to move, and the winning cells of the other
    ply            the number of discs on the board
    alpha          the score that the side to move must exceed; beta is one more
    nodes          the nodes searched so far
    shape          the board, see `agents.solver.node.Shape`
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.bits.bitboard import has_line, line_completers, mirrored
from agents.jit.compiler import jit, popcount, word, words
from agents.jit.memory import lanes_of, load, save, words_of
from agents.rules import bottom_row
from agents.solver.claimeven import wild_rows
from agents.solver.node import (
    BEST,
    BUCKET,
    LIMIT,
    LOWER,
    NEAR_START,
    NODES,
    OPEN,
    OPP,
    OWN,
    PARTS,
    RANK,
    RANKS,
    REMAINDER,
    SHARED,
    START,
    THREAD,
    THREADS,
    TRIED,
    UPPER,
    Shape,
    cell_of,
    enhanced_cutoff,
    expand,
    next_rank,
    safe_moves,
    slot,
)
from agents.solver.table import entry_lower, entry_upper, near_bits, probe, store

# The shared path: threads that solve one position together avoid searching the same nodes.
#
# Each thread publishes, in a row of words that all others read, the positions on its path from the root for the first
# few plies. After a node's first move a thread defers the moves that lead to a position on another thread's path: by
# the time it has tried the rest, the table may settle them. The first move is never deferred; it often cuts off.
#
# A thread that leaves a position writes its ply into the rows of the threads below it. These look the position up, and
# leave it, too, if the table settles it.
# Sources: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996); T. Kerr, "Simplified ABDADA" (2015).

PLIES = 64
"""The words of a thread's row in `shared_path`: one for each ply, the last one for LEFT_PLY."""
LEFT_PLY = PLIES - 1
"""The place of the lowest ply at which another thread has left the position, or 0."""
NOWHERE = 0
SHARED_PLIES = 8
"""The plies below the root that threads share; values from 8 to 20 hardly differ."""


@jit(inline=True)
def number_of(own: int, taken: int, shape: Shape) -> int:
    """Return a non-negative number for a position and its mirror image; other positions rarely have the same one."""
    key = own + taken
    return min(key, mirrored(key, shape.columns, shape.rows)) & (1 << 63) - 1


@jit(inline=True)
def share(control: int, root: int) -> None:
    """Set the plies that a search from the ply `root` shares: none for a single thread."""
    save(control, SHARED, min(root + SHARED_PLIES, LEFT_PLY) if load(control, THREADS) > 1 else 0)


@jit(inline=True)
def publish(control: int, shared_path: int, own: int, opp: int, ply: int, shape: Shape) -> None:
    """Publish this thread's position at a ply, if the ply is shared. For parameters see the module."""
    if ply < load(control, SHARED):
        save(shared_path, load(control, THREAD) * PLIES + ply, number_of(own, own | opp, shape))


@jit(inline=True)
def unpublish(control: int, shared_path: int, ply: int, last: int) -> None:
    """Remove this thread's path from `ply` to `last`; set LEFT_PLY of threads below. For parameters see the module."""
    place = load(control, THREAD)
    for each in range(ply, min(last + 1, load(control, SHARED))):
        number = load(shared_path, place * PLIES + each)
        save(shared_path, place * PLIES + each, NOWHERE)
        for other in range(load(control, THREADS)):
            if other != place and number != NOWHERE and load(shared_path, other * PLIES + each) == number:
                left = load(shared_path, other * PLIES + LEFT_PLY)
                if left == 0 or left > each:
                    save(shared_path, other * PLIES + LEFT_PLY, each)


@jit(inline=True)
def take_left_ply(control: int, shared_path: int) -> int:
    """Return the ply of a position that another thread has left, and clear it; 0 for none."""
    place = load(control, THREAD) * PLIES + LEFT_PLY
    ply: int = load(shared_path, place)
    if ply:
        save(shared_path, place, 0)
    return ply


@jit(inline=True)
def settled(table: int, stack: int, frame: int, alpha: int) -> int:
    """Return a bound from the table that settles a frame's node, or OPEN. For parameters see the module."""
    bucket = load(stack, frame + BUCKET)
    entry = 0
    if bucket >= 0:
        entry = probe(table, bucket, load(stack, frame + REMAINDER))
    if entry and entry_upper(entry) <= alpha:
        return entry_upper(entry)
    if entry and entry_lower(entry) > alpha:
        return entry_lower(entry)
    return OPEN


@jit(inline=True)
def is_elsewhere(control: int, shared_path: int, ply: int, number: int) -> bool:
    """Return whether a position is on another thread's path. number: see `number_of`. For parameters see the module."""
    place = load(control, THREAD)
    found = False
    for other in range(load(control, THREADS)):
        found |= other != place and load(shared_path, other * PLIES + ply) == number
    return found


@jit(inline=True)
def free_column(control: int, shared_path: int, stack: int, frame: int, ply: int, shape: Shape) -> int:
    """Choose a frame's best move off all other threads' paths, or else its best move; return the column.

    The frame's RANK becomes that of the move. For parameters see the module.
    """
    ranks = frame + RANKS
    best = TRIED
    if ply + 1 < load(control, SHARED) and load(stack, frame + BEST) != OPEN:
        own, opp = load(stack, frame + OWN), load(stack, frame + OPP)
        for column in range(shape.columns):
            rank = load(stack, ranks + column)
            if rank > best:
                taken = own | opp | cell_of(own, opp, column, shape)
                if not is_elsewhere(control, shared_path, ply + 1, number_of(opp, taken, shape)):
                    best = rank
    if best == TRIED:
        best = load(stack, frame + RANK)
    else:
        save(stack, frame + RANK, best)
    return shape.columns - 1 - (best & 63)


STOPPED = 1000
"""The value of an aborted search, above every score."""
ENHANCED_MARGIN = 7
"""Enhanced transposition cutoffs are tried if both bounds are farther than this from `alpha`: with a nearer bound the
search ends sooner than the look-ups."""
NEAR_END = 10
"""A search has `near_end` if `alpha` asks for a win or a loss in fewer moves of one side than this."""


@jit(inline=True)
def visit(
    table: int,
    stack: int,
    frame: int,
    own: int,
    opp: int,
    moves: int,
    threats: int,
    ply: int,
    alpha: int,
    nodes: int,
    near_end: bool,
    shape: Shape,
) -> int:
    """Return a bound that settles a node without a search; else write its frame and return OPEN.

    near_end: see `agents.solver.node.expand`. For the other parameters see the module.
    """
    columns, rows, connect = shape.columns, shape.rows, shape.connect
    cells = shape.bottom * ((1 << rows) - 1)
    # Neither side can win at once, so the last two cells bring a draw.
    left = columns * rows - ply
    if left <= 2:
        return 0
    upper = left - 1 >> 1
    lower = -(left - 2 >> 1)
    # If the cells that the other side has not taken contain no line, a draw is the most.
    may_last = alpha < upper - 1  # otherwise only a win at the next turn exceeds alpha, and `expand` finds it
    if may_last and alpha >= 0 and not has_line(cells & ~opp, rows, connect):
        upper = min(upper, 0)
    # Positions with a forced move are not stored: searching them is faster than looking them up.
    bucket, remainder = -1, 0
    if may_last and moves & (moves - 1):
        bucket, remainder = slot(own, own | opp, ply, shape)
        entry = probe(table, bucket, remainder)
        if entry:
            upper = min(upper, entry_upper(entry))
            lower = max(lower, entry_lower(entry))
    if alpha >= upper:
        return upper
    if alpha < lower:
        return lower
    value = expand(table, stack, frame, own, opp, moves, threats, ply, alpha, near_end, shape)
    if value == OPEN and min(upper - alpha, alpha - lower) > ENHANCED_MARGIN:
        value = enhanced_cutoff(table, stack, frame, own, opp, ply, alpha, shape)
    if value == OPEN:
        save(stack, frame + OWN, own)
        save(stack, frame + OPP, opp)
        save(stack, frame + BEST, OPEN)
        save(stack, frame + LOWER, lower)
        save(stack, frame + UPPER, upper)
        save(stack, frame + BUCKET, bucket)
        save(stack, frame + REMAINDER, remainder)
        save(stack, frame + START, nodes)
    return value


@jit(inline=True)
def backup(table: int, stack: int, frame: int, value: int, alpha: int, nodes: int, shape: Shape) -> int:
    """Update a node with the value of a move; return OPEN if a move is left, or else store and return the value.

    value: for the node's mover. For the other parameters see the module.
    """
    value = max(value, load(stack, frame + BEST))
    if value <= alpha:
        rank = next_rank(stack, frame, shape)
        if rank != TRIED:
            save(stack, frame + BEST, value)
            save(stack, frame + RANK, rank)
            return OPEN
    bucket = load(stack, frame + BUCKET)
    lower = load(stack, frame + LOWER)
    upper = load(stack, frame + UPPER)
    if value > alpha:
        lower = value
    else:
        upper = value
    if bucket >= 0:
        store(table, bucket, load(stack, frame + REMAINDER), lower, upper, nodes - load(stack, frame + START))
    return value


@jit(inline=True)
def search(
    table: int,
    stack: int,
    control: int,
    shared_path: int,
    own: int,
    opp: int,
    moves: int,
    threats: int,
    alpha: int,
    shape: Shape,
) -> int:
    """Return a lower bound above `alpha` on the score of `own`, an upper bound not above `alpha`, or STOPPED.

    The side to move cannot win at once, and has at least one safe move. For parameters see the module.
    """
    columns = shape.columns
    frame_words = RANKS + PARTS * shape.lanes
    root = ply = popcount(own | opp)
    near_end = (columns * shape.rows - root >> 1) - max(alpha, -1 - alpha) < NEAR_END
    nodes = load(control, NODES)
    frame = 0
    share(control, root)
    publish(control, shared_path, own, opp, root, shape)
    while True:
        if nodes >= load(control, LIMIT):
            unpublish(control, shared_path, root, ply)
            save(control, NODES, nodes)
            return STOPPED
        # Enter the node.
        nodes += 1
        value = visit(table, stack, frame, own, opp, moves, threats, ply, alpha, nodes, near_end, shape)
        # Return to a position that another thread has left, if the table settles it.
        above = take_left_ply(control, shared_path)
        if root <= above < ply:
            plies = ply - above  # the alpha of an odd number of plies above is -1 - alpha
            known = settled(table, stack, frame - plies * frame_words, alpha ^ -(plies & 1))
            if known != OPEN:
                unpublish(control, shared_path, above + 1, ply)
                frame -= plies * frame_words
                ply, alpha, value = above, alpha ^ -(plies & 1), known
        # Back up a settled value to the first ancestor with a move left.
        while value != OPEN:
            unpublish(control, shared_path, ply, ply)
            if ply == root:
                save(control, NODES, nodes)
                return value
            ply -= 1
            frame -= frame_words
            alpha = -1 - alpha
            value = backup(table, stack, frame, -value, alpha, nodes, shape)
        # Go down its next move.
        column = free_column(control, shared_path, stack, frame, ply, shape)
        before, own = load(stack, frame + OWN), load(stack, frame + OPP)
        opp = before | cell_of(before, own, column, shape)
        moves = load(stack, frame + RANKS + shape.lanes + column)
        threats = load(stack, frame + RANKS + 2 * shape.lanes + column)
        ply += 1
        publish(control, shared_path, own, opp, ply, shape)
        frame += frame_words
        alpha = -1 - alpha


# From null-window searches to a score.

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.int64]

SOON = (7, 1), (10, 6)
"""(moves, nearest): ask first whether the winner needs at most `moves` moves, if that means a score of at least
`nearest`. Without the second pair, positions of up to 13 plies that end 16 to 19 plies later take eight times the
nodes."""
Solve = Callable[["Words", "Words", "Words", "Words", int, int, int, int, int], int]


@jit(inline=True)
def next_alpha(lowest: int, highest: int, left: int) -> int:
    """Return the `alpha` of the next null-window search for a score from `lowest` to `highest`; `left` cells are empty.

    Ask first whether the game ends soon, which is cheap and may save a deep search; then which side wins; then go step
    by step away from a draw, where searches are cheapest.
    """
    for moves, nearest in SOON:
        win = (left + 1 >> 1) - moves
        if max(lowest, nearest - 1) < win < highest:
            return win
        loss = moves - 1 - (left >> 1)
        if lowest < loss < min(highest, 1 - nearest):
            return loss
    if lowest < 0 < highest:
        return 0
    return highest - 1 if highest <= 0 else lowest


@functools.cache
def build(columns: int, rows: int, connect: int) -> Solve:
    """Return the function that scores a position on one board.

    table, stack, control, shared_path: see above.
    far: the far table's bits.
    own, opp: the discs of the side to move and of the other, in a game that is not over.
    lowest, highest: the scores of interest; for a score beyond one it returns that limit or a value beyond it.
    """
    size = columns * rows
    bottom = bottom_row(columns, rows)
    cells = bottom * ((1 << rows) - 1)
    wild = wild_rows(columns, rows)
    lanes = lanes_of(columns)
    near = near_bits(columns * (rows + 1))

    @jit(word(words, words, words, words, word, word, word, word, word))
    def solve(
        table: Words,
        stack: Words,
        control: Words,
        shared_path: Words,
        far: int,
        own: int,
        opp: int,
        lowest: int,
        highest: int,
    ) -> int:
        shape = Shape(columns, rows, connect, bottom, wild, near, far, load(words_of(control), NEAR_START), lanes)
        taken = own | opp
        ply = popcount(taken)
        playable = taken + bottom & cells
        if line_completers(own, rows, connect) & playable:
            return size + 1 - ply >> 1
        if playable == 0:
            return 0
        threats = line_completers(opp, rows, connect) & cells & ~taken
        moves = safe_moves(playable, threats)
        if moves == 0:
            return -(size - ply >> 1)
        lowest = max(lowest, -(size - ply >> 1))
        highest = min(highest, size - 1 - ply >> 1)
        while lowest < highest:
            alpha = next_alpha(lowest, highest, size - ply)
            value = search(
                words_of(table),
                words_of(stack),
                words_of(control),
                words_of(shared_path),
                own,
                opp,
                moves,
                threats,
                alpha,
                shape,
            )
            if value == STOPPED:
                return STOPPED
            if value > alpha:
                lowest = value
            else:
                highest = value
                lowest = min(lowest, highest)
        return lowest

    return solve
