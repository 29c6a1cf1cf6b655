"""The opening book: the value of every position of a ply, computed once, and with it of every position before.

The file holds one byte a position, in the order of `enumerate_positions`, which therefore need not be stored: the score
for the side to move as the solver gives it or, in a book of values alone, 1, 0 or -1. It is compressed, behind a line
of text that names the board, the ply and the kind.
"""

from __future__ import annotations

import functools
import lzma
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.solver.positions import Positions, back_up, enumerate_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.int8]

SIGNATURE = "connect4-arena book"
KINDS = ("values", "scores")
MOST_PLIES = 10
"""Of a book; on the standard board there are 809,464 positions of so many plies up to mirror image."""
_PLIES = tuple(map(str, range(MOST_PLIES + 1)))


@dataclass(frozen=True, slots=True)
class Book:
    """What is known of all positions of 0 to `plies` plies that are not over."""

    rules: Rules
    kind: str
    """"values": 1, 0 or -1; "scores": the solver's."""
    levels: tuple[Positions, ...]
    values: tuple[Values, ...] = field(repr=False)
    """For each ply, for the side to move."""

    @property
    def plies(self) -> int:
        """The last ply that the book knows."""
        return len(self.levels) - 1

    @classmethod
    def of(cls, rules: Rules, kind: str, last: Values, plies: int) -> Book:
        """Return the book that follows from the values of all positions of the last ply."""
        levels = enumerate_positions(rules, plies)
        values = [last]
        for before, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
            win = 1 if kind == "values" else (rules.columns * rules.rows + 1 - before.ply) // 2
            values.append(back_up(before, after, values[-1], win))
        return cls(rules, kind, levels, tuple(reversed(values)))

    def lookup(self, own: int, opp: int) -> int | None:
        """Return the value for the side to move; None for a position beyond the book. The game must not be over."""
        ply = (own | opp).bit_count()
        if ply > self.plies:
            return None
        return int(self.values[ply][self.levels[ply].find(own, opp)])


def known_values(rules: Rules, plies: int, kind: str) -> range:
    """Return what a position after so many plies may be worth."""
    most = 1 if kind == "values" else (rules.columns * rules.rows + 1 - plies) // 2
    return range(-most, most + 1)


def write_book(path: Path, rules: Rules, kind: str, last: Values, plies: int) -> None:
    """Write the values of all positions of the last ply as a book."""
    header = f"{SIGNATURE} {rules} {plies} {kind}\n"
    path.write_bytes(header.encode() + lzma.compress(last.tobytes(), preset=9 | lzma.PRESET_EXTREME))


def read_book(path: Path) -> Book:
    """Read a book. Raises InputError where the file is none."""
    header, _, packed = path.read_bytes().partition(b"\n")
    words = header[:80].decode("ascii", "replace").rsplit(" ", 3)
    if len(words) != 4 or words[0] != SIGNATURE or words[3] not in KINDS or words[2] not in _PLIES:
        raise InputError(f"{path} is not an opening book")
    try:
        rules, plies = Rules.parse(words[1]), int(words[2])
        last = np.frombuffer(lzma.decompress(packed), np.int8)
    except (InputError, lzma.LZMAError) as error:
        raise InputError(f"{path} is damaged: {error}") from None
    if len(last) != len(enumerate_positions(rules, plies)[-1]):
        raise InputError(f"{path} is damaged: it holds {len(last)} positions")
    possible = known_values(rules, plies, words[3])
    least, most = last.min(initial=0), last.max(initial=0)
    if least not in possible or most not in possible:
        raise InputError(f"{path} is damaged: its {words[3]} run from {least} to {most}")
    return Book.of(rules, words[3], last, plies)


@functools.cache
def shipped_book(rules: Rules = STANDARD) -> Book | None:
    """Return the book that comes with the package, or None for a board that has none."""
    with resources.as_file(resources.files("agents") / "data" / f"{rules}.book") as path:
        return read_book(path) if path.exists() else None
