"""The output styles of tables: plain, GitHub, CSV, LaTeX, HTML and JSON."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.errors import InputError, unknown
from agents.specs.plugins import format_error, installed

Grid = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[str]], str]
"""Returns a table from its headers, the cells of each line, and the alignment of each column, `left` or `right`."""


def tabulated(form: str, safe: Callable[[str], str] = str, signs: Mapping[int, str] | None = None) -> Grid:
    """Return a format of tabulate.

    safe: makes headers and cells safe that tabulate does not escape. signs: replacements of characters in the whole
    text.
    """

    def grid(headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        import tabulate

        tabulate.MIN_PADDING = 0  # else headers of narrow columns are two spaces too wide
        headers, *lines = [list(map(safe, cells)) for cells in (headers, *lines)]
        text = tabulate.tabulate(lines, headers, form, disable_numparse=True, colalign=sides if lines else None)
        return text.translate(signs) if signs else text

    return grid


def csv_lines(lines: Iterable[Sequence[str]]) -> str:
    """Return lines of cells as CSV, without the last line end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().removesuffix("\n")


def csv_grid(headers: Sequence[str], lines: Sequence[Sequence[str]], _: Sequence[str]) -> str:
    """Return a table as CSV."""
    return csv_lines([headers, *lines])


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


SIGNS = str.maketrans(
    {"→": r"$\rightarrow$", "←": r"$\leftarrow$", "×": r"$\times$", "±": r"$\pm$", "…": r"\ldots{}", "µ": r"$\mu$"}
)
"""LaTeX for the characters in our tables that would need a package; the tables need booktabs."""
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Connect4 Arena</title></head>
<body>
{}
</body>
</html>"""
STYLES: dict[str, Style] = {
    "plain": Style(tabulated("simple"), between="\n", fits=True),
    "github": Style(tabulated("github", _github), title="### {}\n", escape=_html),
    "csv": Style(csv_grid, data=True),
    "json": Style(csv_grid, data=True, document=json_document),
    "latex": Style(tabulated("latex_booktabs", signs=SIGNS), title="% {}", note="% {}", between="\n"),
    "html": Style(tabulated("html"), title="<h3>{}</h3>", note="<p>{}</p>", escape=_html, whole=PAGE),
}
