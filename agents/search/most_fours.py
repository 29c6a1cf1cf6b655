"""Search under the most-fours rules, where the game goes on until the board is full and most fours win.

All games from a position end at the same ply, with the last empty cell. So either the heuristic evaluates all leaves
of a search, or all leaves are full boards. The kernel is `agents.search.negamax` for a board where no line ends the
game; this module adds leaves that count fours, and chooses between the two.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022; its search values a full board by points for each four of the
difference.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.bits.bitboard import fours
from agents.jit.compiler import CHILDREN_SIGNATURE, address, jit
from agents.jit.vectors import save
from agents.rules import Rules, all_cells
from agents.score import WIN_BOUND, ending
from agents.search.compiled import NO_MOVE
from agents.search.control import EVALUATE, TERMINAL_SCORES
from agents.search.negamax import NegamaxSearch

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering


class MostFoursSearch(NegamaxSearch):
    """The search for these rules."""

    def __init__(
        self,
        rules: Rules,
        heuristic: CompiledHeuristic,
        ordering: CompiledOrdering,
        flags: int,
        megabytes: int = 0,
        points: int = 0,
    ) -> None:
        """Compile it; for the other parameters see `agents.search.negamax.NegamaxSearch`.

        points: with the flag TERMINAL_SCORES a full board is worth so many points for each four of the difference,
        except at exactly the depth of the search, where the heuristic evaluates it. With 0 points it is a win, a loss
        or a draw. Without the flag the heuristic evaluates every full board.
        """
        super().__init__(rules, heuristic, ordering, flags & ~TERMINAL_SCORES, megabytes)
        self.cells, self.points, self.terminal_scores = rules.cells, points, flags & TERMINAL_SCORES != 0
        counted = last_cell(rules.columns, rules.rows, rules.connect, points)
        self.functions.append(counted)
        self.valued, self.counted = int(self.memory[EVALUATE]), address(counted, CHILDREN_SIGNATURE)

    def run(self, own: int, opp: int, depth: int, hash_move: int = -1) -> tuple[int, int]:
        """Return (score for the side to move, column), see `Search.run`."""
        left = (self.cells & ~(own | opp)).bit_count()
        ends = self.terminal_scores and (depth > left if self.points else depth >= left)
        self.memory[EVALUATE] = self.counted if ends else self.valued
        score, column = super().run(own, opp, depth, hash_move)
        return ending(score, left) if abs(score) == WIN_BOUND else score, column


@functools.cache
def last_cell(columns: int, rows: int, connect: int, points: int) -> Callable[..., int]:
    """Return `evaluate_children`, see `agents.search.compiled`, for boards with one empty cell.

    The child is worth `points` for each four of the difference or, with 0 points, WIN_BOUND to the side with more
    fours; no heuristic value is that high. The search converts it, because all games end at the same ply.
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
            save(values, column, NO_MOVE if disc & column_cells << column * (rows + 1) == 0 else value)
        return value

    return evaluate_children
