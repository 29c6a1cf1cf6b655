"""Perfect play: alpha-beta with a null window, on an explicit stack.

Scores are for the side to move, in Pascal Pons' convention ("Solving Connect 4: how to build a perfect AI", 2015): the
discs that the winner has left after the winning move, plus one; negative for a loss; 0 for a draw.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.bits.bitboard import bottom_row, has_line, line_completers, mirrored
from agents.jit.compiler import jit, popcount, word, words
from agents.jit.memory import lanes_of, load, save, words_of
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

# What the threads of a crew tell each other while they solve one position: where each of them is.
#
# A thread notes the position that it searches at each ply, down to the last one that is shared, in a row of its own
# that the others read. After a node's first move it puts off those moves that lead to where another thread is: until it
# has tried the rest, the table will know them. The first move is never put off, for it often makes the others needless.
#
# Who leaves a position tells those who are below it, and they leave it, too, if the table knows enough by now.
# Sources: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996); T. Kerr, "Simplified ABDADA" (2015).

PLIES = 64
"""Words of a thread's row in `paths`, the last of which is for hints."""
LEFT_PLY = PLIES - 1
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
    save(control, SHARED, min(root + SHARED_PLIES, LEFT_PLY) if load(control, THREADS) > 1 else 0)


@jit(inline=True)
def enter(control: int, paths: int, own: int, opp: int, ply: int, shape: Shape) -> None:
    """Let the others know which position this thread searches at a ply, if it is a shared one."""
    if ply < load(control, SHARED):
        save(paths, load(control, THREAD) * PLIES + ply, number_of(own, own | opp, shape))


@jit(inline=True)
def leave(control: int, paths: int, ply: int, last: int) -> None:
    """Let the others know that this thread has left its positions from `ply` to `last`; those below get a hint."""
    place = load(control, THREAD)
    for each in range(ply, min(last + 1, load(control, SHARED))):
        number = load(paths, place * PLIES + each)
        save(paths, place * PLIES + each, NOWHERE)
        for other in range(load(control, THREADS)):
            if other != place and number != NOWHERE and load(paths, other * PLIES + each) == number:
                left = load(paths, other * PLIES + LEFT_PLY)
                if left == 0 or left > each:
                    save(paths, other * PLIES + LEFT_PLY, each)


@jit(inline=True)
def take_left_ply(control: int, paths: int) -> int:
    """Return the ply of a position that another thread has left, and forget it; 0 without a hint."""
    place = load(control, THREAD) * PLIES + LEFT_PLY
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
        entry = probe(table, bucket, load(stack, frame + REMAINDER))
    if entry and entry_upper(entry) <= alpha:
        return entry_upper(entry)
    if entry and entry_lower(entry) > alpha:
        return entry_lower(entry)
    return OPEN


@jit(inline=True)
def is_elsewhere(control: int, paths: int, ply: int, number: int) -> bool:
    """Tell whether another thread searches a position."""
    place = load(control, THREAD)
    found = False
    for other in range(load(control, THREADS)):
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


