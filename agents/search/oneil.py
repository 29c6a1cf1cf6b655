"""The full-depth alpha-beta of O'Neil and others, with its extra cuts.

Source: O'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024. A win at move n is worth 43 - n on 7x6 and a
draw 0. The program gives a win one point less (its test for a draw is never true); here a win with the last disc must
be worth more than a draw. A node is cut if too few cells are left for a win that exceeds alpha.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.bits.bitboard import has_line, landing_cells
from agents.jit import compiler
from agents.jit.compiler import SORT_SIGNATURE, jit, popcount, sort_at, word, word_pair, words
from agents.jit.memory import lanes_of, words_of
from agents.rules import all_cells, bottom_row
from agents.search.frame import cut_off, extend
from agents.search.task import ABORTED, BUDGET, INFINITY, NODES, STOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.board import Rules

SORTED_ABOVE = 20
"""Nodes with more empty cells than this sort their moves: on 7x6, with fewer than 22 discs on the board."""
OWN, OPP, ALPHA, BETA, BEST, TRY, MOVES = range(7)
"""The words of a frame: discs, window, best value, the place of the current move in the order, and the moves in order.
The stack begins with room to sort a node's moves."""
SIGNATURE = word_pair(word, word, word, words, words, words)


def bind(rules: Rules, sort_moves: Callable[..., None]) -> Callable[..., tuple[int, int]]:
    """Return `search(own, opp, order, control, pv)` with this ordering.

    own, opp: a position that is not over. control: see `negamax.bind`.
    order: the columns in the order for ties, and for nodes that do not sort.
    pv: at least (empty cells + 1)**2 int64; the search writes the principal variation to its start, ended by -1.

    Returns (value, status): cells + 1 - n for a win of the side to move at move n, minus that for a loss, 0 for a draw;
    the status is ABORTED if the search was stopped or exceeded its budget, else 0.
    """
    return compiler.bind(build(rules.columns, rules.rows, rules.connect), (sort_moves, SORT_SIGNATURE))


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., Any]:  # noqa: C901, PLR0915  a kernel is one loop
    """Return the kernel for this board size: `search` of `bind`, with the ordering's address as first argument."""
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1
    lanes = lanes_of(columns)
    first = 3 * lanes

    @jit(SIGNATURE)
    def search(sort_moves, own, opp, order, control, pv):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, C901, PLR0912, PLR0915  numba has the types
        assert own & opp == 0
        assert own | opp != cells
        assert len(order) == columns
        sort_moves = sort_at(sort_moves)
        empty = popcount(cells & ~(own | opp))
        width = empty + 1
        assert len(pv) >= width * width
        frame = MOVES + columns
        stack = np.empty(first + width * frame, np.int64)
        lines = words_of(pv)
        root = stack[first:]
        root[OWN], root[OPP], root[ALPHA], root[BETA] = own, opp, -INFINITY, INFINITY
        if control[NODES] >= control[BUDGET]:
            return 0, ABORTED
        control[NODES] += 1
        p = 0
        value = 0
        entering = True
        returning = False
        while True:
            base = first + p * frame
            row = base + MOVES
            left = empty - p
            own, opp = stack[base + OWN], stack[base + OPP]
            mask = own | opp
            playable = landing_cells(mask, bottom) & cells
            # Enter a node: set it up, and cut it or sort its moves.
            if entering:
                entering = False
                stack[base + BEST], stack[base + TRY] = -INFINITY, -1
                cut_off(lines, width, p)
                if left + 1 <= stack[base + ALPHA]:
                    stack[base + BEST], stack[base + TRY] = left + 1, columns
                else:
                    for place in range(columns):
                        stack[row + place] = order[place]
                    if left > SORTED_ABOVE:
                        sort_moves(own, opp, lanes, words_of(stack), row)
            # Try the next move, or leave the node if there is none.
            if not returning:
                disc = 0
                while disc == 0 and stack[base + TRY] < columns - 1:
                    stack[base + TRY] += 1
                    disc = playable & column_cells << stack[row + stack[base + TRY]] * (rows + 1)
                if disc == 0:
                    if p == 0:
                        return root[BEST], 0
                    value = -stack[base + BEST]
                    p -= 1
                    returning = True
                    continue
                if control[NODES] >= control[BUDGET] or control[STOP] != 0:
                    return 0, ABORTED
                control[NODES] += 1
                if has_line(own | disc, rows, connect):
                    value = left
                elif mask | disc == cells:
                    value = 0
                else:
                    low, high = max(stack[base + ALPHA], stack[base + BEST]), stack[base + BETA]
                    p += 1
                    base += frame
                    stack[base + OWN], stack[base + OPP] = opp, own | disc
                    stack[base + ALPHA], stack[base + BETA] = -high, -low
                    entering = True
                    continue
                cut_off(lines, width, p + 1)
            # Take the value of a leaf or of a child.
            returning = False
            if value > stack[base + BEST]:
                stack[base + BEST] = value
                extend(lines, width, p, stack[row + stack[base + TRY]])
                if value >= stack[base + BETA]:
                    stack[base + TRY] = columns

    return search
