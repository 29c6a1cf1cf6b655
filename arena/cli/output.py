"""Prints the results of commands: tables in a style or one JSON document, lines for the user, bars and figures."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from agents.errors import InputError

if TYPE_CHECKING:
    from tqdm import tqdm

    from arena.table.parts import Part
    from arena.table.picture import Picture

BAD_INPUT = 2
"""The exit code for unusable input."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""
KEPT_LINES = 10
"""The lines to show of an agent's output."""


def command_line() -> str:
    """Return the command line, quoted for a shell."""
    return shlex.join(["arena", *sys.argv[1:]])


@dataclass(frozen=True, slots=True)
class Output:
    """How a command prints."""

    style: str
    """The style of tables; "json" stands for one document."""
    table: str
    """The only table to print; empty for all."""
    wide: bool
    """Whether to print all columns, full names and details, even in a narrow terminal."""
    quiet: bool
    """Whether to show no progress bar."""
    plot: Path | None
    """The file for a figure."""
    figure: str | None
    """The name of that figure; None for the first."""

    @classmethod
    def of(
        cls,
        *,
        style: str = "plain",
        as_json: bool = False,
        table: str = "",
        wide: bool = False,
        quiet: bool = False,
        plot: Path | None = None,
        figure: str | None = None,
    ) -> Output:
        """Return the output of a command with these options; the defaults are for options that it does not have.

        as_json: the same as the style json. Raises InputError for a figure without a file.
        """
        if figure is not None and plot is None:
            raise InputError(f"--figure {figure} needs --plot FILE")
        return cls("json" if as_json else style, table, wide, quiet, plot, figure)

    @property
    def as_json(self) -> bool:
        """Whether to print JSON."""
        return self.style == "json"

    @property
    def data(self) -> bool:
        """Whether the style is for programs, with one table."""
        from arena.table.styles import find

        return find(self.style).data

    @property
    def whole(self) -> bool:
        """Whether to print all results as one JSON document."""
        return self.as_json and not self.table

    def width(self, stream: TextIO | None = None) -> int | None:
        """Return the width of the terminal, by default of stdout: the variable COLUMNS, or else the terminal's size.

        None without a terminal, such as in a pipe, and if the output is wide.
        """
        if self.wide:
            return None
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns) > 0:
            return int(columns)
        stream = stream or sys.stdout
        return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else None

    def tables(self, parts: Sequence[Part], meta: Mapping[str, Any] | None = None, first: str = "") -> None:
        """Print all tables, or only the one asked for.

        Details are left out unless the output is wide or has one table. meta: metadata for JSON, see `json`. first: the
        table that styles with one table print if none is asked for, by default the first.
        """
        from arena.table.parts import brief
        from arena.table.render import write

        if not (self.table or self.wide):
            parts = brief(parts)
        table = self.table or (first if self.data else "")
        click.echo(write(parts, self.style, table, self.width(), meta=_with_command(meta)))

    def json(self, document: Any, meta: Mapping[str, Any] | None = None) -> None:
        """Print one JSON document, as `arena.table.styles.json_document` writes it."""
        from arena.table.styles import json_document

        click.echo(json_document(document, _with_command(meta)))

    def say(self, line: str, *, err: bool = True) -> None:
        """Print a line, or lines that stay lines, by default on stderr, wrapped in a terminal."""
        from arena.table.labels import harmless

        lines = [harmless(line) for line in line.split("\n")]
        width = self.width(sys.stderr if err else sys.stdout)
        if width is not None:
            from arena.table.render import wrap

            lines = [wrap(line, width) for line in lines]
        click.echo("\n".join(lines), err=err)

    def warn(self, line: str) -> None:
        """Print a warning on stderr."""
        self.say(f"warning: {line}")

    def above_bar(self, line: str) -> None:
        """Print a line on stderr, above the progress bar if one is shown."""
        from tqdm import tqdm

        with tqdm.external_write_mode(file=sys.stderr):
            self.say(line)

    def left_out(self, faults: Sequence[InputError]) -> int:
        """Report the agents that were left out, with the end of their output; return the exit code."""
        for error in faults:
            self.say(f"left out: {error}")
            say_output(output_of(error))
        return BAD_INPUT if faults else 0

    def bar(
        self, unit: str, total: int | None = None, *, leave: bool = False, hidden: bool = False, **more: Any
    ) -> tqdm[Any]:
        """Return a progress bar of `total` steps in a unit, shown in a terminal unless the output is quiet.

        leave: it stays in the terminal. hidden: it is not shown.
        """
        from tqdm import tqdm

        off = True if hidden or self.quiet else None  # None: only where stderr is no terminal
        return tqdm(total=total, unit=unit, disable=off, leave=leave, dynamic_ncols=True, **more)

    def draw(self, pictures: Callable[[], Sequence[Picture]]) -> None:
        """Write the figure that is asked for, if any, of these pictures. Raises InputError."""
        if self.plot is None:
            return
        from arena.store.writing import replacing
        from arena.table.picture import FORMATS, choose

        picture = choose(pictures(), self.figure)
        with replacing(self.plot) as beside:
            picture.save(beside, FORMATS[self.plot.suffix.lower()])
        click.echo(f"figure {picture.name} written to {self.plot}", err=True)


def _with_command(meta: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the metadata of a document with the command line."""
    return None if meta is None else {**meta, "command": command_line()}


def output_of(error: BaseException | None) -> str:
    """Return the last output of the agent's process that failed, if that caused the error, or an empty text."""
    while error is not None:
        if output := getattr(error, "output", ""):
            return str(output)
        error = error.__cause__
    return ""


def say_output(output: str) -> None:
    """Print the last lines of an agent's output, if any, on stderr."""
    lines = output.rstrip().splitlines()[-KEPT_LINES:]
    with suppress(OSError):  # the terminal is gone
        for line in ["the end of its output:", *(f"    {line}" for line in lines)] if lines else []:
            click.echo(line, err=True)
