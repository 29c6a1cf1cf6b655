"""Search where the game goes on after a four until the board is full, and most fours win.

All games from a position end at the same ply, with its last empty cell. So a search either stops before, and every leaf
is the heuristic's, or it sees every game to its end, and no leaf is. The kernel is that of `agents.search.negamax` on a
board where no line ends the game; here are the leaves that count fours, and the choice between the two.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022, whose search values a full board by a number of points for each
four of the difference.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from agents.bits.bitboard import all_cells, fours
from agents.jit import compiler
from agents.jit.compiler import CHILDREN_SIGNATURE, SORT_SIGNATURE, jit
from agents.jit.memory import save
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
    """Return a search that is called, and answers, as `agents.search.negamax.bind` says.

    With the flag NORMAL_WIN a full board is a win, a loss or a draw. With `points` it is worth so many for each four of
    the difference; and where it stands at the depth that is asked for, the heuristic values it as it does every
    position there. Without the flag the heuristic always does.
    """
    kernel = negamax.build(rules.columns, rules.rows, rules.decisive, **constants)
    counted = last_cell(rules.columns, rules.rows, rules.connect, points)
    if not heuristic.compiled:
        counted = getattr(counted, "py_func", counted)
    ordering = sort_moves, SORT_SIGNATURE
    valued = compiler.bind(kernel, (heuristic.evaluate_children, CHILDREN_SIGNATURE), ordering)
    finished = compiler.bind(kernel, (counted, CHILDREN_SIGNATURE), ordering)

    def search(own, opp, depth, flags, *rest):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN002, ANN202
        plies = (rules.cells & ~(own | opp)).bit_count()
        ends = flags & NORMAL_WIN and (depth > plies if points else depth >= plies)
        score, column = (finished if ends else valued)(own, opp, depth, flags & ~NORMAL_WIN, *rest)
        return ending(score, plies) if abs(score) == WIN_BOUND else score, column

    return search


@functools.cache
def last_cell(columns: int, rows: int, connect: int, points: int) -> Callable[..., int]:
    """Return `evaluate_children`, see `agents.search.compiled`, for boards with one empty cell.

    The child there is worth `points` for each four of the difference or, where they are 0, WIN_BOUND to who has more:
    all games are equally far from their end, and no heuristic values a position so high.
    """
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1

    @jit(CHILDREN_SIGNATURE)
    def evaluate_children(own: int, opp: int, win: int, first: int, last: int, values: int) -> int:  # noqa: ARG001
        disc = cells & ~(own | opp)
        ahead = fours(own | disc, rows, connect) - fours(opp, rows, connect)
        value = points * ahead
        if points == 0 and ahead != 0:
            value = WIN_BOUND if ahead > 0 else -WIN_BOUND
        for column in range(first, min(last, columns)):
            save(values, column, FULL if disc & column_cells << column * (rows + 1) == 0 else value)
        return value

    return evaluate_children


# The depth-limited search that fits the rules: where a four ends the game, or where most fours win.


def bind_search(
    rules: Rules, heuristic: CompiledHeuristic, sort_moves: Callable[..., None], points: int = 0, **constants: bool
) -> Callable[..., tuple[int, int]]:
    """Return the search, called as `agents.search.negamax.bind` says; `points`: see `agents.search.most_fours.bind`."""
    if rules.most_fours:
        return bind(rules, heuristic, sort_moves, points, **constants)
    return negamax.bind(rules, heuristic.evaluate_children, sort_moves, **constants)
