"""Where a game is shown and typed: lines as wide as the terminal, with or without colour."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from dataclasses import dataclass
from typing import TextIO

import click

from agents.board import Board
from agents.drawing import draw

NARROW, USUAL = 40, 80
"""Columns of the narrowest terminal that is served, and of what is no terminal."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Where the game is shown."""

    err: bool
    """On stderr, since stdout is for the record."""
    colour: bool

    @property
    def width(self) -> int:
        """The columns there are: what COLUMNS says, or else the terminal."""
        return max(NARROW, shutil.get_terminal_size((USUAL, 24)).columns)

    def say(self, text: str) -> None:
        """Print a text, wrapped."""
        for line in textwrap.wrap(text, self.width, break_on_hyphens=False) or [""]:
            click.echo(line, err=self.err)

    def show(self, board: Board) -> None:
        """Draw the board."""
        click.echo(draw(board, colour=self.colour), err=self.err, color=self.colour)

    def ask(self, prompt: str) -> str | None:
        """Return what a person types, or None at the end of the input; what no terminal has shown is shown here."""
        click.echo(prompt, nl=False, err=self.err)
        line = sys.stdin.readline()
        if not line or not sys.stdin.isatty():
            click.echo(line.strip()[: self.width - len(prompt)], err=self.err)
        return line or None


def in_colour(stream: TextIO) -> bool:
    """Return whether colours are seen there, and wanted."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
