"""The styles that reports are written in, a row each."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.errors import InputError, unknown
from agents.plugins import installed, one_line

Grid = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[str]], str]
"""Makes a table of its headers, the cells of each line, and how each column stands, `left` or `right`."""


@dataclass(frozen=True, slots=True)
class Style:
    """How tables, their titles and the lines between them are written."""

    grid: Grid
    title: str = "{}"
    """Stands above a table, a line of its own."""
    note: str = "{}"
    """A line between tables."""
    between: str = "\n\n"
    """Parts two lines that belong together."""
    escape: Callable[[str], str] = str
    """Makes titles and notes safe."""
    whole: str = "{}"
    """What a report stands in; parts of one, asked for by name, are put into documents of the user's own."""
    fits: bool = False
    """Whether it is read in a terminal, and made no wider."""
    data: bool = False
    """Whether it is read by programs: one table without title and notes, fields for headers, full numbers for cells."""


def find(name: str) -> Style:
    """Return the style of that name, which may come with an installed package. Raises InputError."""
    if name in STYLES:
        return STYLES[name]
    packages = installed("styles")
    if name not in packages:
        raise unknown("style", name, known())
    try:
        found = packages[name].load()
    except Exception as error:
        raise InputError(f"style {name!r} does not import: {one_line(error)}") from error
    if not isinstance(found, Style):
        raise InputError(f"style {name!r}: {packages[name].value} is not a Style of arena.report.styles")
    return found


def known() -> list[str]:
    """Return the names of all styles, those of installed packages last."""
    return list(dict.fromkeys([*STYLES, *installed("styles")]))


def _tabulated(form: str) -> Grid:
    """Return what makes a table in a format of the library tabulate."""

    def grid(headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
        import tabulate

        tabulate.MIN_PADDING = 0  # else headers of narrow columns are two blanks wider than their text
        return tabulate.tabulate(
            lines, headers=headers, tablefmt=form, disable_numparse=True, colalign=sides if lines else None
        )

    return grid


LONG = 1000
"""Lines of a table for which tabulate takes too long: half a second for ten thousand games."""


def _plain(headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
    """Return a table for a terminal; a long one as tabulate would write it, in a tenth of its time."""
    if len(lines) < LONG:
        return _tabulated("simple")(headers, lines, sides)
    stand = {"left": str.ljust, "right": str.rjust}
    columns = []
    for cells, side in zip(zip(headers, *lines, strict=True), sides, strict=True):
        texts = [cell.strip() for cell in cells]
        width = max(map(len, texts))
        texts.insert(1, "-" * width)
        columns.append([stand[side](text, width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _csv(headers: Sequence[str], lines: Sequence[Sequence[str]], _: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headers, *lines])
    return text.getvalue().removesuffix("\n")


def _html(text: str) -> str:
    return html.escape(text, quote=False)


def _latex(headers: Sequence[str], lines: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
    """Return a table for the package booktabs, with signs that LaTeX does not know as commands."""
    return _tabulated("latex_booktabs")(headers, lines, sides).translate(SIGNS)


SIGNS = str.maketrans(
    {"→": r"$\rightarrow$", "←": r"$\leftarrow$", "×": r"$\times$", "±": r"$\pm$", "…": r"\ldots{}", "µ": r"$\mu$"}
)
"""What stands in LaTeX for the signs that our tables use, so that no package is needed for them."""
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Connect4 Arena</title></head>
<body>
{}
</body>
</html>"""
STYLES: dict[str, Style] = {
    "plain": Style(_plain, between="\n", fits=True),
    "github": Style(_tabulated("github"), title="### {}\n"),
    "csv": Style(_csv, data=True),
    "latex": Style(_latex, title="% {}", note="% {}", between="\n"),
    "html": Style(_tabulated("html"), title="<h3>{}</h3>", note="<p>{}</p>", escape=_html, whole=PAGE),
}
