"""A game in a terminal: lines as wide as it is, and the board, plain or in colour."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from dataclasses import dataclass
from typing import TextIO

import click

from agents.board import Board
from agents.score import in_words

_COLOURS = {"X": "\x1b[33m", "O": "\x1b[31m"}  # the first player yellow, the second red
_BOLD_INVERSE = "\x1b[1;7m"
_RESET = "\x1b[0m"


def draw(board: Board, *, colour: bool = False) -> str:
    """Return the board as lines of text: X the first player, O the second, rows from the top, columns numbered from 1.

    Brackets mark the last move. Asterisks or, in colour, inverse letters mark the winning line, or all fours under
    most-fours rules. No line ends in a space.
    """
    return board.drawn(_coloured) if colour else str(board)


def _coloured(disc: str, winning: bool, last: bool) -> str:
    left, right = ("[", "]") if last else (" ", " ")
    return f"{left}{_COLOURS[disc]}{_BOLD_INVERSE if winning else ''}{disc}{_RESET}{right}"


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


def thoughts(column: int, score: int | None, depth: int, nodes: int, seconds: float) -> str:
    """Return the move in a column, from 1, with the results of its search that the agent reported.

    score: for the side that moved, None where it reported none. depth, nodes: 0 where it reported none.
    """
    words = [f"plays {column}"]
    words += [f"depth {depth}"] if depth else []
    words += [f"{nodes:,} nodes"] if nodes > 1 else []
    words += [f"score {in_words(score)}"] if score is not None else []
    return ", ".join([*words, f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"])
