"""Heuristics and move orderings side by side on a position."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.notation import every
from agents.plugins import one_line

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from agents.search.parts import Order


@dataclass(frozen=True, slots=True)
class Value:
    """What a heuristic makes of a position; None where it has no meaning on this board."""

    position: str
    """Its moves from the empty board."""
    heuristic: str
    """Its name."""
    mover: int | None = None
    """[points of the heuristic] For the side to move."""
    first: int | None = None
    """[points of the heuristic] For the first player."""


def values(board: Board, names: Sequence[str] = (), *, compiled: bool = True) -> list[Value]:
    """Return each heuristic's value of a position.

    Without names every built-in one is asked, and has None where it has no meaning on this board. Raises InputError for
    a named one that cannot be used. `compiled=False` runs them as plain Python, as some of a user's own need it.
    """
    rows = []
    for name in every(names) or complete(HEURISTICS):
        try:
            mover = _value(name, board, compiled)
        except InputError:
            if names:
                raise
            rows.append(Value(board.text, name))
        else:
            rows.append(Value(board.text, name, mover, -mover if board.mover else mover))
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


@dataclass(frozen=True, slots=True)
class Tried:
    """In which order an ordering tries the legal moves of a position."""

    position: str
    """Its moves from the empty board."""
    ordering: str
    """Its name."""
    columns: tuple[int, ...]
    """[columns] From 1, the first to be tried first."""
    scores: tuple[int, ...] | None
    """[points of the ordering] Of these columns; None for an order that never changes."""


def orders(board: Board, names: Sequence[str] = ()) -> list[Tried]:
    """Return how each ordering tries the legal moves of a position.

    Without names every built-in ordering is asked. Raises InputError for one that cannot be used.
    """
    rows = []
    for name in every(names) or ORDERINGS:
        order = _ordering(name, board.rules)
        columns = [column for column in order.columns if column in board.legal_moves()]
        scores = None
        if order.score is not None:
            scored = [(_score(name, order, board, column), column) for column in columns]
            scored.sort(key=lambda pair: -pair[0])
            scores = tuple(score for score, _ in scored)
            columns = [column for _, column in scored]
        rows.append(Tried(board.text, name, tuple(column + 1 for column in columns), scores))
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
