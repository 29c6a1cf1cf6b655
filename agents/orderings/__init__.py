"""The orderings that there are. Each is a file of its own that exports a factory taking Rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ordering:
    """An ordering's row in the table."""

    where: str
    """`module:function` of the factory that takes Rules. It returns the columns in their order where `static`, else a
    compiled `score(own, opp, column)`, higher first, ties centre first."""
    summary: str
    source: str
    static: bool = False


ORDERINGS: dict[str, Ordering] = {
    "left-to-right": Ordering(
        "agents.orderings.static:left_to_right", "1, 2, 3, …", "the order of writing", static=True
    ),
    "centre": Ordering(
        "agents.orderings.static:centre",
        "from the middle outwards, left before right: 4, 3, 5, 2, 6, 1, 7",
        'Kotp, Mohammed, Farid, "Smart Connect4", 2022, and many others',
        static=True,
    ),
    "column-score": Ordering(
        "agents.orderings.column_score:build",
        "runs of discs around the landing cell, the n-th disc worth n * 10**n, own ones twice",
        'the text of O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
    ),
    "column-score-published": Ordering(
        "agents.orderings.column_score:build_published",
        "the same as published: also runs of empty cells on the diagonals",
        'the program of O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
    ),
    "open-windows": Ordering(
        "agents.orderings.open_windows:build",
        "wins, then blocks, then windows through the landing cell that only one side has discs in",
        "this project: at depth 10 it visits a seventh of the nodes that the order from the centre does",
    ),
}
