"""Search under the most-fours rules, where the game goes on until the board is full and most fours win.

All games from a position end at the same ply, with the last empty cell. So either the heuristic evaluates all leaves
of a search, or all leaves are full boards. The kernel is that of `agents.search.negamax` for a board where no line
ends the game; this module adds leaves that count fours, and chooses between the two.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022; its search values a full board by points for each four of the
difference.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from agents.bits.bitboard import fours
from agents.jit import compiler
from agents.jit.compiler import CHILDREN_SIGNATURE, SORT_SIGNATURE, jit
from agents.jit.memory import save
from agents.rules import all_cells
from agents.score import WIN_BOUND, ending
from agents.search import negamax
from agents.search.compiled import FULL
from agents.search.task import NORMAL_WIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.board import Rules
    from agents.search.compiled import CompiledHeuristic


def bind(
    rules: Rules, heuristic: CompiledHeuristic, sort_moves: Callable[..., None], points: int, **constants: bool
) -> Callable[..., tuple[int, int]]:
    """Return a search like negamax's; for the other parameters see `agents.search.negamax.bind`.

    points: with the flag NORMAL_WIN a full board is worth so many points for each four of the difference, except at
    exactly the depth of the search, where the heuristic evaluates it. With 0 points it is a win, a loss or a draw.
    Without the flag the heuristic evaluates every full board.
    """
    kernel = negamax.build(rules.columns, rules.rows, rules.decisive, **constants)
    counted = last_cell(rules.columns, rules.rows, rules.connect, points)
    if not heuristic.compiled:
        counted = getattr(counted, "py_func", counted)
    ordering = sort_moves, SORT_SIGNATURE
    valued = compiler.bind(kernel, (heuristic.evaluate_children, CHILDREN_SIGNATURE), ordering)
    finished = compiler.bind(kernel, (counted, CHILDREN_SIGNATURE), ordering)

    def search(own, opp, depth, flags, *rest):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN002, ANN202  numba has the types
        plies = (rules.cells & ~(own | opp)).bit_count()
        ends = flags & NORMAL_WIN and (depth > plies if points else depth >= plies)
        score, column = (finished if ends else valued)(own, opp, depth, flags & ~NORMAL_WIN, *rest)
        return ending(score, plies) if abs(score) == WIN_BOUND else score, column

    return search


@functools.cache
def last_cell(columns: int, rows: int, connect: int, points: int) -> Callable[..., int]:
    """Return `evaluate_children`, see `agents.search.compiled`, for boards with one empty cell.

    The child is worth `points` for each four of the difference or, with 0 points, WIN_BOUND to the side with more
    fours; no heuristic value is that high. `bind` converts it, because all games end at the same ply.
    columns, rows, connect: the size of the board, and the length of a four.
    """
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1

    @jit(CHILDREN_SIGNATURE)
    def evaluate_children(own: int, opp: int, win: int, first: int, last: int, values: int) -> int:  # noqa: ARG001  all of its kind take the same
        disc = cells & ~(own | opp)
        ahead = fours(own | disc, rows, connect) - fours(opp, rows, connect)
        value = points * ahead
        if points == 0 and ahead != 0:
            value = WIN_BOUND if ahead > 0 else -WIN_BOUND
        for column in range(first, min(last, columns)):
            save(values, column, FULL if disc & column_cells << column * (rows + 1) == 0 else value)
        return value

    return evaluate_children


def bind_search(
    rules: Rules, heuristic: CompiledHeuristic, sort_moves: Callable[..., None], points: int = 0, **constants: bool
) -> Callable[..., tuple[int, int]]:
    """Return the search for these rules, see `agents.search.negamax.bind`; for `points` see `bind`."""
    if rules.most_fours:
        return bind(rules, heuristic, sort_moves, points, **constants)
    return negamax.bind(rules, heuristic.evaluate_children, sort_moves, **constants)
