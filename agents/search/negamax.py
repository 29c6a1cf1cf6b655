"""Depth-limited negamax on an explicit stack: plain minimax, alpha-beta, and alpha-beta with a transposition table.

One kernel per board size serves every heuristic and every ordering, which it takes as compiled functions. A child
that ends the game or stands at the last ply is valued inside its parent's loop and never becomes a frame: that, and
the absence of calls, makes the explicit stack a quarter faster than recursion. The kernel is one long function, since
handing arrays to a helper, inlined or not, was measured to cost a fifth of its speed.

The search is fail-soft. The first best move in the order wins a tie, and neither pruning, nor the table, nor a hint
changes value or move: table entries count only at exactly the depth asked for and never replace a value inside the
window, and a hint that is searched out of turn gives way to an equal move that stands before it.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.bits.bitboard import all_cells, bottom_row, landing_cells, line_completers, position_key
from agents.jit.compiler import (
    JIT,
    LEAVES_SIGNATURE,
    SCORE_SIGNATURE,
    address,
    copy_with,
    itself,
    jit,
    leaves_at,
    score_at,
    word,
    word_pair,
    words,
)
from agents.score import WIN
from agents.search.batch import FULL
from agents.search.batch import lanes as lanes_of
from agents.search.control import ABORTED, BUDGET, NODES, STOP
from agents.search.transpositions import fetch, store

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.board import Rules

PRUNE, SORT, NORMAL_WIN, BATCH = 1, 2, 4, 8
"""Flags: cut off, else plain minimax; sort by the score function; value a finished game as WIN - n or 0, else by the
heuristic; value all leaves of a node at once, else one by one."""

OWN, OPP, ALPHA, BETA, HINT, COMPLETERS, BEST, RANK, TRY, MOVES = range(10)
"""The words of a frame: the position, the window it was given, the column to try first or -1, the cells that complete
a line for the mover, the best score, its move's place in the order, the place being searched or -1 for the hint, the
moves."""

INFINITY = 1 << 40

SIGNATURE = word_pair(word, word, word, word, word, word, words, word, words, words, words)


def bind(rules: Rules, leaves: Callable[..., None], score: Callable[..., int]) -> Callable[..., tuple[int, int]]:
    """Return `search(own, opp, depth, flags, order, hint, table, control, pv)` with this heuristic and ordering.

    leaves: see `agents.search.batch`; score: (own, opp, column) -> higher first, asked only with the flag SORT. Where
    `leaves` is plain Python the search is, too. own, opp: a position that is not over. depth: plies, at least 1. order:
    the columns in the order to try them, which also breaks ties. hint: a column to try first, or -1. table: see
    `agents.search.transpositions`, or of length 0 for none. control: see `agents.search.control`; the search adds its
    nodes. pv: at least (depth + 1)**2 int64, modified in place; it begins with the principal variation, ended by -1.

    Returns (score for the side to move, column), the column ABORTED when it was stopped or ran out of its budget.
    """
    search = build(rules.columns, rules.rows, rules.connect)
    if isinstance(leaves, FunctionType) and JIT:
        sorting = arrange.py_func  # type: ignore[attr-defined]  # it calls the score
        plain = copy_with(search.py_func, leaves_at=itself, score_at=itself, arrange=sorting)  # type: ignore[attr-defined]
        return functools.partial(plain, leaves, score)
    bound = functools.partial(search, address(leaves, LEAVES_SIGNATURE), address(score, SCORE_SIGNATURE))
    bound.keep = leaves, score  # type: ignore[attr-defined]  # an address does not keep its function alive
    return bound


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., Any]:  # noqa: C901, PLR0915  a kernel is one loop
    """Return the kernel for this board size: as `bind` says, after the addresses of `leaves` and `score`."""
    height = rows + 1
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1
    lanes = lanes_of(columns)

    @jit(SIGNATURE)
    def search(leaves, score, own, opp, depth, flags, order, hint, table, control, pv):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, C901, PLR0912, PLR0915
        leaves = leaves_at(leaves)
        score = score_at(score)
        prune = flags & PRUNE != 0
        sort = flags & SORT != 0
        normal = flags & NORMAL_WIN != 0
        batch = flags & BATCH != 0
        tabled = len(table) > 0
        budget = control[BUDGET]
        nodes = control[NODES]
        width = depth + 1

        frame = MOVES + columns
        stack = np.empty(width * frame, np.int64)
        keys = np.empty(columns, np.int64)
        values = np.empty(lanes, np.int64)
        for place in range(columns):
            stack[MOVES + place] = order[place]

        p = 0
        base = 0
        stack[OWN] = own
        stack[OPP] = opp
        stack[ALPHA] = -INFINITY
        stack[BETA] = INFINITY
        stack[HINT] = hint
        value = 0
        entering = True
        returning = False
        if nodes >= budget:
            return 0, ABORTED
        nodes += 1
        while True:
            own = stack[base + OWN]
            opp = stack[base + OPP]
            mask = own | opp
            playable = landing_cells(mask, bottom) & cells
            row = base + MOVES if sort else MOVES
            alpha = stack[base + ALPHA]
            beta = stack[base + BETA]
            hint = stack[base + HINT]
            if entering and sort:
                arrange(own, opp, score, order, playable, column_cells, height, stack, row, keys)

            if p + 1 == depth:
                # Every child is a leaf, and none of them becomes a frame.
                if control[STOP] != 0:
                    control[NODES] = nodes
                    return 0, ABORTED
                if batch:
                    leaves(own, opp, WIN - depth if normal else 0, 0, lanes, values)
                best = -INFINITY
                rank = columns
                for place in range(columns):
                    column = stack[row + place]
                    if not batch:
                        leaves(own, opp, WIN - depth if normal else 0, column, column + 1, values)
                    value = values[column]
                    if value == FULL:
                        continue
                    if nodes >= budget:
                        control[NODES] = nodes
                        return 0, ABORTED
                    nodes += 1
                    rank = place if value > best else rank
                    best = max(best, value)
                    if best >= beta:
                        break
                if best > alpha:
                    pv[p * width + p] = stack[row + rank]
                    pv[p * width + depth] = -1
                if p == 0:
                    control[NODES] = nodes
                    return best, stack[row + rank]
                value = -best
                p -= 1
                base -= frame
                returning = True
                entering = False
                continue

            if entering:
                stack[base + COMPLETERS] = line_completers(own, rows, connect)
                stack[base + BEST] = -INFINITY
                stack[base + RANK] = columns
                stack[base + TRY] = -1 if hint < 0 else -2
                entering = False
            completing = stack[base + COMPLETERS]
            best = stack[base + BEST]
            at = stack[base + TRY]
            while returning or (at < columns - 1 and best < beta):
                if not returning:
                    at += 1
                    column = hint if at < 0 else stack[row + at]
                    disc = playable & column_cells << column * height
                    if disc == 0 or (column == hint and at >= 0):
                        continue
                    if nodes >= budget or control[STOP] != 0:
                        control[NODES] = nodes
                        return 0, ABORTED
                    nodes += 1
                    over = disc & completing != 0
                    full = mask | disc == cells
                    if over or full:
                        value = WIN - p - 1 if over else 0
                        if not normal:
                            leaves(own, opp, 0, column, column + 1, values)
                            value = values[column]
                    else:
                        # A hint was searched out of turn: an equal move before it in the order must be seen, and win.
                        slack = 1 if p == 0 and at < stack[RANK] else 0
                        low = max(alpha, best - slack) if prune else -INFINITY
                        settled = False
                        reply = -1
                        if tabled and p + 2 < depth:
                            key = position_key(opp, mask | disc, bottom)
                            settled, value, reply = fetch(table, key, depth - p - 1, p + 1, -beta, -low)
                        if not settled:
                            stack[base + TRY] = at
                            p += 1
                            base += frame
                            stack[base + OWN] = opp
                            stack[base + OPP] = own | disc
                            stack[base + ALPHA] = -beta if prune else -INFINITY
                            stack[base + BETA] = -low
                            stack[base + HINT] = reply
                            entering = True
                            break
                        value = -value
                place = at
                if at < 0:
                    place = 0
                    while stack[row + place] != hint:
                        place += 1
                if value > best or (value == best and p == 0 and place < stack[RANK]):
                    if value > alpha:
                        pv[p * width + p] = stack[row + place]
                        if not returning:
                            pv[(p + 1) * width + p + 1] = -1
                        line = p
                        while pv[p * width + line] >= 0:
                            line += 1
                            pv[p * width + line] = pv[(p + 1) * width + line]
                    best = value
                    stack[base + BEST] = value
                    stack[base + RANK] = place
                returning = False
            if entering:
                continue
            if p == 0:
                control[NODES] = nodes
                return best, stack[row + stack[RANK]]
            if tabled:
                key = position_key(own, mask, bottom)
                store(table, key, depth - p, p, best, alpha, beta, stack[row + stack[base + RANK]])
            value = -best
            p -= 1
            base -= frame
            returning = True

    return search


@jit(inline=True)
def arrange(
    own: int,
    opp: int,
    score: Callable[[int, int, int], int],
    order: NDArray[np.int64],
    playable: int,
    column_cells: int,
    height: int,
    moves: NDArray[np.int64],
    row: int,
    keys: NDArray[np.int64],
) -> None:
    """Write the columns into `moves` from `row` on, highest score first, equal ones as in `order`."""
    for place in range(len(order)):
        column = order[place]
        key = score(own, opp, column) if playable & column_cells << column * height != 0 else 0
        at = place
        while at > 0 and keys[at - 1] < key:
            keys[at] = keys[at - 1]
            moves[row + at] = moves[row + at - 1]
            at -= 1
        keys[at] = key
        moves[row + at] = column
