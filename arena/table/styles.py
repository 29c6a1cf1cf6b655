"""The output styles of tables: plain, GitHub, CSV, LaTeX, HTML and JSON."""

from __future__ import annotations

import csv
import functools
import html
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.errors import InputError, unknown
from agents.specs.plugins import format_error, installed

Grid = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[str]], str]
"""Returns a table from its headers, the cells of each line, and the alignment of each column, `left` or `right`."""
Cells = Sequence[Sequence[str]]
"""The cells of some lines, column by column."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Writes a table piece by piece."""

    before: str
    """The text above the first line, with the headers."""
    lines: Callable[[Cells], str]
    """Returns some lines as text, each beginning with the line end of the one before."""
    after: str = ""


Framing = Callable[[Sequence[str], Cells, Sequence[str]], Frame]
"""Returns a frame from the headers, columns with the widest cells, and the alignment of each column."""

LONG: Final = 1000
"""Lines from which on tabulate is too slow: it takes half a second for ten thousand games."""
_MARK: Final = "\ue000"
_STAND: Final = {"left": str.ljust, "right": str.rjust}


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A format of tabulate, which writes long tables in a tenth of tabulate's time."""

    form: str
    escape: Callable[[str], str] | None = None
    """Makes cells safe, as tabulate does."""
    ready: Callable[[str], str] = str
    """Makes headers and cells safe that tabulate does not escape."""
    signs: dict[int, str] | None = None
    """The replacements of characters, in the whole text."""

    def grid(self, headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        """Return a whole table."""
        if len(lines) < LONG:
            return self._tabulated(headers, lines, sides)
        columns = list(zip(*lines, strict=True))
        frame = self.frame(headers, columns, sides)
        return frame.before + frame.lines(columns) + frame.after

    def frame(self, headers: Sequence[str], columns: Cells, sides: Sequence[str]) -> Frame:
        """Return the frame of a table as wide as these columns, which include the widest cells."""
        widths = [self._width([header, *cells]) for header, cells in zip(headers, columns, strict=True)]
        text = self._tabulated(headers, [[_MARK * width for width in widths]], sides)
        before, line, after = re.fullmatch(rf"(.*?)(\n[^\n]*{_MARK}[^\n]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        start, *ends = re.split(f"{_MARK}+", line)

        def lines(columns: Cells) -> str:
            parts = zip(columns, widths, sides, ends, strict=True)
            written = [self._written(cells, width, side, end) for cells, width, side, end in parts]
            return "".join([start + "".join(line).rstrip() for line in zip(*written, strict=True)])

        return Frame(before, lines, after)

    def _width(self, cells: Sequence[str]) -> int:
        return max(len(self.ready(cell.strip())) for cell in cells)

    def _written(self, cells: Sequence[str], width: int, side: str, end: str) -> list[str]:
        """Return the padded cells of a column with the text after them; one escape for all is fastest."""
        stand = _STAND[side]
        padded = [stand(self.ready(cell.strip()), width) for cell in cells]
        if self.escape is not None:
            padded = self.escape("\n".join(padded)).split("\n")
        return [cell + end for cell in padded]

    def _tabulated(self, headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        import tabulate

        tabulate.MIN_PADDING = 0  # else headers of narrow columns are two spaces too wide
        headers, lines = list(map(self.ready, headers)), [list(map(self.ready, line)) for line in lines]
        text = tabulate.tabulate(
            lines, headers=headers, tablefmt=self.form, disable_numparse=True, colalign=sides if lines else None
        )
        return text.translate(self.signs) if self.signs else text


def csv_grid(headers: Sequence[str], lines: Sequence[Sequence[str]], _: Sequence[str]) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headers, *lines])
    return text.getvalue().removesuffix("\n")


def csv_frame(headers: Sequence[str], _: Cells, __: Sequence[str]) -> Frame:
    """Return the frame of a CSV table."""
    return Frame(csv_grid(headers, (), ()), lambda columns: csv_grid((), list(zip(*columns, strict=True)), ()))


def json_document(value: Any, meta: Mapping[str, Any] | None = None) -> str:  # noqa: ANN401  what JSON can write
    """Return one JSON document; raises ValueError for nan and infinity.

    meta: the metadata from `arena.store.machine.meta`: one more key of an object, or of each row in a list.
    """
    if meta is not None:
        value = [row | {"meta": meta} for row in value] if isinstance(value, list) else value | {"meta": meta}
    return harmless_json(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False))


