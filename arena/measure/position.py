"""Heuristics side by side on a position."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from agents.heuristics import HEURISTICS
from agents.plugins import one_line

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate


def values(board: Board, names: Sequence[str] = (), *, compiled: bool = True) -> list[dict[str, object]]:
    """Return each heuristic's value of a position: for the `mover`, and for the `first` player.

    Without names every built-in one is asked, and has None where it has no meaning on this board. Raises InputError for
    a named one that cannot be used. `compiled=False` runs them as plain Python, as some of a user's own need it.
    """
    rows: list[dict[str, object]] = []
    for name in names or HEURISTICS:
        row: dict[str, object] = {"position": board.text, "heuristic": name, "mover": None, "first": None}
        try:
            mover = _value(name, board, compiled)
        except InputError:
            if names:
                raise
        else:
            row |= {"mover": mover, "first": -mover if board.mover else mover}
        rows.append(row)
    return rows


def _value(name: str, board: Board, compiled: bool) -> int:
    evaluate = _prepared(name, board.rules, compiled)
    try:
        return int(evaluate(board.own, board.opp))
    except Exception as error:
        where = board.text or "the empty board"
        raise InputError(f"heuristic {name!r} fails on {where}: {one_line(error)}") from error


@functools.lru_cache(maxsize=64)
def _prepared(name: str, rules: Rules, compiled: bool) -> Evaluate:
    """Return the heuristic; compiling takes a second, and many positions may ask for it."""
    from agents.search.parts import heuristic

    return heuristic(name, rules, compiled=compiled).evaluate
