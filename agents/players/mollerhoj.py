"""`mollerhoj`: the program of Simon Møllerhøj, "Connect 4 AI in Ruby", 2013."""

from __future__ import annotations

from typing import Annotated

from agents.players.searcher import Searcher
from agents.specs.parameters import Range


class Mollerhoj(Searcher):
    """Minimax to depth 3 with powers of ten, columns from left to right.

    A finished game is valued by the heuristic like any other position: a win is worth 1000 more, a sooner one not more
    than a later one. Its text speaks of alpha-beta, its program does without: `pruning` cuts, and changes neither value
    nor move. Values, moves and counts are the published ones everywhere.
    """

    def __init__(
        self,
        *,
        depth: Annotated[int, Range(1, 64), "plies to search"] = 3,
        pruning: Annotated[bool, "cut, as its text says; move and value stay the same"] = False,
    ) -> None:
        super().__init__(depth=depth, heuristic="powers-of-ten", pruning=pruning, terminal_scores=False)
