"""`itu-2012`: the program of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Limits, tighter
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.specs.parameters import Heuristic, Nodes, Range, Seconds

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering
    from agents.search.kernel import Search


class Itu2012(Searcher):
    """Alpha-beta from the left, deeper the fewer cells are empty; ties at the root go by the depth of the leaf.

    It differs from the published program in one thing: that one overlooks fours on diagonals that touch the last
    column, both its own and the other's; here they end the game in the search as they do on the board. A full board is
    valued by the heuristic, as published, and not as 0.
    """

    def __init__(
        self,
        *,
        cutoff: Annotated[
            int | None,
            Range(0, 63),
            "one less than the plies to search; from the number of empty cells if not given",
        ] = None,
        heuristic: Heuristic = "line-runs-published",
        nodes: Nodes = None,
        seconds: Seconds = None,
    ) -> None:
        super().__init__(heuristic=heuristic, nodes=nodes, seconds=seconds)
        self.cutoff = cutoff

    def new_search(self, rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Search:  # noqa: ARG002  from the left
        """Return its own search."""
        from agents.search.published import ItuSearch

        rules.refuse_most_fours("itu-2012")
        return ItuSearch(rules, heuristic)

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the best move at the depth that the cut-off gives, or the deepest up to it that the limits allow."""
        empty = board.rules.columns * board.rules.rows - board.ply
        plies = min(empty, 1 + (cutoff(empty) if self.cutoff is None else self.cutoff))
        return super().choose(board, dataclasses.replace(limits, depth=tighter(plies, limits.depth)))


def cutoff(empty: int) -> int:
    """Return the published cut-off on a board with that many empty cells; one more ply than this is searched."""
    return int(189 // empty + 2.5)
