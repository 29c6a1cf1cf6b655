"""A person at the board: what a typed line means, and what it does to the game. Nothing here reads or prints."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from agents.board import Board, IllegalMove
from agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Order:
    """What a person asks for: a column to play, or a word of WORDS with what follows it."""

    word: str
    argument: str = ""
    column: int = -1
    """0-based, of the word `play`."""


def read(line: str, board: Board) -> Order:
    """Return what a typed line asks for. Raises InputError with a kind answer to what it cannot mean."""
    text = line.strip()
    first, _, rest = text.partition(" ")
    if first.isascii() and first.isdigit() and not rest:
        return Order("play", column=_playable(text, board))
    for name, word in WORDS.items():
        if first.lower() in (name, *word.aliases):
            return Order(name, rest.strip())
    columns = f"a column from 1 to {board.rules.columns}"
    if not text:
        raise InputError(f"Please type {columns}, or help.")
    near = difflib.get_close_matches(first.lower(), WORDS, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Please type {columns}, or help."
    raise InputError(f"Sorry, I do not know {text[:20]!r}. {hint}")


def _playable(text: str, board: Board) -> int:
    if board.outcome is not None:
        raise InputError("The game is over. Type new, undo or quit.")
    column = int(text[:9]) - 1
    try:
        board.play(column)
    except IllegalMove as error:
        open_columns = ", ".join(str(column + 1) for column in board.legal_moves())
        raise InputError(f"Sorry, {error}. You can play {open_columns}.") from None
    return column


@dataclass(frozen=True, slots=True)
class Game:
    """A game, and who of the two is a person."""

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
                text = Path(source).expanduser().read_text(encoding="utf-8")
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
            Path(path).expanduser().write_text(f"{self.board.text}\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the name cannot be used"
            raise InputError(f"Sorry, {path} cannot be written: {reason}.") from None


def replay(board: Board, moves: tuple[int, ...]) -> Board:
    """Return the position after the 0-based moves on an empty board of the same size."""
    after = Board(board.rules)
    for column in moves:
        after = after.play(column)
    return after


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can be typed."""

    aliases: tuple[str, ...]
    meaning: str
    change: Callable[[Game, str], Game] | None = None
    """What it does to the game, given what follows it; None where it does something else. Raises InputError."""


WORDS: dict[str, Word] = {
    "undo": Word(("u", "back"), "take your last move back", lambda game, _: game.undo()),
    "hint": Word(("h",), "how the agent sees each column"),
    "flip": Word(("f", "mirror"), "swap left and right", lambda game, _: game.flip()),
    "swap": Word(("x", "sides"), "change sides with the agent", lambda game, _: game.swap()),
    "level": Word(("agent",), "level NAME: another agent"),
    "save": Word(("s", "moves"), "print the moves; save FILE"),
    "load": Word(("l",), "load MOVES, load FILE", lambda game, source: game.load(source)),
    "new": Word(("n",), "start again", lambda game, _: game.new()),
    "board": Word(("b",), "show the board"),
    "help": Word(("?",), "show this"),
    "quit": Word(("q", "exit", "bye"), "leave"),
}
