"""Renders reports as text in any style, and fits them into a terminal's width."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.table import styles
from arena.table.cells import agent_label
from arena.table.labels import Labels, harmless, key, shorter
from arena.table.parts import Part, Table, cells, explained, limited, named_tables, render
from arena.table.rows import Column, plain

NARROWEST = 12
"""The least width, in characters, to which a column's cells are cut."""
MOST = 6
"""Columns left out, up to which a line names all."""
GAP = 2
"""Spaces between two columns."""


def fitted(parts: Sequence[Part], width: int) -> list[Part]:
    """Return a report with no table wider than `width`, unless the names alone are.

    All tables use the same names for agents, which a key before the first table explains. A line below each table lists
    the columns left out.
    """
    tables = [part for part in parts if isinstance(part, Table) and part.rows]
    shown = dict.fromkeys(name for table in tables for name in _names(table))
    forms: list[dict[str, str] | None] = [None, *shorter(shown)]
    fitting = {id(table): kept(table, width, forms[-1]) for table in tables}
    names = next((form for form in forms if all(_width(table, form) <= width for table in fitting.values())), forms[-1])
    report: list[Part] = []
    explained = False
    for part in parts:
        if not isinstance(part, Table):
            report.append("\n".join(wrap(line, width) for line in part.splitlines()))
        elif part.rows:
            left = _named(fitting[id(part)], names)
            if names is not None and not explained and _names(part):
                report.append(key(names, width))
                explained = True
            report.append(replace(left, title=wrap(part.title, width), notes={}, columns=_cut(left, width)))
            lines = wrap(left.meaning, width), wrap(_left_out(part, left), width)
            report.append("\n".join(filter(None, lines)))
    return report


def wrap(text: str, width: int) -> str:
    """Return a text as lines of at most that width; a longer word stays whole."""
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def hanging(line: str, width: int | None) -> str:
    """Return a line of an indented text, wrapped with a hanging indent; unchanged if `width` is None."""
    if width is None or len(line) <= width:
        return line
    start = len(line) - len(line.lstrip("* "))
    place, narrow = " " * (start + 3), max(width, start + 40)
    return "\n".join(textwrap.wrap(line, narrow, subsequent_indent=place, break_long_words=False))


def _names(table: Table) -> list[str]:
    """Return the full names of the agents in a table."""
    shown = [column for column in table.columns if column.write is agent_label]
    columns = cells(table.lines or table.rows, [replace(column, write=str) for column in shown])
    return [str(value) for column in columns for value in column.values if value is not None]


def _named(table: Table, names: Mapping[str, str] | None) -> Table:
    return table if names is None else replace(table, labels=Labels(dict(names), ""))


def kept(table: Table, width: int, names: Mapping[str, str] | None = None) -> Table:
    """Return a table without the columns that do not fit, dropped by rank, then from the right; those of agents stay.

    width: characters of a line. names: shorter names of agents.
    """
    widths = _widths(_named(table, names))
    while _sum(widths) > width:
        columns = [column for column, _ in widths]
        rank = max(column.least for column in columns)
        last = [column for column in columns[1:] if column.write is not agent_label][-1:]
        gone = [column for column in columns if column.least == rank] if rank else last
        if not gone:
            break
        widths = [(column, needed) for column, needed in widths if column not in gone]
    return replace(table, columns=[column for column, _ in widths])


def _width(table: Table, names: Mapping[str, str] | None) -> int:
    return _sum(_widths(_named(table, names)))


def _sum(widths: Sequence[tuple[Column, int]]) -> int:
    return sum(width for _, width in widths) + GAP * (len(widths) - 1)


def _widths(table: Table, narrowest: int = NARROWEST) -> list[tuple[Column, int]]:
    """Return the shown columns with their widths; columns that may be cut count at most `narrowest`."""
    widths = []
    for column in table.columns:
        for shown in cells(table.lines or table.rows, [column], table.labels):
            needed = max(map(len, [shown.header, *shown.cells]))
            widths.append((column, min(needed, max(narrowest, len(shown.header))) if column.cuts else needed))
    return widths


def _cut(table: Table, width: int) -> list[Column]:
    """Return the columns; those that may be cut share the remaining width."""
    several = max(1, sum(column.cuts is not None for column in table.columns))
    room = width - _sum(_widths(table, 0))
    columns = [_narrow(column, max(NARROWEST, len(column.header) + room // several)) for column in table.columns]
    return [replace(column, note="") for column in columns]  # the notes come below the table, wrapped


def _narrow(column: Column, width: int) -> Column:
    cut = column.cuts
    return column if cut is None else replace(column, write=lambda *values: cut(column.write(*values), width))


def _left_out(whole: Table, left: Table) -> str:
    """Return a line with the columns left out, empty if there are none.

    If several columns have one name, it also names the column before.
    """
    there = [column for column in whole.columns if cells(whole.lines or whole.rows, [column])]
    times = Counter(column.header for column in there)
    headers, before = [], ""
    for column in there:
        before = column.header if times[column.header] == 1 else before
        if column not in left.columns:
            headers.append(column.header if column.header == before else f"{column.header} after {before}")
    headers = headers if len(headers) <= MOST else [*headers[:2], "…", headers[-1]]
    return f"left out: {', '.join(headers)} (--wide shows all)" if headers else ""


def write(
    parts: Sequence[Part],
    style: str,
    only: str = "",
    width: int | None = None,
    *,
    whole: bool = True,
    meta: Mapping[str, Any] | None = None,
) -> str:
    """Return a report in a style; styles for programs have one table. Raises InputError if there is no such table.

    only: the name of the only table to write. width: the width of the terminal, for styles that fit into one. whole:
    write a whole document, in styles that have documents and without `only`. meta: metadata for a style with documents.
    """
    way = styles.find(style)
    if way.data:
        tables, rows = named_tables(parts, only)
        if way.document is not None:
            return way.document(plain(rows), meta)
        return render(rows, (), style, row=tables[0].row)
    shown = list(limited(named_tables(parts, only)[0] if only else parts))
    if way.fits and width is not None:
        shown = fitted(shown, width)
    text = "\n\n".join(_written(part, style) for part in explained(shown))
    return way.whole.format(text) if whole and not only else text


def _written(part: Part, style: str) -> str:
    way = styles.find(style)
    if isinstance(part, str):
        return way.between.join(way.note.format(way.escape(harmless(line))) for line in part.split("\n"))
    title = "\n".join(map(harmless, part.title.split("\n")))
    table = render(part.lines or part.rows, part.columns, style, part.labels, part.row)
    return f"{way.title.format(way.escape(title))}\n{table}" if title else table
