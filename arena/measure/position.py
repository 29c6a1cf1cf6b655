"""Heuristics and move orderings side by side on a position."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.agent import Agent
from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.notation import every
from agents.specs.parts import HEURISTICS, ORDERINGS, complete
from agents.specs.plugins import one_line
from arena.play.person import Seat

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from agents.search.compiled import Order


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
    from agents.search.compiled import heuristic

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
    from agents.search.compiled import ordering

    return ordering(name, rules)


# The game tree's size below each first move, by which two move generators are held against each other.


@dataclass(frozen=True, slots=True)
class Divided:
    """What lies below one first move."""

    column: int
    """[column] From 1."""
    sequences: int
    """[sequences] Of exactly so many moves."""
    nodes: int
    """[nodes] Of the tree below the move, with the position after it."""


def divided(board: Board, depth: int) -> Iterator[Divided]:
    """Yield a row for each first move; `depth`, at least 1, includes that move."""
    from agents.search.perft import divide

    for column, sequences, nodes in divide(board, depth):
        yield Divided(column + 1, sequences, nodes)


# One decision of one agent, away from any game.


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent chose and what it knows of it."""

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


def decision(name: str, player: Agent, board: Board) -> Decision:
    """Return what a new agent of this name plays. Raises InputError where the game is over or the agent fails."""
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    seat = Seat(name, player)
    seat.ready(board, seed=0)
    made = seat.decide(board)
    line = tuple(column + 1 for column in made.pv)
    return Decision(name, board.text, made.column + 1, made.score, made.depth, made.nodes, made.seconds, line)
