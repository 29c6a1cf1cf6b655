"""Two published alpha-betas: that of the ITU program, and the full-depth one of O'Neil and others.

Sources: Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012; O'Neil et al., "Minimax Algorithm for the Connect
Four Game", 2024.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numba import types

from agents.bits.bitboard import has_line, landing_cells
from agents.jit.compiler import EVALUATE_SIGNATURE, SORT_SIGNATURE, function_at, sort_at, specialize, word, word_pair
from agents.jit.vectors import lanes_of, load, part
from agents.rules import Rules, all_cells, bottom_row
from agents.score import WIN
from agents.search.control import ABORTED, EVALUATE, FLAGS, INFINITY, MOVES, SCRATCH, SORT, SORT_MOVES, STOPPED
from agents.search.kernel import Search, clear_pv, update_pv, visit

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering

SORTED_ABOVE = 20
"""O'Neil's nodes with more empty cells than this sort their moves: on 7x6, with fewer than 22 discs on the board."""
COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WIDTH = 7, 6, 4, 0, 0, 8
"""The board of a compiled search, see `build`."""
evaluate_at = function_at(types.FunctionType(EVALUATE_SIGNATURE))


def itu(m: int, own: int, opp: int, p: int, depth: int, alpha: int, beta: int) -> tuple[int, int]:  # noqa: C901  a kernel
    """Return a node's value for its mover, and the ply of the leaf that it comes from; or STOPPED.

    The heuristic always evaluates for the root's mover, so it need not be symmetric, and it evaluates a full board. A
    line is worth WIN at any ply. Every column of the root is searched with an open window. Below the root the first
    best move wins a tie. At the root, ties of values from 0 upwards prefer the shallower leaf, ties of values below 0
    the deeper one, and then the earlier column.

    m: the address of the memory. own, opp: the discs of the mover and of the other. p: the plies from the root.
    depth: the plies to search, at least 1. alpha, beta: the window; a value outside it is a bound.
    """
    if not visit(m, 1):
        return STOPPED, 0
    playable = landing_cells(own | opp, BOTTOM) & CELLS
    best, best_leaf = -INFINITY, 0
    for place in range(COLUMNS):
        column = load(m, MOVES + place)
        disc = playable & ((1 << ROWS) - 1) << column * (ROWS + 1)
        if disc == 0:
            continue
        discs, leaf = own | disc, p + 1
        if has_line(discs, ROWS, CONNECT) or depth == 1 or discs | opp == CELLS:
            if not visit(m, 1):
                return STOPPED, 0
            clear_pv(m, p + 1)
            if has_line(discs, ROWS, CONNECT):
                value = WIN
            elif p % 2 == 0:
                value = evaluate_at(load(m, EVALUATE))(discs, opp)
            else:
                value = -evaluate_at(load(m, EVALUATE))(opp, discs)
        else:
            high = -max(alpha, best) if p > 0 else INFINITY
            value, leaf = itu(m, opp, discs, p + 1, depth - 1, -beta, high)
            if value == STOPPED:
                return STOPPED, 0
            value = -value
        preferred = leaf < best_leaf if value >= 0 else leaf > best_leaf
        if value > best or (p == 0 and value == best and preferred):
            best, best_leaf = value, leaf
            update_pv(m, p, column)
            if value >= beta:
                break
    return best, best_leaf


def oneil(m: int, own: int, opp: int, p: int, left: int, alpha: int, beta: int) -> int:  # noqa: C901  a kernel
    """Return a node's value for its mover, or STOPPED: cells + 1 - n for a win at move n, minus that for a loss.

    A draw is worth 0. The program gives a win one point less (its test for a draw is never true); here a win with the
    last disc must be worth more than a draw. A node is cut if too few cells are left for a win that exceeds alpha.

    m: the address of the memory. own, opp: the discs of the mover and of the other. p: the plies from the root.
    left: the empty cells, at least 1. alpha, beta: the window; a value outside it is a bound.
    """
    if not visit(m, 1):
        return STOPPED
    clear_pv(m, p)
    if left + 1 <= alpha:
        return left + 1
    moves = MOVES
    if left > SORTED_ABOVE and load(m, FLAGS) & SORT:  # the first row holds the fixed order
        moves += (p + 1) * COLUMNS
        sort_at(load(m, SORT_MOVES))(own, opp, WIDTH, part(m, SCRATCH), moves - SCRATCH)
    playable = landing_cells(own | opp, BOTTOM) & CELLS
    best = -INFINITY
    for place in range(COLUMNS):
        column = load(m, moves + place)
        disc = playable & ((1 << ROWS) - 1) << column * (ROWS + 1)
        if disc == 0:
            continue
        discs = own | disc
        if left == 1 or has_line(discs, ROWS, CONNECT):
            if not visit(m, 1):
                return STOPPED
            clear_pv(m, p + 1)
            value = left if has_line(discs, ROWS, CONNECT) else 0
        else:
            value = -oneil(m, opp, discs, p + 1, left - 1, -beta, -max(alpha, best))
            if value == -STOPPED:
                return STOPPED
        if value > best:
            best = value
            update_pv(m, p, column)
            if value >= beta:
                break
    return best


@functools.cache
def build(kernel: Callable[..., Any], columns: int, rows: int, connect: int) -> Callable[..., Any]:
    """Return `itu` or `oneil` compiled for a board of this size."""
    returned = word_pair if kernel is itu else word
    return specialize(
        kernel, f"{columns}x{rows}x{connect}", returned(word, word, word, word, word, word, word), COLUMNS=columns,
        ROWS=rows, CONNECT=connect, BOTTOM=bottom_row(columns, rows), CELLS=all_cells(columns, rows),
        WIDTH=lanes_of(columns),
    )  # fmt: skip


class ItuSearch(Search):
    """The search of the ITU program."""

    def __init__(self, rules: Rules, heuristic: CompiledHeuristic) -> None:
        """Compile it with a heuristic; columns are tried from the left."""
        functions = {EVALUATE: (heuristic.evaluate, EVALUATE_SIGNATURE)}
        super().__init__(build(itu, *rules.size), range(rules.columns), functions)

    def run(self, own: int, opp: int, depth: int, hash_move: int = -1) -> tuple[int, int]:  # noqa: ARG002  it has none
        """Return (score, column), see `Search.run`; a win at a leaf of ply n is worth WIN - n, a loss n - WIN."""
        value, leaf = self.kernel(self.address, own, opp, 0, depth, -INFINITY, INFINITY)
        if value == STOPPED:
            return 0, ABORTED
        distance = leaf if value == WIN else -leaf if value == -WIN else 0
        return int(value - distance), self.pv[0]


class OneilSearch(Search):
    """The search of O'Neil and others; a value is worth what `oneil` says."""

    def __init__(self, rules: Rules, ordering: CompiledOrdering) -> None:
        """Compile it with an ordering."""
        functions = {SORT_MOVES: (ordering.sort_moves, SORT_SIGNATURE)}
        super().__init__(build(oneil, *rules.size), ordering.columns, functions, SORT if ordering.score else 0)
