"""`smart-connect4`: the program of Kotp, Mohammed, Farid, "Smart Connect4", 2022."""

from __future__ import annotations

from agents.players.searcher import Searcher
from agents.specs.parameters import DEPTH, Kind, Parameter, one_of, switch


class SmartConnect4(Searcher):
    """Minimax or alpha-beta from the centre with one of its two heuristics.

    The published program plays on after a four until the board is full, and most fours win. Under these rules values,
    moves and counts are the published ones everywhere: a full board above the depth of the search is worth as many
    points for each four of the difference as the heuristic gives for one. Under the standard rules a four ends the game
    and is worth more than any heuristic; they are the published ones wherever no four is within the depth.
    """

    def __init__(self, *, depth: int = 5, heuristic: str = "aware", pruning: bool = True) -> None:
        super().__init__(
            depth=depth, heuristic=f"smart-{heuristic}", order="centre", pruning=pruning, points=POINTS[heuristic]
        )


POINTS = {"simple": 4, "aware": 40}
"""Its heuristics, and what each gives for a four."""

KIND = Kind(
    SmartConnect4,
    "alpha-beta or minimax from the centre with smart-simple or smart-aware",
    {
        "depth": DEPTH.but(default=5, meaning="plies to search"),
        "heuristic": Parameter(
            one_of(*POINTS), "aware", "which of its two heuristics values the leaves", tuple(POINTS)
        ),
        "pruning": Parameter(switch, True, "alpha-beta, else plain minimax"),
    },
    source='Kotp, Mohammed, Farid, "Smart Connect4", 2022',
)
