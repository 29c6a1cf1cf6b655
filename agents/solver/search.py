"""Perfect play: alpha-beta with a null window, on an explicit stack.

Scores are for the side to move, in Pascal Pons' convention ("Solving Connect 4: how to build a perfect AI", 2015): the
discs that the winner has left after the winning move, plus one; negative for a loss; 0 for a draw.
"""

from __future__ import annotations

from agents.bits.bitboard import has_line
from agents.jit.compiler import jit, popcount
from agents.jit.words import load, save
from agents.solver.control import LIMIT, NODES
from agents.solver.node import (
    BEST,
    BUCKET,
    LOWER,
    OPEN,
    OPP,
    OWN,
    PARTS,
    RANK,
    RANKS,
    REMAINDER,
    START,
    TRIED,
    UPPER,
    Shape,
    cell_of,
    expand,
    known_move,
    next_rank,
    place_of,
)
from agents.solver.paths import enter, free_column, hinted, leave, settled, share
from agents.solver.table import find, put

STOPPED = 1000
"""The value of a search that was aborted: above every score."""
ROOM = 7
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
    hasty: bool,
    shape: Shape,
) -> int:
    """Return a node's value where that needs no search; else write its frame and return OPEN.

    `moves` are its safe moves, and `threats` are the opponent's winning cells; `hasty` is for `expand`.
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
        bucket, remainder = place_of(own, own | opp, ply, shape)
        entry = find(table, bucket, remainder)
        if entry:
            upper = min(upper, (entry & 63) - 32)
            lower = max(lower, (entry >> 6 & 63) - 32)
    if alpha >= upper:
        return upper
    if alpha < lower:
        return lower
    value = expand(table, stack, frame, own, opp, moves, threats, ply, alpha, hasty, shape)
    if value == OPEN and min(upper - alpha, alpha - lower) > ROOM:
        value = known_move(table, stack, frame, own, opp, ply, alpha, shape)
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
def answer(table: int, stack: int, frame: int, value: int, alpha: int, nodes: int, shape: Shape) -> int:
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
        put(table, bucket, load(stack, frame + REMAINDER), lower, upper, nodes - load(stack, frame + START))
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
    hasty = (columns * shape.rows - root >> 1) - max(alpha, -1 - alpha) < NEAR_END
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
        value = visit(table, stack, frame, own, opp, moves, threats, ply, alpha, nodes, hasty, shape)
        above = hinted(control, paths)
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
            value = answer(table, stack, frame, -value, alpha, nodes, shape)
        column = free_column(control, paths, stack, frame, ply, shape)
        before, own = load(stack, frame + OWN), load(stack, frame + OPP)
        opp = before | cell_of(before, own, column, shape)
        moves = load(stack, frame + RANKS + shape.lanes + column)
        threats = load(stack, frame + RANKS + 2 * shape.lanes + column)
        ply += 1
        enter(control, paths, own, opp, ply, shape)
        frame += frame_words
        alpha = -1 - alpha
