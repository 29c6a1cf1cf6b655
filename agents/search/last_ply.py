"""The nodes at the last ply of a search, whose children are all leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells
from agents.jit.compiler import jit, popcount
from agents.jit.words import load, save
from agents.score import WIN
from agents.search.batch import FULL
from agents.search.control import STOP
from agents.search.counting import COUNTING, count_leaves
from agents.search.frame import BEST, MOVES, discs, window
from agents.search.pv import cut_off, extend
from agents.search.task import BATCH, INFINITY, NORMAL_WIN, SORT, STOPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.search.task import Shape, Task


@jit(inline=True)
def value_leaves(  # noqa: C901  a kernel
    leaves: Callable[..., int],
    arrange: Callable[..., None],
    frame: int,
    row: int,
    p: int,
    nodes: int,
    shape: Shape,
    task: Task,
) -> tuple[int, int]:
    """Return the value of a node at the last ply and the nodes visited so far, or STOPPED; see `agents.search.negamax`.

    The node's frame gets its value, and row `p` of the principal variation its best move where that may be needed. The
    order matters only then, and where a value cuts off the moves behind it.
    """
    stack = task.stack
    own, opp = discs(stack, frame)
    alpha, beta = window(stack, frame)
    win = WIN - task.depth if task.flags & NORMAL_WIN else 0
    if load(task.control, STOP) != 0:
        return STOPPED, nodes
    before, best, best_column = nodes, INFINITY, -1
    if task.flags & BATCH:
        best = leaves(own, opp, win, 0, shape.lanes, stack)
    if best <= alpha or (best < beta and p > 0 and -best < load(stack, frame - MOVES - shape.columns + BEST)):
        nodes += popcount(landing_cells(own | opp, shape.bottom) & shape.cells)
    else:
        if task.flags & SORT:
            arrange(own, opp, shape.lanes, stack, row)
        best = -INFINITY
        for place in range(shape.columns):
            column = load(stack, row + place)
            if not task.flags & BATCH:
                leaves(own, opp, win, column, column + 1, stack)
            value = load(stack, column)
            if value == FULL:
                continue
            nodes += 1
            best_column = column if value > best else best_column
            best = max(best, value)
            if best >= beta:
                break
        cut_off(task.pv, task.depth + 1, p + 1)
        extend(task.pv, task.depth + 1, p, best_column)
    if nodes > task.budget:
        return STOPPED, task.budget
    if COUNTING:
        count_leaves(task.control, nodes - before, best >= beta)
    save(stack, frame + BEST, best)
    return best, nodes
