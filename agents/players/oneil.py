"""`oneil`: the program of O'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Iteration
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.score import ending
from agents.search.control import ABORTED
from agents.search.plain import PlainSearch
from agents.specs.parameters import Nodes, Order, Seconds

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering
    from agents.search.kernel import Search

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

    def new_search(self, rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Search:  # noqa: ARG002  it has none
        """Return its own search."""
        from agents.search.published import OneilSearch

        rules.refuse_most_fours("oneil")
        return OneilSearch(rules, order)

    def _deepen(self, search: Search | PlainSearch, board: Board, depths: range, began: float) -> Analysis:  # noqa: ARG002  there is one depth
        assert not isinstance(search, PlainSearch)
        left = board.rules.columns * board.rules.rows - board.ply
        order = [column for column in search.order if column in board.legal_moves()]
        search.visit()
        best: tuple[int, tuple[int, ...]] | None = None
        for column in order:
            result = self._column(search, board, column)
            if result is None:
                break
            if best is None or result[0] > best[0]:
                best = result
        nodes, seconds = search.nodes, time.perf_counter() - began
        if best is None:
            return Analysis(order[0], nodes=nodes, pv=tuple(order[:1]))
        value, pv = best
        score = ending(value, left + 1 - abs(value))
        if result is None:
            return Analysis(pv[0], score, 0, nodes, pv)
        return Analysis(pv[0], score, left, nodes, pv, (Iteration(left, nodes, seconds, score, pv[0]),))

    def _column(self, search: Search, board: Board, column: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the value of a column, see `agents.search.published.oneil`, and its line; None if a limit was met."""
        child = board.play(column)
        left = board.rules.columns * board.rules.rows - board.ply
        if child.outcome is None:
            value, reply = search.run(child.own, child.opp, left - 1)
            return None if reply == ABORTED else (-value, (column, *search.pv))
        if not search.visit():
            return None
        return (0 if child.outcome.winner is None else left), (column,)
