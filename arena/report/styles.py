"""The styles that reports are written in, a row each."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from agents.errors import InputError, unknown
from agents.plugins import installed, one_line
from arena.report.grid import Framing, Grid, Tabulated, csv_frame, csv_grid


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
    frame: Framing | None = None
    """How tables are written whose lines are too many to be held; None where all are held all the same."""


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


def _html(text: str) -> str:
    return html.escape(text, quote=False)


def _github(text: str) -> str:
    return _html(text).replace("|", "\\|") if re.search("[|<>&]", text) else text


def _latex(text: str) -> str:
    signs, written = _unsafe()
    return signs.sub(lambda found: written[found[0]], text)


@functools.cache
def _unsafe() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the signs that LaTeX takes for commands or does not know, and what stands for each."""
    import tabulate

    written = tabulate.LATEX_ESCAPE_RULES | {chr(sign): command for sign, command in SIGNS.items()}
    return re.compile(f"[{re.escape(''.join(written))}]"), written


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
PLAIN, HTML = Tabulated("simple"), Tabulated("html", html.escape)
GITHUB = Tabulated("github", ready=_github)
LATEX = Tabulated("latex_booktabs", _latex, signs=SIGNS)
"""For the package booktabs, with signs that LaTeX does not know as commands."""
STYLES: dict[str, Style] = {
    "plain": Style(PLAIN.grid, between="\n", fits=True, frame=PLAIN.frame),
    "github": Style(GITHUB.grid, title="### {}\n", escape=_html, frame=GITHUB.frame),
    "csv": Style(csv_grid, data=True, frame=csv_frame),
    "latex": Style(LATEX.grid, title="% {}", note="% {}", between="\n", frame=LATEX.frame),
    "html": Style(HTML.grid, title="<h3>{}</h3>", note="<p>{}</p>", escape=_html, whole=PAGE, frame=HTML.frame),
}
