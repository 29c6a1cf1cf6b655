"""Reports as text: tables, and the lines between them, in any style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.analysis.rows import names
from arena.report import styles
from arena.report.column import Columns, Part, Table, always, cells, chosen, explained, full, render
from arena.report.labels import harmless
from arena.report.width import fitted


def write(parts: Sequence[Part], style: str, only: str = "", width: int | None = None, *, whole: bool = True) -> str:
    """Return a report in a style, or `only` the tables of one name; of a style for programs one table.

    width: columns of the terminal in which people read it, where they do; in other styles it changes nothing.
    whole: as a document of its own, in styles that have such; never of one table. Raises InputError where there is no
    table of that name.
    """
    return "".join(written(parts, style, only, width, whole=whole))


def written(
    parts: Sequence[Part], style: str, only: str = "", width: int | None = None, *, whole: bool = True
) -> Iterator[str]:
    """Yield the same piece by piece."""
    way = styles.find(style)
    if way.data:
        tables, rows = chosen(parts, only)
        yield from _table(tables[0] if tables[0].pieces else replace(tables[0], rows=rows), style)
        return
    shown: Sequence[Part] = chosen(parts, only)[0] if only else parts
    if way.fits and width is not None:
        shown = fitted(shown, width)
    before, _, after = way.whole.format("\0").partition("\0") if whole and not only else ("", "", "")
    for place, part in enumerate(explained(shown)):
        yield "\n\n" if place else before
        yield from _part(part, style)
    yield after


def _part(part: Part, style: str) -> Iterator[str]:
    way = styles.find(style)
    if isinstance(part, str):
        yield way.between.join(way.note.format(way.escape(harmless(line))) for line in part.split("\n"))
        return
    if part.title:
        title = "\n".join(map(harmless, part.title.split("\n")))
        yield f"{way.title.format(way.escape(title))}\n"
    yield from _table(part, style)


def _table(table: Table, style: str) -> Iterator[str]:
    """Yield a table; one that comes in pieces as wide, and with the columns, that its few rows have."""
    way = styles.find(style)
    if table.pieces is None:
        rows = table.rows if way.data else table.lines or table.rows
        yield render(rows, table.columns, style, table.labels, table.row)
        return
    shown = [(column, each) for column in table.columns for each in cells(table.rows, [column], table.labels)]
    columns = [replace(column, when=always) for column, _ in shown]
    widths = [max(map(len, [each.header, *each.cells])) for _, each in shown]
    headers = names(table.row) if way.data else [each.header for _, each in shown]
    sides = [each.side for _, each in shown]

    def written(piece: Columns) -> list[list[str]]:
        if way.data:
            return [list(map(full, piece[name])) for name in headers]
        return [each.cells for each in cells(piece, columns, table.labels)]

    if way.frame is None:
        lines = [line for piece in table.pieces() for line in zip(*written(piece), strict=True)]
        yield way.grid(headers, lines, sides)
        return
    frame = way.frame(headers, widths, sides)
    yield frame.before
    for piece in table.pieces():
        yield frame.lines(written(piece))
    yield frame.after
