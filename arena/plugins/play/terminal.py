"""A game in a terminal: a person against an agent, or two agents."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

from agents.board import Board, IllegalMove, column_text, moves_text
from agents.errors import InputError
from agents.score import in_words
from arena.cli.options import KEPT_LINES
from arena.plugins.play.drawing import draw

if TYPE_CHECKING:
    from arena.games.person import Seat

WORDS: dict[str, str] = {
    "undo": "take your last move back",
    "hint": "the agent's score of each column",
    "new": "start again",
    "help": "show this",
    "quit": "leave",
}
"""The words that a person can type, or begin to type, beside a column; each with its meaning."""


def parse_order(line: str, board: Board) -> int | str:
    """Return the order in a typed line, a column from 0 or one of WORDS. Raises InputError with a helpful answer."""
    text = line.strip()
    if text.isascii() and text.isdigit():
        if board.outcome is not None:
            raise InputError("The game is over. Type new, undo or quit.")
        column = int(text[:9]) - 1
        try:
            board.play(column)
        except IllegalMove as error:
            open_columns = ", ".join(str(column + 1) for column in board.legal_moves())
            raise InputError(f"Sorry, {error}. You can play {open_columns}.") from None
        return column
    for word in WORDS:
        if text and word.startswith(text.lower()):
            return word
    sorry = f"Sorry, I do not know {text[:20]!r}. " if text else ""
    raise InputError(f"{sorry}Please type a column from 1 to {board.rules.columns}, or help.")


# The screen: lines as wide as the terminal, with or without colour.

NARROW, USUAL = 40, 80
"""The least width, and the width without a terminal, in characters."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Shows the game and reads lines."""

    err: bool
    """Whether it prints on stderr, because stdout is for the record."""
    colour: bool

    @property
    def width(self) -> int:
        """The width in characters: the variable COLUMNS, or else the terminal's."""
        return max(NARROW, shutil.get_terminal_size((USUAL, 24)).columns)

    def say(self, text: str) -> None:
        """Print a text, wrapped."""
        from arena.table.labels import harmless

        for line in textwrap.wrap(text, self.width, break_on_hyphens=False) or [""]:
            click.echo(harmless(line), err=self.err)

    def show(self, board: Board) -> None:
        """Draw the board."""
        click.echo(draw(board, colour=self.colour), err=self.err, color=self.colour)

    def ask(self, prompt: str) -> str | None:
        """Return a typed line, or None at the end of the input; print the line unless a terminal has shown it."""
        click.echo(prompt, nl=False, err=self.err)
        line = sys.stdin.readline()
        if not line or not sys.stdin.isatty():
            click.echo(line.strip()[: self.width - len(prompt)], err=self.err)
        return line or None


