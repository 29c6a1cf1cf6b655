"""Games outside of tournaments: an agent to play against, and the game of a person, without input or output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.board import Board, moves_text
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


def names(agents: Sequence[str]) -> list[str]:
    """Return the spec of each agent that specs, folders and rosters stand for. Raises InputError.

    Of a file that defines several agents it is the one called Agent, Bot, Player or AlphaBeta, as in a hand-in.
    """
    from arena.play.entries import address, holds_entries, invited, named_in_full

    offered: list[str] = []
    for text in agents:
        entries, _, broken, _ = invited([named_in_full(text)])
        if not entries:
            raise InputError(broken[0])
        if holds_entries(text):
            offered += [text] if len(entries) == 1 else [address(text, name) for name in entries]
        else:
            offered += entries
    return list(dict.fromkeys(offered))


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

    def new(self) -> GameState:
        """Return a new game with the same sides."""
        return replace(self, board=Board(self.board.rules))
