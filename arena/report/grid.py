"""Tables as text, whole or piece by piece: as the library tabulate writes them, and as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

Grid = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[str]], str]
"""Makes a table of its headers, the cells of each line, and how each column stands, `left` or `right`."""
Cells = Sequence[Sequence[str]]
"""Those of some lines, column by column."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a table is written with piece by piece."""

    before: str
    """The headers, and all that stands above the first line."""
    lines: Callable[[Cells], str]
    """Writes some lines, each after the end of the one before."""
    after: str = ""


Framing = Callable[[Sequence[str], Sequence[int], Sequence[str]], Frame]
"""Makes a frame of the headers, how wide each column is, and how it stands."""

LONG: Final = 1000
"""Lines of a table for which tabulate takes too long: half a second for ten thousand games."""
_MARK: Final = "\ue000"
_STAND: Final = {"left": str.ljust, "right": str.rjust}


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A format of tabulate. A long table is written as tabulate would, in a tenth of its time."""

    form: str
    escape: Callable[[str], str] | None = None
    """Makes cells safe, as tabulate does."""
    ready: Callable[[str], str] = str
    """Makes headers and cells safe that tabulate takes as they are."""
    signs: dict[int, str] | None = None
    """What is written in place of signs, wherever they stand."""

    def grid(self, headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        """Return a whole table."""
        if len(lines) < LONG:
            return self._tabulated(headers, lines, sides)
        columns = list(zip(*lines, strict=True))
        widths = [max(map(_width, [header, *cells])) for header, cells in zip(headers, columns, strict=True)]
        frame = self.frame(headers, widths, sides)
        return frame.before + frame.lines(columns) + frame.after

    def frame(self, headers: Sequence[str], widths: Sequence[int], sides: Sequence[str]) -> Frame:
        """Return what stands around the cells, as a table of one line as wide as all of them shows it."""
        text = self._tabulated(headers, [[_MARK * width for width in widths]], sides)
        before, line, after = re.fullmatch(rf"(.*?)(\n[^\n]*{_MARK}[^\n]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        start, *ends = re.split(f"{_MARK}+", line)

        def lines(columns: Cells) -> str:
            parts = zip(columns, widths, sides, ends, strict=True)
            written = [self._written(cells, width, side, end) for cells, width, side, end in parts]
            return "".join([start + "".join(line).rstrip() for line in zip(*written, strict=True)])

        return Frame(before, lines, after)

    def _written(self, cells: Sequence[str], width: int, side: str, end: str) -> list[str]:
        """Return the cells of a column as they stand in their lines; to escape all at once is fastest."""
        stand = _STAND[side]
        padded = [stand(self.ready(cell.strip()), width) for cell in cells]
        if self.escape is not None:
            padded = self.escape("\n".join(padded)).split("\n")
        return [cell + end for cell in padded]

    def _tabulated(self, headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        import tabulate

        tabulate.MIN_PADDING = 0  # else headers of narrow columns are two blanks wider than their text
        headers, lines = list(map(self.ready, headers)), [list(map(self.ready, line)) for line in lines]
        text = tabulate.tabulate(
            lines, headers=headers, tablefmt=self.form, disable_numparse=True, colalign=sides if lines else None
        )
        return text.translate(self.signs) if self.signs else text


def _width(cell: str) -> int:
    return len(cell.strip())


def csv_grid(headers: Sequence[str], lines: Sequence[Sequence[str]], _: Sequence[str]) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headers, *lines])
    return text.getvalue().removesuffix("\n")


def csv_frame(headers: Sequence[str], _: Sequence[int], __: Sequence[str]) -> Frame:
    """Return what CSV is written with piece by piece."""
    return Frame(csv_grid(headers, (), ()), lambda columns: csv_grid((), list(zip(*columns, strict=True)), ()))
