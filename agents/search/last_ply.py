"""The nodes at the last ply of a search, whose children are all leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells
from agents.jit.compiler import jit, popcount
from agents.jit.lanes import LANES, either, load_lanes
from agents.jit.reductions import counted, highest
from agents.jit.words import load, save
from agents.score import WIN
from agents.search.batch import COLUMN, FULL, NO_KEY
from agents.search.control import STOP
from agents.search.counting import COUNTING, count_leaves
from agents.search.frame import BEST, MOVES, discs, window
from agents.search.pv import cut_off, extend
from agents.search.task import BATCH, INFINITY, NORMAL_WIN, SORT, STOPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.search.task import Shape, Task


@jit(inline=True)
def value_leaves(  # noqa: C901, PLR0912  a kernel
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
    playable = landing_cells(own | opp, shape.bottom) & shape.cells
    if best <= alpha or (best < beta and p > 0 and -best < load(stack, frame - MOVES - shape.columns + BEST)):
        nodes += popcount(playable)
    else:
        if task.flags & SORT:
            arrange(own, opp, shape.lanes, stack, 0 if task.flags & BATCH else row)
        if task.flags & SORT and task.flags & BATCH:
            key = first_that_reaches(min(best, beta), stack, shape.lanes)
            nodes += tried(key, stack, shape.lanes) if best >= beta else popcount(playable)
            best_column = key & COLUMN
            best = load(stack, best_column)
        else:
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


@jit(inline=True)
def first_that_reaches(bar: int, stack: int, lanes: int) -> int:
    """Return the highest key, see `agents.search.batch.arrange`, of a column whose value reaches the bar."""
    key = NO_KEY
    for start in range(0, lanes, LANES):
        reached = load_lanes(stack, start) >= bar
        key = max(key, highest(either(reached, load_lanes(stack, lanes + start), NO_KEY)))
    return key


@jit(inline=True)
def tried(key: int, stack: int, lanes: int) -> int:
    """Return how many columns can be played and have this key or a higher one."""
    found = 0
    for start in range(0, lanes, LANES):
        found += counted((load_lanes(stack, lanes + start) >= key) & (load_lanes(stack, start) > FULL))
    return found
