"""A DataFrame as text, in the styles that reports are written in."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping

import pandas as pd
import tabulate

tabulate.MIN_PADDING = 0  # else headers of narrow columns are two blanks wider than their text


def render(frame: pd.DataFrame, style: str, formats: Mapping[str, Callable[[object], str]] | None = None) -> str:
    """Return the table in a style of FORMATS. `formats` say how a column's cells are written, keyed by its header.

    CSV keeps the full numbers; a missing cell is empty there and a dash elsewhere.
    """
    if style == "csv":
        return str(frame.to_csv(index=False, lineterminator="\n")).rstrip("\n")
    formats = formats or {}
    columns = {}
    for name in frame.columns:
        write = formats.get(name, _plain)
        columns[name] = ["-" if _missing(cell) else write(cell) for cell in frame[name]]
    return tabulate.tabulate(
        columns,
        headers="keys",
        tablefmt=FORMATS[style],
        disable_numparse=True,
        colalign=[_alignment(cells) for cells in columns.values()] if len(frame) else None,
    )


def _alignment(cells: list[str]) -> str:
    """Numbers and what is made of them, such as 3-1-0, 12.5 M or +30 ± 8, stand to the right."""
    return "right" if all(re.fullmatch(r"[-+±…←→ ,.%*\d]*( [kM]| [µm]?s)?|skipped", cell) for cell in cells) else "left"


def title(text: str, style: str) -> str:
    """Return a heading in the style."""
    return TITLES[style].format(html.escape(text, quote=False) if style == "html" else text)


def section(heading: str, table: str, style: str) -> str:
    """Return a table below its heading."""
    return f"{title(heading, style)}\n{table}"


def note(text: str, style: str) -> str:
    """Return a line below a table in the style."""
    if style == "latex":
        text = re.sub(r"[&%$#_{}]", r"\\\g<0>", text)
    return NOTES[style].format(html.escape(text, quote=False) if style == "html" else text)


def count(value: object) -> str:
    """Write a count with separators of thousands, a fraction below 100 with one decimal."""
    number = float(value)  # type: ignore[arg-type]
    return f"{number:,.0f}" if number >= 100 or number.is_integer() else f"{number:,.1f}"


def rate(value: object) -> str:
    """Write a large number in millions or thousands."""
    number = float(value)  # type: ignore[arg-type]
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f}"


def fixed(digits: int) -> Callable[[object], str]:
    """Return a writer of numbers with that many decimals."""
    return lambda value: f"{float(value):.{digits}f}"  # type: ignore[arg-type]


def significant(digits: int) -> Callable[[object], str]:
    """Return a writer that keeps that many significant digits, without an exponent."""

    def write(value: object) -> str:
        number = float(value)  # type: ignore[arg-type]
        if number == 0:
            return "0"
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(number))))
        return f"{number:,.{decimals}f}"

    return write


def duration(value: object) -> str:
    """Write seconds in the unit that suits them."""
    seconds = float(value)  # type: ignore[arg-type]
    unit, size = next(((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3)) if seconds >= size), ("µs", 1e-6))
    return f"{significant(3)(seconds / size)} {unit}"


def percent(value: object) -> str:
    """Write a share as percent."""
    return f"{float(value) * 100:.1f} %"  # type: ignore[arg-type]


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


FORMATS: dict[str, str] = {
    "plain": "simple",
    "github": "github",
    "csv": "csv",
    "latex": "latex_booktabs",
    "html": "html",
}
TITLES: dict[str, str] = {
    "plain": "{}",
    "github": "### {}\n",
    "csv": "# {}",
    "latex": "% {}",
    "html": "<h3>{}</h3>",
}
NOTES: dict[str, str] = {
    "plain": "{}",
    "github": "{}",
    "csv": "# {}",
    "latex": "{}",
    "html": "<p>{}</p>",
}
