"""How wide a text may be, and lines on stderr that keep to it."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from typing import TextIO

import click

from arena.cli.kept import kept

KEPT_LINES = 10
"""Of what an agent's process wrote."""


def columns(stream: TextIO | None = None) -> int | None:
    """Return the columns of the terminal that is read, by default on stdout: COLUMNS says so, else the terminal.

    None where there is none, such as in a pipe, and where the command's --wide asks for all.
    """
    if kept("wide"):
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    shown = stream or sys.stdout
    return shutil.get_terminal_size().columns if shown is not None and shown.isatty() else None


def say(line: str, *, err: bool = True) -> None:
    """Print a line, by default on stderr, wrapped in a terminal."""
    from arena.report.labels import harmless
    from arena.report.width import wrap

    line = "\n".join(map(harmless, line.split("\n")))
    width = columns(sys.stderr if err else sys.stdout)
    click.echo(line if width is None else wrap(line, width), err=err)


def say_output(output: str) -> None:
    """Print the last lines that an agent's process wrote to stderr, if there are any, on ours."""
    lines = output.rstrip().splitlines()[-KEPT_LINES:]
    with suppress(OSError):  # the terminal is gone
        for line in ["the end of its output:", *(f"    {line}" for line in lines)] if lines else []:
            click.echo(line, err=True)
