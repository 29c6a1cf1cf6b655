"""Perfect play: alpha-beta with a null window.

Scores are for the side to move, in Pascal Pons' convention ("Solving Connect 4: how to build a perfect AI", 2015): the
discs that the winner has left after the winning move, plus one; negative for a loss; 0 for a draw.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agents.bits.bitboard import has_line, line_completers
from agents.jit.compiler import jit, specialize, word
from agents.jit.vectors import lanes_of, load, popcount, save
from agents.rules import bottom_row
from agents.solver.abdada import SHARED_PLIES, enter, free_rank, is_path_settled, leave
from agents.solver.claimeven import wild_rows
from agents.solver.node import (
    FAR_BITS,
    LIMIT,
    NEAR_END,
    NEAR_START,
    NODES,
    PENDING,
    RANKS,
    SHARED,
    STOPPED,
    THREADS,
    TRIED,
    Shape,
    cell_of,
    enhanced_cutoff,
    expand,
    frame_of,
    highest_rank,
    safe_moves,
    slot,
)
from agents.solver.table import entry_lower, entry_upper, near_bits, probe, store

ENHANCED_MARGIN = 7
"""Enhanced transposition cutoffs are tried if both bounds are farther than this from `alpha`: with a nearer bound the
search ends sooner than the look-ups."""
MOVES_NEAR_END = 10
"""A search is near the end if `alpha` asks for a win or a loss in fewer moves of one side than this."""
COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WILD, NEAR_BITS, WIDTH = 7, 6, 4, 0, 0, 0, 0, 8
"""The board of a compiled search, see `build`."""


def negamax(table: int, m: int, searching: int, own: int, opp: int, moves: int, threats: int, alpha: int) -> int:  # noqa: C901, PLR0912  a kernel
    """Return a lower bound above `alpha` on the score of `own`, an upper bound not above `alpha`, or STOPPED.

    table, m: the addresses of the table and of the thread's memory, see `agents.solver.table` and `node`.
    searching: the address of what threads tell each other, see `agents.solver.abdada`.
    own, opp: the discs of the side to move, which cannot win at once, and of the other.
    moves, threats: the safe moves of the side to move, at least one, and the winning cells of the other.
    alpha: the score that the side to move must exceed; beta is one more.
    """
    nodes = load(m, NODES)
    if nodes >= load(m, LIMIT):
        return STOPPED
    save(m, NODES, nodes + 1)
    # Neither side can win at once, so the last two cells bring a draw.
    ply = popcount(own | opp)
    left = COLUMNS * ROWS - ply
    if left <= 2:
        return 0
    upper, lower = left - 1 >> 1, -(left - 2 >> 1)
    # If the cells that the other side has not taken contain no line, a draw is the most.
    may_last = alpha < upper - 1  # otherwise only a win at the next turn exceeds alpha, and `expand` finds it
    if may_last and alpha >= 0 and not has_line(CELLS & ~opp, ROWS, CONNECT):
        upper = min(upper, 0)
    # Look the position up. Those with a forced move are not stored: searching them is faster.
    shape = Shape(COLUMNS, ROWS, CONNECT, BOTTOM, WILD, NEAR_BITS, load(m, FAR_BITS), load(m, NEAR_START), WIDTH)
    bucket, remainder = -1, 0
    if may_last and moves & (moves - 1):
        bucket, remainder = slot(own, own | opp, ply, shape)
        entry = probe(table, bucket, remainder)
        if entry:
            upper, lower = min(upper, entry_upper(entry)), max(lower, entry_lower(entry))
    if alpha >= upper:
        return upper
    if alpha < lower:
        return lower
    # Write the children into the frame; they may settle the node.
    value = expand(table, m, own, opp, moves, threats, ply, alpha, shape)
    if value == PENDING and min(upper - alpha, alpha - lower) > ENHANCED_MARGIN:
        value = enhanced_cutoff(table, m, own, opp, ply, alpha, shape)
    if value != PENDING:
        return value
    # Try the moves from the highest rank down, up to one that exceeds alpha.
    ranks, is_shared = frame_of(ply, shape) + RANKS, ply < load(m, SHARED)
    if is_shared:
        enter(m, searching, own, opp, ply, bucket, remainder, shape)
    while value <= alpha:
        rank = highest_rank(m, ply, shape)
        if is_shared and value != PENDING:
            rank = free_rank(m, searching, own, opp, ply, rank, shape)
        if rank == TRIED:
            break
        column = COLUMNS - 1 - (rank & 63)
        save(m, ranks + column, TRIED)
        replies, wins = load(m, ranks + WIDTH + column), load(m, ranks + 2 * WIDTH + column)
        child = own | cell_of(own, opp, column, shape)
        score = negamax(table, m, searching, opp, child, replies, wins, -1 - alpha)
        if is_shared and is_path_settled(table, m, ply, alpha, shape):
            score = STOPPED
        value = STOPPED if score == STOPPED else max(value, -score)
    if is_shared:
        value = leave(table, m, searching, ply, value, alpha, shape)
    if bucket >= 0 and value != STOPPED:
        if value > alpha:
            lower = value
        else:
            upper = value
        store(table, bucket, remainder, lower, upper, load(m, NODES) - nodes - 1)
    return value


# From null-window searches to a score.

SOON = (7, 1), (10, 6)
"""(moves, nearest): ask first whether the winner needs at most `moves` moves, if that means a score of at least
`nearest`. Without the second pair, positions of up to 13 plies that end 16 to 19 plies later take eight times the
nodes."""


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


def solve(table: int, m: int, searching: int, own: int, opp: int, lowest: int, highest: int) -> int:
    """Return the score of `own` in a game that is not over, or STOPPED.

    own, opp: the discs of the side to move and of the other.
    lowest, highest: the scores of interest; for a score beyond one it returns that limit or a value beyond it.
    For the other parameters see `negamax`.
    """
    taken = own | opp
    ply = popcount(taken)
    left = COLUMNS * ROWS - ply
    playable = taken + BOTTOM & CELLS
    if line_completers(own, ROWS, CONNECT) & playable:
        return left + 1 >> 1
    if playable == 0:
        return 0
    threats = line_completers(opp, ROWS, CONNECT) & CELLS & ~taken
    moves = safe_moves(playable, threats)
    if moves == 0:
        return -(left >> 1)
    lowest, highest = max(lowest, -(left >> 1)), min(highest, left - 1 >> 1)
    save(m, SHARED, ply + SHARED_PLIES if load(m, THREADS) > 1 else 0)
    while lowest < highest:
        alpha = next_alpha(lowest, highest, left)
        save(m, NEAR_END, (left >> 1) - max(alpha, -1 - alpha) < MOVES_NEAR_END)
        value = negamax(table, m, searching, own, opp, moves, threats, alpha)
        if value == STOPPED:
            # Else the search went back for another thread's bound that has been replaced since: search again.
            if load(m, NODES) >= load(m, LIMIT):
                return STOPPED
        elif value > alpha:
            lowest = value
        else:
            highest = value
            lowest = min(lowest, highest)
    return lowest


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., int]:
    """Return `solve` compiled for one board."""
    bottom = bottom_row(columns, rows)
    board: dict[str, Any] = {
        "COLUMNS": columns, "ROWS": rows, "CONNECT": connect, "BOTTOM": bottom, "CELLS": bottom * ((1 << rows) - 1),
        "WILD": wild_rows(columns, rows), "NEAR_BITS": near_bits(columns * (rows + 1)), "WIDTH": lanes_of(columns),
    }  # fmt: skip
    name = f"{columns}x{rows}x{connect}"
    kernel = specialize(negamax, name, word(*[word] * 8), **board)
    return specialize(solve, name, word(*[word] * 7), negamax=kernel, **board)