def harmless_json(text: str) -> str:
    """Return the same JSON with control characters escaped; json escapes only those of ASCII."""
    return text if text.isascii() else _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_OBEYED = re.compile("[\x80-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Style:
    """The format of tables, their titles and the lines between them."""

    grid: Grid
    title: str = "{}"
    """The line above a table."""
    note: str = "{}"
    """A line between tables."""
    between: str = "\n\n"
    """The text between two lines of one part."""
    escape: Callable[[str], str] = str
    """Makes titles and notes safe."""
    whole: str = "{}"
    """The document around a report; single tables have none."""
    fits: bool = False
    """Whether tables must fit into a terminal."""
    data: bool = False
    """Whether it is for programs: one table without title and notes, with fields as headers and full numbers."""
    document: Callable[[Any, Mapping[str, Any] | None], str] | None = None
    """Writes rows as plain data with their metadata, instead of `grid`; for a style with `data`."""
    frame: Framing | None = None
    """Writes tables piece by piece if they are too long for memory; None if the style needs all lines at once."""


def find(name: str) -> Style:
    """Return the style of that name, perhaps of an installed package. Raises InputError."""
    if name in STYLES:
        return STYLES[name]
    packages = installed("styles")
    if name not in packages:
        raise unknown("style", name, known())
    try:
        style = packages[name].load()
    except Exception as error:
        raise InputError(f"style {name!r} does not import: {format_error(error)}") from error
    if not isinstance(style, Style):
        raise InputError(f"style {name!r}: {packages[name].value} is not a Style of arena.table.styles")
    return style


def known() -> list[str]:
    """Return the names of all styles, with those of installed packages last."""
    return list(dict.fromkeys([*STYLES, *installed("styles")]))


def _html(text: str) -> str:
    return html.escape(text, quote=False)


def _github(text: str) -> str:
    return _html(text).replace("|", "\\|") if re.search("[|<>&]", text) else text


def latex(text: str) -> str:
    """Return a text escaped for LaTeX."""
    signs, written = _unsafe()
    return signs.sub(lambda match: written[match[0]], text)


@functools.cache
def _unsafe() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the characters that LaTeX needs escaped, and their replacements."""
    import tabulate

    written = tabulate.LATEX_ESCAPE_RULES | {chr(sign): command for sign, command in SIGNS.items()}
    return re.compile(f"[{re.escape(''.join(written))}]"), written


SIGNS = str.maketrans(
    {"→": r"$\rightarrow$", "←": r"$\leftarrow$", "×": r"$\times$", "±": r"$\pm$", "…": r"\ldots{}", "µ": r"$\mu$"}
)
"""LaTeX for the characters in our tables that would need a package."""
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Connect4 Arena</title></head>
<body>
{}
</body>
</html>"""
PLAIN, HTML = Tabulated("simple"), Tabulated("html", html.escape)
GITHUB = Tabulated("github", ready=_github)
LATEX = Tabulated("latex_booktabs", latex, signs=SIGNS)
"""For the package booktabs, with commands for characters that LaTeX does not know."""
STYLES: dict[str, Style] = {
    "plain": Style(PLAIN.grid, between="\n", fits=True, frame=PLAIN.frame),
    "github": Style(GITHUB.grid, title="### {}\n", escape=_html, frame=GITHUB.frame),
    "csv": Style(csv_grid, data=True, frame=csv_frame),
    "json": Style(csv_grid, data=True, document=json_document),
    "latex": Style(LATEX.grid, title="% {}", note="% {}", between="\n", frame=LATEX.frame),
    "html": Style(HTML.grid, title="<h3>{}</h3>", note="<p>{}</p>", escape=_html, whole=PAGE, frame=HTML.frame),
}
