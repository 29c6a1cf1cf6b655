"""A heuristic on all children of a node at once.

Valued one at a time, leaves are where a search spends its time. In one loop over the columns LLVM gives each child a
lane of a vector register, and the seven cost little more than one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agents.bits.bitboard import has_line, landing_cells
from agents.jit.compiler import CACHE_DIRECTORY, LEAVES_SIGNATURE, SCORES_SIGNATURE, copy_with, jit, specialise
from agents.jit.words import load, save
from agents.score import WIN
from agents.search.control import STOP
from agents.search.counting import COUNTING, count_leaves
from agents.search.frame import BEST, discs, window
from agents.search.pv import cut_off, extend
from agents.search.task import BATCH, INFINITY, NORMAL_WIN, STOPPED, Shape, Task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agents.board import Rules
    from agents.jit.compiler import Evaluate, Score

LANES = 8
FULL = -(1 << 40)
ROWS, CONNECT, BOTTOM, CELLS = 6, 4, 0, 0
COLUMN_CELLS = np.zeros(LANES, np.int64)
"""The cells of the column in each lane, 0 beyond the last: a table in place of shifts by a vector."""


def evaluate(own: int, opp: int) -> int:
    """Stand in the place that a compiled heuristic takes."""
    raise NotImplementedError


def leaves(own: int, opp: int, win: int, first: int, last: int, values: int) -> None:
    """Set `values[column]` to the value, for the mover, of the child by each column from `first` up to `last`.

    A child that ends the game is worth `win` or, on a full board, 0; with `win` 0 the heuristic values it like any
    other. A full column gets FULL. There may be more lanes than columns.
    """
    mask = own | opp
    playable = landing_cells(mask, BOTTOM) & CELLS
    for column in range(first, last):
        lane = np.uint64(column)  # what cannot be negative is loaded and stored as one vector
        disc = playable & COLUMN_CELLS[lane]
        value = -evaluate(opp, own | disc)
        if win != 0:
            value = 0 if mask | disc == CELLS else value
            value = win if has_line(own | disc, ROWS, CONNECT) else value
        save(values, column, FULL if disc == 0 else value)


@jit(inline=True)
def value_leaves(
    leaves: Callable[..., None], frame: int, row: int, p: int, nodes: int, shape: Shape, task: Task
) -> tuple[int, int]:
    """Return the value of a node at the last ply and the nodes visited so far, or STOPPED; see `agents.search.negamax`.

    The node's frame gets its value, and row `p` of the principal variation its best move.
    """
    stack = task.stack
    own, opp = discs(stack, frame)
    alpha, beta = window(stack, frame)
    win = WIN - task.depth if task.flags & NORMAL_WIN else 0
    if load(task.control, STOP) != 0:
        return STOPPED, nodes
    if task.flags & BATCH:
        leaves(own, opp, win, 0, shape.lanes, stack)
    before, best, best_column = nodes, -INFINITY, -1
    for place in range(shape.columns):
        column = load(stack, row + place)
        if not task.flags & BATCH:
            leaves(own, opp, win, column, column + 1, stack)
        value = load(stack, column)
        if value == FULL:
            continue
        if nodes >= task.budget:
            return STOPPED, nodes
        nodes += 1
        best_column = column if value > best else best_column
        best = max(best, value)
        if best >= beta:
            break
    if COUNTING:
        count_leaves(task.control, nodes - before, best >= beta)
    save(stack, frame + BEST, best)
    if best > alpha:
        cut_off(task.pv, task.depth + 1, p + 1)
        extend(task.pv, task.depth + 1, p, best_column)
    return best, nodes


def lanes_of(columns: int) -> int:
    """Return the number of columns rounded up to whole vectors."""
    return -(-columns // LANES) * LANES


def score(own: int, opp: int, column: int) -> int:
    """Stand in the place that a compiled ordering takes."""
    raise NotImplementedError


def scores(own: int, opp: int, first: int, last: int, values: int) -> None:
    """Set `values[column]` to the ordering's score of each column from `first` up to `last`, 0 for a full one."""
    playable = landing_cells(own | opp, BOTTOM) & CELLS
    for column in range(first, last):
        disc = playable & COLUMN_CELLS[np.uint64(column)]
        save(values, column, score(own, opp, column) if disc != 0 else 0)


def compile_scores(ordering: Score, name: str, rules: Rules, directory: Path = CACHE_DIRECTORY) -> Callable[..., None]:
    """Return `scores` for a compiled ordering, which must be forced inline, on this board size."""
    constants = _constants(rules)
    return specialise(scores, f"{name}-{rules}", SCORES_SIGNATURE, directory=directory, score=ordering, **constants)


def plain_scores(ordering: Score, rules: Rules) -> Callable[..., None]:
    """Return `scores` as plain Python for an ordering that is not compiled."""
    return copy_with(scores, score=ordering, **_constants(rules))


def compile_leaves(
    heuristic: Evaluate, name: str, rules: Rules, directory: Path = CACHE_DIRECTORY
) -> Callable[..., None]:
    """Return `leaves` for a compiled heuristic, which must be forced inline, on this board size."""
    return specialise(
        leaves, f"{name}-{rules}", LEAVES_SIGNATURE, directory=directory, evaluate=heuristic, **_constants(rules)
    )


def plain_leaves(heuristic: Evaluate, rules: Rules) -> Callable[..., None]:
    """Return `leaves` as plain Python for a heuristic that is not compiled."""
    return copy_with(leaves, evaluate=heuristic, **_constants(rules))


def _constants(rules: Rules) -> dict[str, Any]:
    column_cells = np.zeros(lanes_of(rules.columns), np.int64)
    column_cells[: rules.columns] = [((1 << rules.rows) - 1) << c * (rules.rows + 1) for c in range(rules.columns)]
    return {
        "COLUMN_CELLS": column_cells,
        "ROWS": rules.rows,
        "CONNECT": rules.connect,
        "BOTTOM": rules.bottom,
        "CELLS": rules.cells,
    }
