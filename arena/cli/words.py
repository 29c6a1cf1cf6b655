"""What a line means that a person types at the board."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from agents.board import Board, IllegalMove
from agents.errors import InputError
from arena.play.session import Game


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
