"""The interface of an agent: an object that answers a board with a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from agents.errors import InputError
from agents.specs.plugins import format_error, output_to_stderr

if TYPE_CHECKING:
    from agents.board import Board, Rules

N = TypeVar("N", int, float)
MOST_MOVES = 64
"""Moves of a principal variation that the referee keeps."""
MOST_ITERATIONS = 256
"""Iterations of an answer that the referee keeps."""
MOST_EXTRA = 1 << 16
"""Characters of JSON that the referee keeps of an answer's `extra`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one move may cost; None is no limit. A search that hits a limit plays its deepest completed iteration."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions visited."""
    seconds: float | None = None
    """Wall-clock time; in a game with a clock a recommended share of `remaining`, which a move may exceed."""
    remaining: float | None = None
    """Seconds left on the clock of the side to move; without a clock this field and the next two are None."""
    opponent_remaining: float | None = None
    increment: float | None = None
    """Seconds that a clock gains after each move."""


def tighter(one: N | None, other: N | None) -> N | None:
    """Return the smaller of two limits; None is no limit."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


@dataclass(frozen=True, slots=True)
class Iteration:
    """One completed depth of a search."""

    depth: int
    """Plies."""
    nodes: int
    """Positions visited since the search began, the root and the leaves included."""
    seconds: float
    """Time since the search began."""
    score: int | None
    """For the side to move."""
    column: int
    """The best move at this depth, 0-based."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """An agent's answer: a move and the results of its search. Only the column is required."""

    column: int
    """The move, 0-based."""
    score: int | None = None
    """For the side to move: a win, a loss or a draw on the scale of `agents.score`, or a heuristic's value.

    The referee rounds fractions, and drops scores beyond a win.
    """
    depth: int = 0
    """Plies of the deepest completed search."""
    nodes: int = 0
    """Positions visited in all, an interrupted iteration included; 0 for an agent that does not count."""
    pv: tuple[int, ...] = ()
    """The principal variation, 0-based columns beginning with `column`."""
    iterations: tuple[Iteration, ...] = ()
    """Every completed depth, the shallowest first."""
    extra: Mapping[str, object] | None = None
    """Other data to store with the move, as JSON of at most MOST_EXTRA characters."""


class Agent(Protocol):
    """An object with a method `choose`, and two optional methods.

    `prepare(rules)` runs before any clock starts, to compile and allocate. `new_game(seed)` runs before each game; an
    agent that plays by chance seeds its random numbers with that seed.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis | int:
        """Return a move for the side to move; the game on `board` is not over."""


def prepare(agent: Agent, rules: Rules, name: str) -> None:
    """Call the agent's `prepare`, if it has one. Raises InputError."""
    method = getattr(agent, "prepare", None)
    if method is None:
        return
    try:
        with output_to_stderr():
            method(rules)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"agent {name!r} cannot prepare for a {rules} board: {format_error(error)}") from error


def new_game(agent: Agent, seed: int) -> None:
    """Call the agent's `new_game`, if it has one."""
    method = getattr(agent, "new_game", None)
    if method is not None:
        method(seed)
