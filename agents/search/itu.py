"""The alpha-beta of the ITU program: the depth of a leaf accompanies its value and breaks ties at the root.

Source: Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012. The heuristic always evaluates for the root's
mover, so it need not be symmetric. Every column of the root is searched with an open window. Below the root the first
best move wins a tie. At the root, ties of values from 0 upwards prefer the shallower leaf, ties of values below 0 the
deeper one, and then the earlier column.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from agents.bits.bitboard import has_line, landing_cells
from agents.jit import compiler
from agents.jit.compiler import EVALUATE_SIGNATURE, function_at, jit, word, word_pair, words
from agents.jit.memory import words_of
from agents.rules import all_cells, bottom_row
from agents.score import WIN
from agents.search.frame import cut_off, extend
from agents.search.task import ABORTED, BUDGET, INFINITY, NODES, STOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.board import Rules
    from agents.jit.compiler import Evaluate

OWN, OPP, ALPHA, BETA, BEST, LEAF, TRY, FRAME = range(8)
"""The words of a frame: discs, window, best value, the ply of its leaf, and the place of the current move in the order;
then their number. Values are for the frame's mover."""
SIGNATURE = word_pair(word, word, word, word, words, words, words)
evaluate_at = function_at(types.FunctionType(EVALUATE_SIGNATURE))


def bind(rules: Rules, evaluate: Evaluate) -> Callable[..., tuple[int, int]]:
    """Return `search(own, opp, depth, order, control, pv)` with this heuristic; for both see `negamax.bind`.

    A win at a leaf of ply n is worth WIN - n, a loss n - WIN. The heuristic evaluates a full board.
    """
    return compiler.bind(build(rules.columns, rules.rows, rules.connect), (evaluate, EVALUATE_SIGNATURE))


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., Any]:  # noqa: C901, PLR0915  a kernel is one loop
    """Return the kernel for this board size: `search` of `bind`, with the heuristic's address as first argument."""
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1

    @jit(SIGNATURE)
    def search(evaluate, own, opp, depth, order, control, pv):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, C901  numba has the types
        assert own & opp == 0
        assert len(pv) >= (depth + 1) ** 2
        evaluate = evaluate_at(evaluate)
        width = depth + 1
        stack = np.empty(width * FRAME, np.int64)
        lines = words_of(pv)
        enter(stack, 0, own, opp, -INFINITY, INFINITY)
        if control[NODES] >= control[BUDGET]:
            return 0, ABORTED
        p = 0
        value, leaf = 0, 0
        returning = False
        control[NODES] += 1
        while True:
            base = p * FRAME
            own, opp = stack[base + OWN], stack[base + OPP]
            # Try the next move of a node, or leave the node if there is none.
            if not returning:
                playable = landing_cells(own | opp, bottom) & cells
                disc = 0
                while disc == 0 and stack[base + TRY] < columns - 1:
                    stack[base + TRY] += 1
                    disc = playable & column_cells << order[stack[base + TRY]] * (rows + 1)
                if disc == 0:
                    value, leaf = stack[base + BEST], stack[base + LEAF]
                    if p == 0:
                        return worth(value, leaf), pv[0]
                    value = -value
                    p -= 1
                    returning = True
                    continue
                if control[NODES] >= control[BUDGET] or control[STOP] != 0:
                    return 0, ABORTED
                control[NODES] += 1
                own |= disc
                leaf = p + 1
                if has_line(own, rows, connect):
                    value = WIN
                elif leaf == depth or own | opp == cells:
                    value = evaluate(own, opp) if p % 2 == 0 else -evaluate(opp, own)
                else:
                    low, high = max(stack[base + ALPHA], stack[base + BEST]), stack[base + BETA]
                    p += 1
                    enter(stack, p * FRAME, opp, own, -high, -low if p > 1 else INFINITY)
                    continue
                cut_off(lines, width, leaf)
            # Take the value of a leaf or of a child.
            returning = False
            best = stack[base + BEST]
            sooner = leaf < stack[base + LEAF] if value >= 0 else leaf > stack[base + LEAF]
            if value > best or (p == 0 and value == best and sooner):
                stack[base + BEST], stack[base + LEAF] = value, leaf
                extend(lines, width, p, order[stack[base + TRY]])
                if value >= stack[base + BETA]:
                    stack[base + TRY] = columns

    return search


@jit(inline=True)
def enter(stack: NDArray[np.int64], base: int, own: int, opp: int, alpha: int, beta: int) -> None:
    """Set up the frame at `base` of the `stack`: discs `own` and `opp`, the window `alpha` to `beta`, no move tried."""
    stack[base + OWN], stack[base + OPP] = own, opp
    stack[base + ALPHA], stack[base + BETA] = alpha, beta
    stack[base + BEST], stack[base + LEAF], stack[base + TRY] = -INFINITY, 0, -1


@jit(inline=True)
def worth(value: int, leaf: int) -> int:
    """Return the root's score: a win or a loss with its distance, or the value unchanged."""
    if value == WIN:
        return WIN - leaf
    return leaf - WIN if value == -WIN else value
