"""The types of options and arguments: each reads a text, or fails with a line that says what would work."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from agents.board import Rules
from agents.errors import InputError
from agents.specs.notation import protect, restore

SEEDS = 1 << 62
"""The largest seed."""


class Number(click.FloatRange):
    """A number within bounds; nan is refused."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class Whole(click.IntRange):
    """A whole number within bounds; the help shows them unless they are those of a seed."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with the message of `arena.games.settings.whole`."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            most = "" if self.max is None or self.max >= SEEDS else f" to {self.max}"
            self.fail(f"it is a whole number from {self.min}{most}, not {value}", param, ctx)

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return the placeholder in the help."""
        return "N"

    def _describe_range(self) -> str:
        if self.max is None or self.max < SEEDS:
            return super()._describe_range()
        return f"x>={self.min}" if self.min else ""


class Read(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A value that a function reads from a text.

    named: whether the message of an error also names the option.
    """

    def __init__(self, name: str, read: Callable[[str], Any], *, named: bool = True) -> None:
        self.name = name
        self.read = read
        self.named = named

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value, or fail with the reason."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except InputError as error:
            if not self.named:
                raise
            self.fail(str(error), param, ctx)


def _duration(text: str) -> float:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]+)?)([smh]?)", text.strip())
    seconds = float(match[1]) * {"h": 3600.0, "m": 60.0}.get(match[2], 1.0) if match else 0.0
    if not 0.0 < seconds <= 1e7:
        raise InputError(f"{text!r} is not a time such as 90s, 30m or 2h")
    return seconds


def _range(text: str) -> list[int]:
    numbers: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", part.strip())
        if ends is None:
            raise InputError(f"{text!r} is not a range such as 6, 1..8 or 3,5,7")
        low, high = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= low <= high <= 64:
            raise InputError(f"{part!r} must run upwards within 1 to 64")
        numbers.update(range(low, high + 1))
    return sorted(numbers)


def _anchor(text: str) -> tuple[str, float]:
    agent, _, rating = text.rpartition("=")
    if not agent or re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]+)?", rating) is None:
        raise InputError(f"{text!r} is not an agent and its rating, such as greedy=0")
    return agent, float(rating)


def _pair(text: str) -> tuple[str, str]:
    protected = protect(text)
    parts = [restore(part).strip() for part in protected.split(" v " if " v " in protected else ",")]
    if len(parts) != 2:
        raise InputError(f"{text!r} is not two agents: A,B or 'A v B'")
    return parts[0], parts[1]


MOST_POSITIONS = 1_000_000


def _positions(text: str) -> int | Path:
    if not text.isascii() or not text.isdigit():
        return Path(text)
    if not 1 <= int(text[:9]) <= MOST_POSITIONS:
        raise InputError(f"{text} is not a number from 1 to {MOST_POSITIONS:,}")
    return int(text)


def _game(text: str) -> str:
    if not re.fullmatch(r"\d+(-\d+-\d+)?", text, re.ASCII):
        raise InputError(f"{text!r} is not the number of a game: arena replay FILE GAME")
    return text


def _style(text: str) -> str:
    from arena.table.styles import find

    find(text)
    return text


def _game_style(text: str) -> str:
    return text if text == "pgn" else _style(text)


def _run_file(text: str) -> Path:
    from arena.store.folder import run_file

    return run_file(text)


def _plot(text: str) -> Path:
    from arena.table.picture import must_be_writable

    must_be_writable(Path(text))
    return Path(text)


ANCHOR = Read("AGENT=ELO", _anchor)
"""An agent and its rating, AGENT=0; the last = separates them."""
DURATION = Read("TIME", _duration)
"""A time such as 90s, 30m or 2h, in seconds; a number without a letter is seconds."""
GAME = Read("GAME", _game)
"""The number of a game, or its key."""
PAIR = Read("A,B", _pair)
"""Two agents, A,B; specs that contain commas are separated by v: `A v B`."""
PATH = click.Path(path_type=Path)
POSITIONS = Read("N|FILE", _positions)
"""A number of positions, or a file of positions."""
RANGE = Read("RANGE", _range)
"""A range of whole numbers: 5, 1..8, or 3,5,7; each once, ascending."""
RULES = Read("COLUMNSxROWS[xCONNECT]", Rules.parse)
"""A board size such as 7x6x4."""
RUN_FILE = Read("FILE", _run_file, named=False)
"""A stored run: a path, or the word `latest` for the newest run in `results/` or the current folder."""
PLOT = Read("FILE", _plot, named=False)
"""A file for a figure, which can be written; its suffix selects the format."""
STYLE = Read("style", _style)
GAME_STYLE = Read("style", _game_style)
"""The style of a table, or pgn."""
