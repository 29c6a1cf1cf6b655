"""A game with a person at the board: the position, and the agent that answers with moves and views.

Nothing here reads or prints.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from agents.agent import Agent, new_game, prepare
from agents.board import Board, IllegalMove
from agents.errors import InputError
from agents.score import of_outcome, one_ply_earlier
from agents.specs.plugins import one_line
from arena.play.interrupt import stoppable
from arena.play.isolation import agent_of
from arena.play.referee import Fault, decide
from arena.records import MoveRecord
from arena.store.writing import replacing

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Game:
    """A game, and which of its players are persons."""

    board: Board
    person: int | None
    """0 the first player, 1 the second, None where two agents play."""

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to move or, the game being over, to say what comes next."""
        return self.board.outcome is not None or self.board.mover == self.person

    def play(self, column: int) -> Game:
        """Return the game after a move in the 0-based column."""
        return replace(self, board=self.board.play(column))

    def undo(self) -> Game:
        """Return the game before the person's last move. Raises InputError where there is none."""
        plies = self.board.ply - 1
        plies -= (plies - (self.person or 0)) % 2
        if plies < 0:
            raise InputError("There is no move of yours to take back.")
        return replace(self, board=replay(self.board, self.board.moves[:plies]))

    def flip(self) -> Game:
        """Return the game seen in a mirror, left and right swapped."""
        return replace(self, board=self.board.mirror())

    def swap(self) -> Game:
        """Return the game with the sides changed: the person takes over the agent's discs."""
        return replace(self, person=1 - (self.person or 0))

    def new(self) -> Game:
        """Return a new game with the same sides."""
        return replace(self, board=Board(self.board.rules))

    def load(self, source: str) -> Game:
        """Return the game of a move string, or of the file that holds one. Raises InputError."""
        if not source:
            raise InputError("Please say what to load: load 4453, or load FILE.")
        text = source
        if not set(source) <= set("0123456789, "):
            try:
                text = _place(source).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise InputError(f"Sorry, {source} cannot be read: {reason}.") from None
        try:
            return replace(self, board=Board.from_moves(text, self.board.rules))
        except IllegalMove as error:
            raise InputError(f"Sorry, that is no game: {error}.") from None

    def save(self, path: str) -> None:
        """Write the moves into a file. Raises InputError."""
        try:
            with replacing(_place(path)) as beside:
                beside.write_text(f"{self.board.text}\n", encoding="utf-8")
        except InputError as error:
            raise InputError(f"Sorry, {error}.") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the name cannot be used"
            raise InputError(f"Sorry, {path} cannot be written: {reason}.") from None


def _place(text: str) -> Path:
    """Return the path that was typed; `~` of nobody known stays as it is."""
    return Path(os.path.expanduser(text))  # noqa: PTH111  Path.expanduser raises


def replay(board: Board, moves: tuple[int, ...]) -> Board:
    """Return the position after the 0-based moves on an empty board of the same size."""
    after = Board(board.rules)
    for column in moves:
        after = after.play(column)
    return after


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent and its name."""

    name: str
    agent: Agent

    @classmethod
    def of(cls, name: str) -> Seat:
        """Return the agent of that spec, or the one that is named of a folder or a roster. Raises InputError."""
        return cls(*agent_of(name))

    def ready(self, board: Board, seed: int) -> None:
        """Compile for this board and begin a game. Raises InputError."""
        try:
            prepare(self.agent, board.rules, self.name)
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
            with stoppable([self.agent]):
                return question(self.agent)
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
            found[column] = -of_outcome(after, plies=1)
        else:
            score = decide(agent, after).score
            found[column] = None if score is None else -one_ply_earlier(score)
    return found
