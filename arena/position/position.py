"""A single position: heuristics and orderings side by side, the tree below each move, one agent's decision."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.notation import every
from agents.specs.plugins import format_error
from agents.specs.registry import Spec
from arena.games.entrants import attended
from arena.games.person import Seat
from arena.games.settings import heuristics_of
from arena.table.cells import agent_label, count, listed, place
from arena.table.extra import said
from arena.table.rows import cell, table_row

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from agents.search.compiled import CompiledOrdering


@table_row
class Value:
    """A heuristic's value of a position; None where the heuristic has no meaning on this board."""

    position: str = cell("Its moves from the empty board.", "position", place)
    heuristic: str = cell("Its name.", "heuristic", agent_label)
    mover: int | None = cell("[points of the heuristic] For the side to move.", "mover", default=None)
    first: int | None = cell("[points of the heuristic] For the first player.", "first", default=None)


def values(board: Board, names: Sequence[str] = (), *, compiled: bool = True) -> list[Value]:
    """Return each heuristic's value of a position.

    Without names these are the built-in ones, with None where one has no meaning on this board. Raises InputError for a
    named one that cannot be used. `compiled=False` runs them as plain Python, which some user heuristics need.
    """
    rows = []
    for name in heuristics_of(names) or complete(HEURISTICS):
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
    return _called(f"heuristic {name!r}", board, lambda: evaluate(board.own, board.opp))


def _called(part: str, board: Board, call: Callable[[], int]) -> int:
    """Return the value of a heuristic or ordering. Raises InputError where its code fails."""
    try:
        return int(call())
    except Exception as error:
        raise InputError(f"{part} fails on {board.text or 'the empty board'}: {format_error(error)}") from error


@functools.lru_cache(maxsize=64)
def _heuristic(name: str, rules: Rules, compiled: bool) -> Evaluate:
    """Return the heuristic; compiling takes a second, and many positions may ask for it."""
    from agents.search.compiled import heuristic

    return heuristic(name, rules, compiled=compiled).evaluate


@table_row
class Tried:
    """The order in which an ordering tries the legal moves of a position."""

    position: str = cell("Its moves from the empty board.", "position", place)
    ordering: str = cell("Its name.", "ordering", agent_label)
    columns: tuple[int, ...] = cell("[columns] From 1, the first to be tried first.", "columns", listed)
    scores: tuple[int, ...] | None = cell(
        "[points of the ordering] Of these columns; None for an order that never changes.", "scores", listed
    )


def orders(board: Board, names: Sequence[str] = ()) -> list[Tried]:
    """Return how each ordering tries the legal moves of a position.

    Without names these are the built-in ones. Raises InputError for one that cannot be used.
    """
    rows = []
    for name in every(names) or ORDERINGS:
        order = _ordering(name, board.rules)
        columns = [column for column in order.columns if column in board.legal_moves()]
        scores = None
        if (score := order.score) is not None:
            scored = [
                (_called(f"ordering {name!r}", board, functools.partial(score, board.own, board.opp, column)), column)
                for column in columns
            ]
            scored.sort(key=lambda pair: -pair[0])
            scores = tuple(points for points, _ in scored)
            columns = [column for _, column in scored]
        rows.append(Tried(board.text, name, tuple(column + 1 for column in columns), scores))
    return rows


@functools.lru_cache(maxsize=64)
def _ordering(name: str, rules: Rules) -> CompiledOrdering:
    """Return the compiled ordering; compiling takes a second, and many positions may ask for it."""
    from agents.search.compiled import ordering

    return ordering(name, rules)


@table_row
class Divided:
    """The size of the game tree below one first move; comparing it finds the faults of a move generator."""

    column: int = cell("[column] From 1.", "column")
    sequences: int = cell("[sequences] Of exactly so many moves.", "sequences", count)
    nodes: int = cell("[nodes] Of the tree below the move, with the position after it.", "nodes", count)


def divided(board: Board, depth: int) -> Iterator[Divided]:
    """Yield a row for each first move; `depth`, at least 1, includes that move."""
    from agents.search.perft import divide

    for column, sequences, nodes in divide(board, depth):
        yield Divided(column + 1, sequences, nodes)


@dataclass(frozen=True, slots=True)
class Decision:
    """An agent's move in one position, with its own account of it."""

    agent: str
    """Its spec, or its name in a folder or roster."""
    position: str
    """The moves to the position."""
    move: int
    """[column] From 1."""
    score: int | None
    """[points of the heuristic] For the side to move; a win in n plies is 1000000 - n, a loss n - 1000000."""
    depth: int
    """[plies] The deepest that was completed."""
    nodes: int
    """[nodes] Positions visited, the first included."""
    seconds: float
    """[seconds] By the referee's clock, which times the whole call."""
    pv: tuple[int, ...]
    """[columns] What it expects to be played, from 1; the move is the first."""
    output: str = ""
    """The end of what it printed in a process of its own."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else it tells of the move, such as a language model's reply."""

    @property
    def said(self) -> list[str]:
        """What `extra` holds, in lines."""
        return said(self.extra)


def decision(spec: Spec, board: Board) -> Decision:
    """Return what a new agent plays. Raises InputError where the game is over or the agent fails."""
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    seat = Seat.of(spec)
    with attended([seat.agent]):
        seat.ready(board, seed=0)
        answer, output = seat.decide(board), seat.output()
    line = tuple(column + 1 for column in answer.pv)
    numbers = answer.score, answer.depth, answer.nodes, answer.seconds
    return Decision(spec.text, board.text, answer.column + 1, *numbers, line, output, json.loads(answer.extra or "{}"))
