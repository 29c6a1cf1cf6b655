"""Enhancements of alpha-beta: killer moves, the history heuristic, principal variation search.

None of them changes value or move: the root's moves keep their order, and below the root the order and the windows only
decide which nodes are visited. The principal variation may be another one of the same value.

**Killers.** A killer is a cell whose disc cut off a node of the same ply. The last two are tried first.
**History.** Each cell has a score for each side: the sum of depth² [plies left] over the cut-offs that its disc caused,
less that over the cut-offs before which it was tried in vain. Moves are tried from the highest score down.
**Principal variation search.** After a node's first move a null window only tests whether a move is better; a better
one is searched again.

Measured on 7x6 with powers-of-ten: nodes and time as shares of those without enhancements, summed over the empty
board and the positions 41, 11, 3345, 1726 and 444444. With a table of 16 MB and deepening:

    ordering       depth      killers      history          pvs   killers, pvs
    left-to-right     10    0.70 0.91    0.54 0.74    0.87 1.14    0.60 0.99
                      12    0.42 0.52    0.30 0.37    0.70 0.77    0.34 0.43
                      14    0.16 0.20    0.11 0.16    0.48 0.56    0.13 0.18
    centre            10    0.84 1.15    0.98 1.23    0.93 0.98    0.79 0.95
                      12    0.81 1.00    0.95 1.22    0.86 0.94    0.69 0.96
                      14    0.60 0.74    0.75 0.85    0.73 0.73    0.50 0.56
    column-score      10    0.93 1.05    1.02 1.14    0.88 1.06    0.84 1.18
                      12    0.94 1.03    1.08 1.21    0.81 0.92    0.79 0.96
                      14    0.81 0.96    0.96 1.21    0.72 0.82    0.63 0.78
    open-windows      10    1.10 1.36    1.45 1.68    0.89 0.98    0.99 1.14
                      12    1.24 1.41    1.81 2.03    0.87 0.96    1.07 1.23
                      14    1.34 1.50    2.44 3.07    0.88 0.99    1.15 1.34

Without table and deepening:

    left-to-right     10    0.29 0.38    0.13 0.19    0.87 0.99    0.32 0.46
    centre            10    0.26 0.33    0.33 0.44    0.44 0.48    0.22 0.27
                      12    0.13 0.16    0.17 0.20    0.38 0.39    0.11 0.13
    column-score      10    0.69 0.88    0.77 1.05    0.67 0.73    0.57 0.71
                      12    0.62 0.77    0.76 1.11    0.75 0.85    0.56 0.70
    open-windows      10    1.66 1.81    3.85 4.27    0.99 1.06    1.53 1.67
                      12    1.91 2.21    5.39 6.16    1.05 1.01    1.83 2.04
                      14    2.08 2.22    8.13 8.70    1.12 1.15    2.12 2.25

So killers and history make open-windows 1.4 to 3 times slower at depth 14; and with a table principal variation search
pays with every ordering from depth 12 on, though little with open-windows.

Only one variant of the kernel has them, in which ENHANCEMENTS is true; see `agents.search.negamax`. The scores last
from one depth of a move to the next.

Sources: Akl, Newborn, "The Principal Continuation and the Killer Heuristic", 1977; Schaeffer, "The History Heuristic",
1983; Marsland, Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells
from agents.jit.compiler import jit, popcount
from agents.jit.memory import load, save
from agents.search.counting import count
from agents.search.frame import BEST, BETA, MOVES, RANK, TRY, discs, window, write_node
from agents.search.task import CONTROL_WORDS, COUNTING_WORDS, HISTORY, INFINITY, KILLERS, OPEN, PVS, STOPPED

if TYPE_CHECKING:
    from agents.search.task import Shape, Task

ENHANCEMENTS = False
CELLS = 64
NUMBERS = CONTROL_WORDS + COUNTING_WORDS
"""Place of the history behind the control words: a score for each cell and each side."""
KILLED = NUMBERS + 2 * CELLS
"""Place of the killers: two for each ply, stored as their cell plus 1."""
FIRST, SECOND = 1 << 60, 1 << 59
"""The scores of the last killer and of the one before it, above every history."""


@jit(inline=True)
def numbers(p: int) -> int:
    """Return the place of the history of the side to move at ply `p`."""
    return NUMBERS + (p & 1) * CELLS


@jit(inline=True)
def cell_of(column: int, playable: int, shape: Shape) -> int:
    """Return the number of the cell where a column's next disc lands, -1 for a full column."""
    disc = playable & ((1 << shape.rows) - 1) << column * (shape.rows + 1)
    return popcount(disc - 1) if disc != 0 else -1


