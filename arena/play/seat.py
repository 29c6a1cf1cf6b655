"""An agent at a board where a person looks on: it is asked for moves and views, and Ctrl-C is heard meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from agents.agent import Agent, new_game, prepare
from agents.board import Board
from agents.errors import InputError
from agents.plugins import one_line
from agents.registry import parse
from agents.score import ending, further
from arena.play.interrupt import interruptible
from arena.play.match import Fault, decide
from arena.store.records import MoveRecord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent and its name."""

    name: str
    agent: Agent

    @classmethod
    def of(cls, name: str) -> Seat:
        """Return the agent of that spec. Raises InputError."""
        return cls(name, parse(name).build())

    def ready(self, board: Board, seed: int) -> None:
        """Compile for this board and begin a game. Raises InputError."""
        try:
            prepare(self.agent, board.rules)
            new_game(self.agent, seed)
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"agent {self.name!r}: {one_line(error)}") from error

    def decide(self, board: Board) -> MoveRecord:
        """Return the agent's move; Ctrl-C is heard. Raises InputError where it commits a fault."""
        return self._answer(lambda agent: decide(agent, board))

    def views(self, board: Board) -> dict[int, int | None]:
        """Return what the agent thinks of each column, likewise."""
        return self._answer(lambda agent: views(agent, board))

    def _answer(self, question: Callable[[Agent], T]) -> T:
        try:
            return interruptible(self.agent, lambda: question(self.agent))
        except Fault as fault:
            raise InputError(f"agent {self.name!r}: {fault.termination}: {fault.detail}") from fault


def views(agent: Agent, board: Board) -> dict[int, int | None]:
    """Return what the agent thinks of each legal 0-based column, for the side to move; None where it does not say.

    Each column is played and the agent asked about the position after it, one ply nearer to any win it sees. Raises
    Fault.
    """
    found: dict[int, int | None] = {}
    for column in board.legal_moves():
        after = board.play(column)
        if after.outcome is not None:
            found[column] = ending(0 if after.outcome.winner is None else 1, plies=1)
        else:
            score = decide(agent, after).score
            found[column] = None if score is None else -further(score)
    return found
