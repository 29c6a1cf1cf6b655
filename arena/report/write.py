"""Reports as text: tables, and the lines between them, in any style."""

from __future__ import annotations

from collections.abc import Sequence

from arena.report import styles
from arena.report.column import Part, chosen, explained, render
from arena.report.width import fitted


def write(parts: Sequence[Part], style: str, only: str = "", width: int | None = None, *, whole: bool = True) -> str:
    """Return a report in a style, or `only` the tables of one name; of a style for programs one table.

    width: columns of the terminal in which people read it, where they do; in other styles it changes nothing.
    whole: as a document of its own, in styles that have such; never of one table. Raises InputError where there is no
    table of that name.
    """
    way = styles.find(style)
    if way.data:
        tables, rows = chosen(parts, only)
        return render(rows, tables[0].columns, style, row=tables[0].row)
    shown: Sequence[Part] = chosen(parts, only)[0] if only else parts
    if way.fits and width is not None:
        shown = fitted(shown, width)
    text = "\n\n".join(_part(part, style) for part in explained(shown))
    return way.whole.format(text) if whole and not only else text


def _part(part: Part, style: str) -> str:
    way = styles.find(style)
    if isinstance(part, str):
        return way.between.join(way.note.format(way.escape(line)) for line in part.splitlines())
    table = render(part.lines or part.rows, part.columns, style, part.labels)
    return f"{way.title.format(way.escape(part.title))}\n{table}" if part.title else table
