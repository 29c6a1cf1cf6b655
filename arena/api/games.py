"""Games outside of tournaments: an agent to play against, and the game of a person, without input or output."""

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
    """Return an agent to play against: `ready` begins a game, `decide` returns its move, `views` its scores of columns.

    agent: a spec, `folder/:name` or `roster.toml:name` as text; agents of files and commands have separate processes,
    with the settings of `isolation`. Or a Spec of a built-in agent, which plays in this process. Raises InputError.
    """
    from arena.play.person import Seat

    return Seat.of(agent, isolation or {})


@dataclass(frozen=True, slots=True)
class GameState:
    """A game, and the player that is a person."""

    board: Board
    person: int | None
    """0 for the first player, 1 for the second, None if two agents play."""

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to act: to make a move, or to choose what comes next after the end of the game."""
        return self.board.outcome is not None or self.board.mover == self.person

    def play(self, column: int) -> GameState:
        """Return the game after a move in the 0-based column."""
        return replace(self, board=self.board.play(column))

    def undo(self) -> GameState:
        """Return the game before the person's last move. Raises InputError if there is none."""
        plies, rules = self.board.ply - 1, self.board.rules
        plies -= (plies - (self.person or 0)) % 2
        if plies < 0:
            raise InputError("There is no move of yours to take back.")
        return replace(self, board=Board.from_moves(moves_text(self.board.moves[:plies], rules), rules))

    def flip(self) -> GameState:
        """Return the mirror image of the game, with left and right swapped."""
        return replace(self, board=self.board.mirror())

    def swap(self) -> GameState:
        """Return the game with the sides changed: the person takes over the agent's discs."""
        return replace(self, person=1 - (self.person or 0))

    def new(self) -> GameState:
        """Return a new game with the same sides."""
        return replace(self, board=Board(self.board.rules))

    def load(self, source: str) -> GameState:
        """Return the game of a text of moves, or of a file with such a text. Raises InputError."""
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
        """Write the moves to a file. Raises InputError."""
        from arena.store.writing import write

        try:
            write(_place(path), f"{self.board.text}\n")
        except InputError as error:
            raise InputError(f"Sorry, {error}.") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the name cannot be used"
            raise InputError(f"Sorry, {path} cannot be written: {reason}.") from None


def _place(text: str) -> Path:
    """Return the path of a text; an unknown user in `~user` stays unchanged."""
    return Path(os.path.expanduser(text))  # noqa: PTH111  Path.expanduser raises
