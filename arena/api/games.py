"""Games outside of tournaments: an agent to play with, and the game that a person plays.

Nothing here reads or prints.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Board, IllegalMove, moves_text
from agents.errors import InputError

if TYPE_CHECKING:
    from agents.specs.registry import Spec
    from arena.play.person import Seat


def player(agent: str | Spec, isolation: Mapping[str, Any] | None = None) -> Seat:
    """Return an agent that answers boards: `ready` begins a game, `decide` is its move, `views` what it thinks.

    agent: the text of a spec, or the one agent of a folder or roster that it names; agents of files and commands live
    in processes of their own, as `isolation` says. A Spec of a built-in agent plays in this process. Raises InputError.
    """
    from arena.play.person import Seat

    return Seat.of(agent, isolation or {})


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
        plies, rules = self.board.ply - 1, self.board.rules
        plies -= (plies - (self.person or 0)) % 2
        if plies < 0:
            raise InputError("There is no move of yours to take back.")
        return replace(self, board=Board.from_moves(moves_text(self.board.moves[:plies], rules), rules))

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
        from arena.store.writing import write

        try:
            write(_place(path), f"{self.board.text}\n")
        except InputError as error:
            raise InputError(f"Sorry, {error}.") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the name cannot be used"
            raise InputError(f"Sorry, {path} cannot be written: {reason}.") from None


def _place(text: str) -> Path:
    """Return the path that was typed; `~` of nobody known stays as it is."""
    return Path(os.path.expanduser(text))  # noqa: PTH111  Path.expanduser raises