STOPPED = 1000
"""The value of a search that was aborted: above every score."""
ENHANCED_MARGIN = 7
"""Where both bounds are further than so much from the question, a node's children are all looked up before one is
searched; a nearer question is answered sooner than that takes."""
NEAR_END = 10
"""A question is hasty if it asks for a win, or for a loss, in less than so many moves of one side."""


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
    """Return a node's value where that needs no search; else write its frame and return OPEN.

    `moves` are its safe moves, and `threats` are the opponent's winning cells; `near_end` is for `expand`.
    """
    columns, rows, connect = shape.columns, shape.rows, shape.connect
    cells = shape.bottom * ((1 << rows) - 1)
    left = columns * rows - ply
    if left <= 2:
        return 0
    upper = left - 1 >> 1
    lower = -(left - 2 >> 1)
    may_last = alpha < upper - 1  # else only a win at the next turn is enough, which `expand` sees
    if may_last and alpha >= 0 and not has_line(cells & ~opp, rows, connect):
        upper = min(upper, 0)
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
    """Note the value of a move; return OPEN where another one is to be tried, else the node's value, which is kept."""
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
    paths: int,
    own: int,
    opp: int,
    moves: int,
    threats: int,
    alpha: int,
    shape: Shape,
) -> int:
    """Return a value above `alpha` that the score of `own` reaches, or one up to `alpha` that it does not exceed.

    `own` must have no win at once; `moves`, of which there must be some, are the safe ones, and `threats` the winning
    cells of `opp`. `table`, `stack`, `control` and `paths` are places in memory.
    """
    columns = shape.columns
    frame_words = RANKS + PARTS * shape.lanes
    root = ply = popcount(own | opp)
    near_end = (columns * shape.rows - root >> 1) - max(alpha, -1 - alpha) < NEAR_END
    nodes = load(control, NODES)
    frame = 0
    share(control, root)
    enter(control, paths, own, opp, root, shape)
    while True:
        if nodes >= load(control, LIMIT):
            leave(control, paths, root, ply)
            save(control, NODES, nodes)
            return STOPPED
        nodes += 1
        value = visit(table, stack, frame, own, opp, moves, threats, ply, alpha, nodes, near_end, shape)
        above = take_left_ply(control, paths)
        if root <= above < ply:
            plies = ply - above  # the alpha of an odd number of plies above is -1 - alpha
            known = settled(table, stack, frame - plies * frame_words, alpha ^ -(plies & 1))
            if known != OPEN:
                leave(control, paths, above + 1, ply)
                frame -= plies * frame_words
                ply, alpha, value = above, alpha ^ -(plies & 1), known
        while value != OPEN:
            leave(control, paths, ply, ply)
            if ply == root:
                save(control, NODES, nodes)
                return value
            ply -= 1
            frame -= frame_words
            alpha = -1 - alpha
            value = backup(table, stack, frame, -value, alpha, nodes, shape)
        column = free_column(control, paths, stack, frame, ply, shape)
        before, own = load(stack, frame + OWN), load(stack, frame + OPP)
        opp = before | cell_of(before, own, column, shape)
        moves = load(stack, frame + RANKS + shape.lanes + column)
        threats = load(stack, frame + RANKS + 2 * shape.lanes + column)
        ply += 1
        enter(control, paths, own, opp, ply, shape)
        frame += frame_words
        alpha = -1 - alpha


# From null-window searches to a score: questions until one answer is left.

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.int64]

SOON = (7, 1), (10, 6)
"""Moves of the winner within which a game may end soon, the last one included, and how far from a draw the score must
be that this asks for. Without the second pair positions of up to 13 plies that end in 16 to 19 more take eight times
the nodes."""
Solve = Callable[["Words", "Words", "Words", "Words", int, int, int, int, int], int]


@jit(inline=True)
def next_question(lowest: int, highest: int, left: int) -> int:
    """Return the next question: is the score above this? `left` cells are empty.

    Does the game end soon? If so, a deep search is spared; if not, to ask cost little. Else who wins, and from there on
    step by step, for questions near a draw are cheap.
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

    It takes the table, the stack, the control words and the crew's paths, the far table's bits, the discs of the side
    to move and of the other, and the lowest and the highest score of interest. The game must not be over. A score
    outside of these limits comes back as some value beyond the limit, on the same side of it or on it.
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
        paths: Words,
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
            question = next_question(lowest, highest, size - ply)
            value = search(
                words_of(table),
                words_of(stack),
                words_of(control),
                words_of(paths),
                own,
                opp,
                moves,
                threats,
                question,
                shape,
            )
            if value == STOPPED:
                return STOPPED
            if value > question:
                lowest = value
            else:
                highest = value
                lowest = min(lowest, highest)
        return lowest

    return solve
