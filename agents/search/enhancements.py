"""Enhancements of alpha-beta: killer moves, the history heuristic, principal variation search.

They never change value or move: the root's moves keep their order, and below the root order and windows only decide
which nodes are visited. The principal variation may differ from the plain search's, with the same value.

**Killers.** A killer is a cell where a disc caused a cut-off at the same ply. The last two killers are tried first.
**History.** Each cell has a score for each side: the sum of depth² [plies left] over the cut-offs that its disc caused,
less that over the cut-offs before which it was tried in vain. Moves are tried from the highest score down.
**Principal variation search.** After a node's first move a null window only tests whether a move is better; a better
move is searched again.

Measured on 7x6 with powers-of-ten, see `results/notes/enhancements.md`: with the order from the left and a table,
history leaves 0.11 of the nodes and 0.16 of the time at depth 14. But killers and history make open-windows 1.4 to 3
times slower there. With a table, principal variation search pays with every ordering from depth 12 on, though little
with open-windows.

For the functions' parameters see `agents.search.negamax.search_frontier`.

Only the variant of the kernel with ENHANCEMENTS has them; see `agents.search.negamax`. The scores last from one depth
of a move to the next.

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
"""The place of the history behind the control words: a score for each cell and each side."""
KILLED = NUMBERS + 2 * CELLS
"""The place of the killers: two for each ply, stored as cell plus 1."""
FIRST, SECOND = 1 << 60, 1 << 59
"""The scores of the last killer and of the one before it, above every history score."""


@jit(inline=True)
def numbers(p: int) -> int:
    """Return the place of the history for the side to move at ply `p`."""
    return NUMBERS + (p & 1) * CELLS


@jit(inline=True)
def cell_of(column: int, playable: int, shape: Shape) -> int:
    """Return the number of the cell where a column's next disc lands, -1 for a full column."""
    disc = playable & ((1 << shape.rows) - 1) << column * (shape.rows + 1)
    return popcount(disc - 1) if disc != 0 else -1


@jit(inline=True)
def reorder(frame: int, row: int, p: int, shape: Shape, task: Task) -> int:
    """Sort a node's moves from `row` into its frame, killers first, then by history; return their place.

    A stable insertion sort; the first words of the stack hold the scores. For parameters see the module.
    """
    stack, control, moves = task.stack, task.control, frame + MOVES
    own, opp = discs(stack, frame)
    playable = landing_cells(own | opp, shape.bottom) & shape.cells
    last, before = load(control, KILLED + 2 * p), load(control, KILLED + 2 * p + 1)
    # Score each move, and insert it behind those with at least its score.
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
    """Credit the column `cut` with a cut-off, and debit the moves tried before it.

    playable: the cells of the node's moves. For the other parameters see the module.
    """
    control = task.control
    # Shift the last killer to the second place, and store the new one.
    if task.flags & KILLERS:
        killer = cell_of(cut, playable, shape) + 1
        if load(control, KILLED + 2 * p) != killer:
            save(control, KILLED + 2 * p + 1, load(control, KILLED + 2 * p))
            save(control, KILLED + 2 * p, killer)
    # Credit the cell of the cut-off, and debit the cells tried before it.
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

    Frontier nodes get no null window, because their leaves are evaluated all at once. For parameters see the module.
    """
    if task.flags & PVS and p + 2 < task.depth and load(task.stack, frame + BEST) > -INFINITY:
        return min(beta, low + 1)
    return beta


@jit(inline=True)
def search_again(frame: int, value: int, nodes: int, shape: Shape, task: Task) -> tuple[int, int]:
    """Prepare a child for a second search if its null window has shown that its move is better.

    value: the child's value for the child's mover. Return OPEN, STOPPED or `value` unchanged, and the nodes so far.
    For the other parameters see the module.
    """
    stack, child = task.stack, frame + MOVES + shape.columns
    alpha, _ = window(stack, child)
    beta = load(stack, frame + BETA)
    if not -alpha <= -value < beta:
        return value, nodes
    if nodes >= task.budget:
        return STOPPED, nodes
    # Open the window from the value to beta, and begin with the child's best reply.
    own, opp = discs(stack, child)
    write_node(stack, child, own, opp, -beta, value + 1, load(stack, child + MOVES + load(stack, child + RANK)))
    return OPEN, nodes + 1