def in_colour(stream: TextIO) -> bool:
    """Return whether a stream shows colours and the user wants them."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


MARKS = ("X", "O")
YOU = "you"


class Dialogue:
    """A game of a person against an agent, or of two agents, the first player first."""

    def __init__(self, board: Board, person: int | None, agents: list[Seat], screen: Screen, seed: int) -> None:
        """Begin at a position. person: 0 for the first player, 1 for the second, None if two agents play."""
        self.board = board
        self.person = person
        self.agents = agents
        self.screen = screen
        self.seed = seed

    def names(self) -> tuple[str, str]:
        """Return the names of the first and of the second player."""
        one, other = self.agents[0].name, self.agents[-1].name
        if self.person is None:
            return one, other
        return (YOU, one) if self.person == 0 else (one, YOU)

    def begin(self) -> None:
        """Print the players, show the board, and prepare the agents."""
        for mark, name in zip(MARKS, self.names(), strict=True):
            self.screen.say(f"{mark}: {name}")
        self.show()
        self.screen.say("Getting ready ...")
        self.seed += 2
        for place, seat in enumerate(self.agents):
            seat.ready(self.board, self.seed + place)

    def watch(self, wait: Callable[[], None]) -> None:
        """Let two agents play to the end, and wait before each move."""
        self.begin()
        while self.board.outcome is None:
            wait()
            self.move()

    def converse(self) -> None:
        """Play with the person until the input ends or says quit."""
        self.begin()
        self.screen.say(f"Type a column, 1 to {self.board.rules.columns}, or help.")
        while True:
            over = self.board.outcome is not None
            if not over and self.board.mover != self.person:
                self.move()
                continue
            line = self.screen.ask("new, undo or quit: " if over else f"Your move, {MARKS[self.board.mover]}: ")
            if line is None:
                return
            try:
                order = parse_order(line, self.board)
                if order == "quit":
                    return
                self.obey(order)
            except InputError as error:
                self.screen.say(str(error))

    def move(self) -> None:
        """Play the move of the agent to move, and print its search."""
        seat = self.agents[self.board.mover if self.person is None else 0]
        self.screen.say(f"{seat.name} thinks")
        made = seat.decide(self.board)
        self.board = self.board.play(made.column)
        for printed in seat.output().splitlines()[-KEPT_LINES:]:
            self.screen.say(f"{seat.name} prints: {printed}")
        line = f", line {' '.join(map(column_text, made.pv))}" if made.pv else ""
        self.screen.say(thoughts(made.column + 1, made.score, made.depth, made.nodes, made.seconds) + line)
        self.show()

    def show(self) -> None:
        """Draw the board, count the fours under most-fours rules and, at the end of the game, print the result."""
        board = self.board
        self.screen.show(board)
        if board.rules.most_fours:
            self.screen.say("Fours: {} to {}.".format(*board.fours))
        if board.outcome is None:
            return
        winner = board.outcome.winner
        if winner is None:
            self.screen.say("A draw.")
        elif winner == self.person:
            self.screen.say("You win!")
        else:
            self.screen.say(f"{MARKS[winner]} wins: {self.names()[winner]}")

    def obey(self, order: int | str) -> None:
        """Carry out an order. Raises InputError with a helpful answer if that is impossible."""
        if isinstance(order, int):
            self.board = self.board.play(order)
            if self.board.outcome is not None:
                self.show()
        elif order == "undo":
            self.undo()
        elif order == "new":
            self.board = Board(self.board.rules)
            self.begin()
        elif order == "hint":
            self.hint()
        else:
            self.screen.say(f"1 to {self.board.rules.columns}: play that column")
            for word, meaning in WORDS.items():
                self.screen.say(f"{word}: {meaning}")

    def undo(self) -> None:
        """Take the person's last move back. Raises InputError if there is none."""
        plies, rules = self.board.ply - 1, self.board.rules
        plies -= (plies - (self.person or 0)) % 2
        if plies < 0:
            raise InputError("There is no move of yours to take back.")
        self.board = Board.from_moves(moves_text(self.board.moves[:plies], rules), rules)
        self.show()

    def hint(self) -> None:
        """Print the agent's score of every column, and mark the best.

        If some columns have no score, one of these may be the best: then mark the agent's move.
        """
        if self.board.outcome is not None:
            raise InputError("The game is over.")
        found = self.agents[0].views(self.board)
        scores = [score for score in found.values() if score is not None]
        if not scores:
            raise InputError(f"{self.agents[0].name} reports no scores.")
        silent = len(scores) < len(found)
        chosen = self.agents[0].decide(self.board).column if silent else -1
        for column, score in found.items():
            best = " <- best" if column == chosen or (not silent and score == max(scores)) else ""
            self.screen.say(f"column {column_text(column)}: {in_words(score)}{best}")

    def leave(self) -> None:
        """Print the moves, from which `--position` continues the game."""
        self.screen.say(f"Moves: {self.board.text or 'none'}")

    def record(self) -> dict[str, object]:
        """Return the record of the game."""
        board = self.board
        first, second = self.names()
        return {
            "first": first,
            "second": second,
            "moves": board.text,
            "outcome": None if board.outcome is None else str(board.outcome),
            **({"fours": board.fours} if board.rules.most_fours else {}),
        }


def thoughts(column: int, score: int | None, depth: int, nodes: int, seconds: float) -> str:
    """Return the move in a column, from 1, with the results of its search that the agent reported.

    score: for the side that moved, None where it reported none. depth, nodes: 0 where it reported none.
    """
    words = [f"plays {column}"]
    words += [f"depth {depth}"] if depth else []
    words += [f"{nodes:,} nodes"] if nodes > 1 else []
    words += [f"score {in_words(score)}"] if score is not None else []
    return ", ".join([*words, f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"])
