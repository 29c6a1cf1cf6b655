"""What an agent is: something that is shown a board and answers with a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agents.errors import InputError
from agents.specs.plugins import aside, one_line

if TYPE_CHECKING:
    from agents.board import Board, Rules


@dataclass(frozen=True, slots=True)
class Limits:
    """What one decision may cost; None leaves it open. The deepest completed iteration answers."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions visited."""
    seconds: float | None = None
    """Wall-clock time."""


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
    """An agent's answer: a move and what it knows of it. Everything but the column may be left out."""

    column: int
    """The move, 0-based."""
    score: int | None = None
    """For the side to move: a win, a loss or a draw as `agents.score` has them, else in the heuristic's units.

    What is no whole number, or beyond a win, is kept as nothing.
    """
    depth: int = 0
    """Plies of the deepest completed search."""
    nodes: int = 0
    """Positions visited in all, an interrupted iteration included."""
    pv: tuple[int, ...] = ()
    """The principal variation, 0-based columns beginning with `column`."""
    iterations: tuple[Iteration, ...] = ()
    """Every completed depth, shallow first."""


class Agent(Protocol):
    """What plays. An object with `choose` is an agent; the other methods are called where they exist.

    `prepare(rules)` is called before any clock runs, to compile and allocate. `new_game(seed)` is called before each
    game: an agent that uses chance must take all of it from that seed.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis | int:
        """Return the move for the side to move on `board`, a position that is not over."""


def prepare(agent: Agent, rules: Rules, name: str) -> None:
    """Let the agent compile and allocate for boards of this size, where it wants to. Raises InputError."""
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
    """Tell the agent that a game begins, where it wants to know."""
    method = getattr(agent, "new_game", None)
    if method is not None:
        method(seed)
