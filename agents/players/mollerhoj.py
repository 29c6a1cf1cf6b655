"""`mollerhoj`: the program of Simon Møllerhøj, "Connect 4 AI in Ruby", 2013."""

from __future__ import annotations

from agents.players.searcher import Searcher
from agents.specs.parameters import DEPTH, Kind, Parameter, switch


class Mollerhoj(Searcher):
    """Minimax to depth 3 with powers of ten, columns from left to right.

    A finished game is valued by the heuristic like any other position: a win is worth 1000 more, a sooner one not more
    than a later one. Its text speaks of alpha-beta, its program does without: `pruning` cuts, and changes neither value
    nor move. Values, moves and counts are the published ones everywhere.
    """

    def __init__(self, *, depth: int = 3, pruning: bool = False) -> None:
        super().__init__(depth=depth, heuristic="powers-of-ten", pruning=pruning, normal_win=False)


KIND = Kind(
    Mollerhoj,
    "minimax to depth 3 with powers of ten; a win is just 1000 more",
    {
        "depth": DEPTH.but(default=3, meaning="plies to search"),
        "pruning": Parameter(switch, False, "cut, as its text says; move and value stay the same"),
    },
    source='Møllerhøj, "Connect 4 AI in Ruby", 2013',
)
