"""The size of the board and how many in a line win."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from agents.errors import InputError

WORD_BITS = 64


@dataclass(frozen=True)
class Rules:
    """The size of the board, and how many in a line win. Raises InputError where the board does not fit a word."""

    columns: int = 7
    rows: int = 6
    connect: int = 4

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
        """Return the rules that "COLUMNSxROWS" or "COLUMNSxROWSxCONNECT" names, such as "7x6" or "9x6x5"."""
        if not re.fullmatch(r"\d{1,3}x\d{1,3}(x\d{1,3})?", text):
            raise InputError(f"board {text!r} is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4")
        return cls(*(int(part) for part in text.split("x")))

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}x{self.connect}"

    @cached_property
    def bottom(self) -> int:
        """The bits of the lowest cell of every column."""
        return sum(1 << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def cells(self) -> int:
        """The bits of every cell."""
        return self.bottom * ((1 << self.rows) - 1)

    @cached_property
    def columns_of_cells(self) -> tuple[int, ...]:
        """The bits of every column's cells."""
        return tuple(((1 << self.rows) - 1) << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def _shifts(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each of the four directions its stride, and shifts that join cells to runs of `connect` by doubling."""
        steps, length = [], 1
        while length < self.connect:
            steps.append(min(length, self.connect - length))
            length += steps[-1]
        strides = (1, self.rows + 1, self.rows + 2, self.rows)
        return tuple((stride, tuple(step * stride for step in steps)) for stride in strides)

    def line(self, discs: int) -> int:
        """Return the cells of all lines of `connect` in `discs`; 0 where there is none."""
        found = 0
        for stride, shifts in self._shifts:
            starts = discs
            for shift in shifts:
                starts &= starts >> shift
            if starts:
                for step in range(self.connect):
                    found |= starts << step * stride
        return found


STANDARD = Rules()
