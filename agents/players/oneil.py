"""`oneil`: the program of O'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

from agents.agent import Analysis, Iteration
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.score import ending
from agents.search.task import ABORTED, BUDGET, NODES
from agents.specs.parameters import Nodes, Order, Seconds

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering

DEFAULT_NODES = 2_000_000
"""Enough to finish with about 20 empty cells."""


class Oneil(Searcher):
    """Alpha-beta to the end of the game, columns sorted by their score while fewer than 22 discs are on the board.

    Every column of the root is searched with an open window, in the order from the centre. The published program
    answers when it has finished, and from an empty board never did; this one answers under its limits with the best of
    the columns that it has finished, or the first in the order where it has finished none. It ignores a limit of depth.

    It tells a draw and a win with the last disc from a loss; the published program does not. Where neither is within
    reach, its move and value are the published ones.
    """

    def __init__(
        self,
        *,
        order: Annotated[
            Order, "how columns are sorted while fewer than 22 discs are played"
        ] = "column-score-published",
        nodes: Annotated[Nodes, "positions to visit at most; 2000000 unless seconds are given"] = None,
        seconds: Annotated[Seconds, "seconds a move at most"] = None,
    ) -> None:
        if nodes is None and seconds is None:
            nodes = DEFAULT_NODES
        super().__init__(heuristic="zero", order=order, nodes=nodes, seconds=seconds)

    def bind(self, rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Any:  # noqa: ANN401, ARG002  a kernel; see Searcher.bind
        """Return its own search."""
        from agents.search import oneil

        rules.refuse_most_fours("oneil")
        return oneil.bind(rules, order.sort_moves)

    def _deepen(self, board: Board, depths: range, began: float) -> Analysis:  # noqa: ARG002  there is one depth
        assert self._ready is not None
        left = board.rules.columns * board.rules.rows - board.ply
        order = [int(column) for column in self._ready.order if column in board.legal_moves()]
        self.control[NODES] = 1
        best: tuple[int, tuple[int, ...]] | None = None
        for column in order:
            found = self._column(board, column)
            if found is None:
                break
            if best is None or found[0] > best[0]:
                best = found
        nodes, seconds = int(self.control[NODES]), time.perf_counter() - began
        if best is None:
            return Analysis(order[0], nodes=nodes, pv=tuple(order[:1]))
        value, pv = best
        score = ending(value, left + 1 - abs(value))
        if found is None:
            return Analysis(pv[0], score, 0, nodes, pv)
        return Analysis(pv[0], score, left, nodes, pv, (Iteration(left, nodes, seconds, score, pv[0]),))

    def _column(self, board: Board, column: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the value of a column, see `agents.search.oneil`, and its line; None where a limit was met."""
        ready = self._ready
        assert ready is not None
        child = board.play(column)
        if child.outcome is None:
            value, status = ready.search(child.own, child.opp, ready.order, self.control, ready.pv)
            line = ready.pv.tolist()
            return None if status == ABORTED else (-int(value), (column, *line[: line.index(-1)]))
        if self.control[NODES] >= self.control[BUDGET]:
            return None
        self.control[NODES] += 1
        left = board.rules.columns * board.rules.rows - board.ply
        return (0 if child.outcome.winner is None else left), (column,)
