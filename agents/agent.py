"""What an agent is: an object that answers a board with a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from agents.errors import InputError
from agents.specs.plugins import aside, one_line

if TYPE_CHECKING:
    from agents.board import Board, Rules

N = TypeVar("N", int, float)
MOST_MOVES = 64
"""Moves of a principal variation that the referee keeps."""
MOST_ITERATIONS = 256
"""Iterations of an answer that the referee keeps."""
MOST_EXTRA = 1 << 16
"""Characters of JSON that the referee keeps of what an answer has in `extra`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one decision may cost; None is no limit. The deepest completed iteration answers."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions visited."""
    seconds: float | None = None
    """Wall-clock time; in a game with a clock a share of it that lasts to the end, which may be exceeded."""
    remaining: float | None = None
    """Seconds that the side to move has left on its clock for the game; None without one, as are the next two."""
    opponent_remaining: float | None = None
    increment: float | None = None
    """Seconds that a clock gains after each move."""


def tighter(one: N | None, other: N | None) -> N | None:
    """Return the smaller of two limits, None being no limit."""
    return min((each for each in (one, other) if each is not None), default=None)


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
    """An agent's answer: a move, and what its search found. Everything but the column may be left out."""

    column: int
    """The move, 0-based."""
    score: int | None = None
    """For the side to move: a win, a loss or a draw as `agents.score` has them, else in the heuristic's units.

    The referee rounds fractions, and keeps numbers up to a win.
    """
    depth: int = 0
    """Plies of the deepest completed search."""
    nodes: int = 0
    """Positions visited in all, an interrupted iteration included.

    Without it an agent in a process of its own has the count that it keeps in its attribute `nodes`.
    """
    pv: tuple[int, ...] = ()
    """The principal variation, 0-based columns beginning with `column`."""
    iterations: tuple[Iteration, ...] = ()
    """Every completed depth, shallow first."""
    extra: Mapping[str, object] | None = None
    """Whatever else is to be stored with the move, as JSON of at most MOST_EXTRA characters."""


class Agent(Protocol):
    """An object that plays: it has `choose`, and may have two other methods.

    `prepare(rules)` runs before any clock, to compile and allocate. `new_game(seed)` runs before each game; an agent
    that uses chance takes all of it from that seed.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis | int:
        """Return a move for the side to move on `board`, where the game is not over."""


def prepare(agent: Agent, rules: Rules, name: str) -> None:
    """Call the agent's `prepare`, if it has one. Raises InputError."""
    method = getattr(agent, "prepare", None)
    if method is None:
        return
    try:
        with aside():
            method(rules)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"agent {name!r} cannot prepare for a {rules} board: {one_line(error)}") from error


def new_game(agent: Agent, seed: int) -> None:
    """Call the agent's `new_game`, if it has one."""
    method = getattr(agent, "new_game", None)
    if method is not None:
        method(seed)