@jit(inline=True)
def reorder(frame: int, row: int, p: int, shape: Shape, task: Task) -> int:
    """Sort a node's moves from `row` into its own frame, killers first, then by history; return their place.

    This is an insertion sort, stable; the first words of the stack hold the scores.
    """
    stack, control, moves = task.stack, task.control, frame + MOVES
    own, opp = discs(stack, frame)
    playable = landing_cells(own | opp, shape.bottom) & shape.cells
    last, before = load(control, KILLED + 2 * p), load(control, KILLED + 2 * p + 1)
    for place in range(shape.columns):
        column = load(stack, row + place)
        worth, at = 0, place
        if task.flags & (KILLERS | HISTORY):
            cell = cell_of(column, playable, shape)
            if cell >= 0 and task.flags & HISTORY:
                worth = load(control, numbers(p) + cell)
            if cell >= 0 and task.flags & KILLERS:
                worth = FIRST if cell + 1 == last else SECOND if cell + 1 == before else worth
            while at > 0 and load(stack, at - 1) < worth:
                save(stack, at, load(stack, at - 1))
                save(stack, moves + at, load(stack, moves + at - 1))
                at -= 1
            save(stack, at, worth)
        save(stack, moves + at, column)
    return moves


@jit(inline=True)
def learn(frame: int, row: int, p: int, cut: int, playable: int, shape: Shape, task: Task) -> None:
    """Credit the column `cut` with a cut-off, and debit the moves that were tried before it."""
    control = task.control
    if task.flags & KILLERS:
        killer = cell_of(cut, playable, shape) + 1
        if load(control, KILLED + 2 * p) != killer:
            save(control, KILLED + 2 * p + 1, load(control, KILLED + 2 * p))
            save(control, KILLED + 2 * p, killer)
    if task.flags & HISTORY:
        credit = (task.depth - p) * (task.depth - p)
        count(control, numbers(p) + cell_of(cut, playable, shape), credit)
        for place in range(load(task.stack, frame + TRY)):
            column = load(task.stack, row + place)
            cell = cell_of(column, playable, shape)
            if cell >= 0 and column != cut:
                count(control, numbers(p) + cell, -credit)


@jit(inline=True)
def scout(frame: int, p: int, low: int, beta: int, task: Task) -> int:
    """Return the upper bound of the window for a node's next move: `low` + 1 for a null window, else `beta`.

    There is no null window above frontier nodes, whose leaves are evaluated all at once.
    """
    if task.flags & PVS and p + 2 < task.depth and load(task.stack, frame + BEST) > -INFINITY:
        return min(beta, low + 1)
    return beta


@jit(inline=True)
def search_again(frame: int, value: int, nodes: int, shape: Shape, task: Task) -> tuple[int, int]:
    """Prepare a child for a second search where its null window has shown that its move is better.

    value: the child's, for the child's mover. Return OPEN or STOPPED, else `value` unchanged, and the nodes so far.
    """
    stack, child = task.stack, frame + MOVES + shape.columns
    alpha, _ = window(stack, child)
    beta = load(stack, frame + BETA)
    if not -alpha <= -value < beta:
        return value, nodes
    if nodes >= task.budget:
        return STOPPED, nodes
    own, opp = discs(stack, child)
    write_node(stack, child, own, opp, -beta, value + 1, load(stack, child + MOVES + load(stack, child + RANK)))
    return OPEN, nodes + 1
