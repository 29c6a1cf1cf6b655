"""`smart-connect4`: the program of Kotp, Mohammed, Farid, "Smart Connect4", 2022."""

from __future__ import annotations

from typing import Annotated, Literal

from agents.players.searcher import Searcher
from agents.specs.parameters import Range


class SmartConnect4(Searcher):
    """Minimax or alpha-beta from the centre with one of its two heuristics.

    The published program plays on after a four until the board is full, and most fours win. Under these rules values,
    moves and counts are the published ones everywhere: a full board above the depth of the search is worth as many
    points for each four of the difference as the heuristic gives for one. Under the standard rules a four ends the game
    and is worth more than any heuristic; they are the published ones wherever no four is within the depth.
    """

    def __init__(
        self,
        *,
        depth: Annotated[int, Range(1, 64), "plies to search"] = 5,
        heuristic: Annotated[Literal["simple", "aware"], "which of its two heuristics values the leaves"] = "aware",
        pruning: Annotated[bool, "alpha-beta, else plain minimax"] = True,
    ) -> None:
        super().__init__(
            depth=depth, heuristic=f"smart-{heuristic}", order="centre", pruning=pruning, points=POINTS[heuristic]
        )


POINTS = {"simple": 4, "aware": 40}
"""Its heuristics, and what each gives for a four."""
