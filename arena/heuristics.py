"""Heuristics side by side on a position."""

from __future__ import annotations

from collections.abc import Sequence

from agents.board import Board
from agents.errors import InputError
from agents.heuristics import HEURISTICS


def values(board: Board, names: Sequence[str] = ()) -> list[dict[str, object]]:
    """Return each heuristic's value of a position: for the `mover`, and for the `first` player.

    Without names every built-in one is asked, and has None where it has no meaning on this board. Raises InputError for
    a named one that cannot be used.
    """
    from agents.kernels.prepared import heuristic

    rows: list[dict[str, object]] = []
    for name in names or HEURISTICS:
        row: dict[str, object] = {"position": board.text, "heuristic": name, "mover": None, "first": None}
        try:
            evaluate = heuristic(name, board.rules).evaluate
        except InputError:
            if names:
                raise
        else:
            mover = int(evaluate(board.own, board.opp))
            row |= {"mover": mover, "first": -mover if board.mover else mover}
        rows.append(row)
    return rows
