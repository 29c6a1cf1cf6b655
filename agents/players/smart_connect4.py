"""`smart-connect4`: the program of Kotp, Mohammed, Farid, "Smart Connect4", 2022."""

from __future__ import annotations

from agents.players.kind import DEPTH, Kind, Parameter, one_of, switch
from agents.players.searcher import Searcher


class SmartConnect4(Searcher):
    """Minimax or alpha-beta from the centre with one of its two heuristics.

    The published program plays on after a four until the board is full, and the most fours win; here a four ends the
    game and is worth more than any heuristic. Values, moves and counts are the published ones wherever no four is
    within the depth that is searched.
    """

    def __init__(self, *, depth: int = 5, heuristic: str = "aware", pruning: bool = True) -> None:
        super().__init__(depth=depth, heuristic=f"smart-{heuristic}", order="centre", pruning=pruning)


HEURISTICS = ("simple", "aware")

KIND = Kind(
    SmartConnect4,
    "alpha-beta or minimax from the centre with smart-simple or smart-aware",
    {
        "depth": DEPTH.but(default=5, meaning="plies to search"),
        "heuristic": Parameter(
            one_of(*HEURISTICS), "aware", "which of its two heuristics values the leaves", HEURISTICS
        ),
        "pruning": Parameter(switch, True, "alpha-beta, else plain minimax"),
    },
    source='Kotp, Mohammed, Farid, "Smart Connect4", 2022',
)
