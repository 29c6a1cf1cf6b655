"""Heuristics and move orderings side by side on a position."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.plugins import one_line

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from agents.search.parts import Order


def values(board: Board, names: Sequence[str] = (), *, compiled: bool = True) -> list[dict[str, object]]:
    """Return each heuristic's value of a position: for the `mover`, and for the `first` player.

    Without names every built-in one is asked, and has None where it has no meaning on this board. Raises InputError for
    a named one that cannot be used. `compiled=False` runs them as plain Python, as some of a user's own need it.
    """
    rows: list[dict[str, object]] = []
    for name in names or complete(HEURISTICS):
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
    evaluate = _heuristic(name, board.rules, compiled)
    try:
        return int(evaluate(board.own, board.opp))
    except Exception as error:
        where = board.text or "the empty board"
        raise InputError(f"heuristic {name!r} fails on {where}: {one_line(error)}") from error


@functools.lru_cache(maxsize=64)
def _heuristic(name: str, rules: Rules, compiled: bool) -> Evaluate:
    """Return the heuristic; compiling takes a second, and many positions may ask for it."""
    from agents.search.parts import heuristic

    return heuristic(name, rules, compiled=compiled).evaluate


def orders(board: Board, names: Sequence[str] = ()) -> list[dict[str, object]]:
    """Return how each ordering tries the legal moves of a position: `columns`, from 1, and their `scores`.

    The scores stand in the order of the columns; None for an order that never changes. Without names every built-in
    ordering is asked. Raises InputError for one that cannot be used.
    """
    rows: list[dict[str, object]] = []
    for name in names or ORDERINGS:
        order = _ordering(name, board.rules)
        columns = [column for column in order.columns if column in board.legal_moves()]
        scores = None
        if order.score is not None:
            scored = [(_score(name, order, board, column), column) for column in columns]
            scored.sort(key=lambda pair: -pair[0])
            scores = [score for score, _ in scored]
            columns = [column for _, column in scored]
        rows.append(
            {"position": board.text, "ordering": name, "columns": [column + 1 for column in columns], "scores": scores}
        )
    return rows


def _score(name: str, order: Order, board: Board, column: int) -> int:
    assert order.score is not None
    try:
        return int(order.score(board.own, board.opp, column))
    except Exception as error:
        where = board.text or "the empty board"
        raise InputError(f"ordering {name!r} fails on {where}: {one_line(error)}") from error


@functools.lru_cache(maxsize=64)
def _ordering(name: str, rules: Rules) -> Order:
    """Return the compiled ordering; compiling takes a second, and many positions may ask for it."""
    from agents.search.parts import ordering

    return ordering(name, rules)
