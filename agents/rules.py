"""The rules: the size of the board, the length of a line that wins, and whether one line ends the game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from agents.errors import InputError, unknown

WORD_BITS = 64
VARIANTS = STANDARD_RULES, MOST_FOURS = "standard", "most-fours"


@dataclass(frozen=True)
class Rules:
    """The size of the board, and the length of a line that wins. Raises InputError if the board does not fit a word.

    A four is a window, that is `connect` cells in a line, full of one player's discs: five in a row are two fours.
    Under the standard rules the first four wins.
    """

    columns: int = 7
    rows: int = 6
    connect: int = 4
    most_fours: bool = False
    """Whether the game goes on after a four until the board is full, and the player with more fours wins."""

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise InputError(f"a board needs at least one column and one row, not {self.columns}x{self.rows}")
        bits = self.columns * (self.rows + 1)
        if bits > WORD_BITS:
            raise InputError(
                f"a {self.columns}x{self.rows} board does not fit: columns x (rows + 1) is {bits}, "
                f"the limit is {WORD_BITS}"
            )
        if not 2 <= self.connect <= max(self.columns, self.rows):
            raise InputError(f"connect {self.connect} makes no game on a {self.columns}x{self.rows} board")

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Return the rules that a text names: "7x6", "9x6x5", "7x6x4:most-fours" or, on 7x6, "most-fours" alone."""
        if text in VARIANTS:
            return cls(most_fours=text == MOST_FOURS)
        size, colon, variant = text.partition(":")
        if not re.fullmatch(r"\d{1,3}x\d{1,3}(x\d{1,3})?", size):
            raise InputError(f"board {text!r} is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4")
        if colon and variant not in VARIANTS:
            raise unknown("rules", variant, VARIANTS)
        columns, rows, connect = (int(part) for part in f"{size}x{cls.connect}".split("x")[:3])
        return cls(columns, rows, connect, variant == MOST_FOURS)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}x{self.connect}" + (f":{MOST_FOURS}" if self.most_fours else "")

    @property
    def size(self) -> tuple[int, int, int]:
        """Columns, rows, and the length of a four."""
        return self.columns, self.rows, self.connect

    def refuse_most_fours(self, program: str) -> None:
        """Raise InputError under the most-fours rules, for a `program` that plays only the standard rules."""
        if self.most_fours:
            raise InputError(f"{program} knows the standard rules alone, not {MOST_FOURS}")

    @property
    def decisive(self) -> int:
        """The length of a line that ends the game; 0 if no line does."""
        return 0 if self.most_fours else self.connect

    @cached_property
    def bottom(self) -> int:
        """The bits of the lowest cell of every column."""
        return bottom_row(self.columns, self.rows)

    @cached_property
    def cells(self) -> int:
        """The bits of every cell."""
        return all_cells(self.columns, self.rows)

    @cached_property
    def columns_of_cells(self) -> tuple[int, ...]:
        """The bits of every column's cells."""
        return tuple(((1 << self.rows) - 1) << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def _shifts(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each of the four directions its stride, and the shifts that find runs of `connect` cells by doubling."""
        steps, length = [], 1
        while length < self.connect:
            steps.append(min(length, self.connect - length))
            length += steps[-1]
        strides = (1, self.rows + 1, self.rows + 2, self.rows)
        return tuple((stride, tuple(step * stride for step in steps)) for stride in strides)

    def line(self, discs: int) -> int:
        """Return the cells of all fours in `discs`, 0 if there is none."""
        cells = 0
        for stride, shifts in self._shifts:
            starts = discs
            for shift in shifts:
                starts &= starts >> shift
            if starts:
                for step in range(self.connect):
                    cells |= starts << step * stride
        return cells

    def fours(self, discs: int) -> int:
        """Return the number of fours in `discs`."""
        count = 0
        for _, shifts in self._shifts:
            starts = discs
            for shift in shifts:
                starts &= starts >> shift
            count += starts.bit_count()
        return count


def bottom_row(columns: int, rows: int) -> int:
    """Return the bits of the lowest cell of every column."""
    return sum(1 << column * (rows + 1) for column in range(columns))


def all_cells(columns: int = 7, rows: int = 6) -> int:
    """Return the bits of every cell, without the empty row on top; `agents.bits.windows` compiles this function."""
    cells = 0
    for column in range(columns):
        cells |= ((1 << rows) - 1) << column * (rows + 1)
    return cells


def mirrored(word: int, columns: int, rows: int) -> int:
    """Return a word with its columns in reverse order; a column has `rows` bits and one more above them.

    Kernels compile this function (`agents.bits.bitboard`); it also takes a numpy array of words.
    """
    height = rows + 1
    image = word & 0
    for column in range(columns):
        image |= (word >> column * height & (1 << height) - 1) << (columns - 1 - column) * height
    return image


def lines_in(discs: int, rows: int, connect: int) -> int:
    """Return a non-zero word if `discs` hold `connect` in a line, else 0; for kernels and arrays, as `mirrored`."""
    lines = discs & 0
    for stride in (1, rows + 1, rows + 2, rows):
        # A shift by a word or more is undefined in machine code, and no line is that long.
        if (connect - 1) * stride < WORD_BITS:
            line = discs
            for length in (1, 2, 4, 8, 16, 32):  # `line` marks runs of this length; each step joins two of them
                if length < connect:
                    line = line & line >> min(length, connect - length) * stride
            lines = lines | line
    return lines


STANDARD = Rules()
