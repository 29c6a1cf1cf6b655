"""A table is a list of columns; one function writes it in any style."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from agents.errors import unknown
from arena.records import Interval, Outcomes
from arena.table import rows as row_kinds
from arena.table import styles
from arena.table.cells import agent_label
from arena.table.labels import NOBODY, Labels, harmless
from arena.table.rows import Column

NUMBER = re.compile(r"[-+±…←→[\] ,.%*\d]*( [kM]| [µm]?s)?( \*)?|skipped|to end")
"""A number, or a text of numbers such as 3-1-0, 12.5 M or +30 ± 8."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report."""

    name: str
    """For programs; tables with the same name hold parts of one list of rows."""
    title: str
    row: type
    """The dataclass of the rows."""
    rows: Sequence[object]
    columns: Sequence[Column]
    labels: Labels = NOBODY
    """The names of agents in columns written by `agent_label`."""
    lines: Sequence[object] | None = None
    """The objects that the columns show, if not the rows."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """More notes, by the header of the column."""
    detail: bool = False
    """Whether a command prints it only with --wide or by its name."""

    @property
    def meaning(self) -> str:
        """The notes on the columns shown, as a line below the table."""
        notes = {column.header: column.note for column in reversed(self.columns) if column.note}
        if not notes and not self.notes:
            return ""
        shown = {column.header: column.cells for column in cells(self.lines or self.rows, self.columns)}
        starred = {header for header, texts in shown.items() if any(text.endswith("*") for text in texts)}
        shown_notes = {header: notes[header] for header in shown if header in notes} | dict(self.notes)
        return "; ".join(
            f"{header}: {note}"
            for header, note in shown_notes.items()
            if header in (starred if note.startswith("*") else shown)
        )


class Detail(str):
    """Text that a command prints only with --wide, and a page folds, such as the method behind a number."""

    __slots__ = ()
    folded = True


Part = Table | str
"""A string is text of one or more lines."""


def brief(parts: Iterable[Part]) -> list[Part]:
    """Return the parts of a report without the details."""
    return [part for part in parts if not (part.detail if isinstance(part, Table) else isinstance(part, Detail))]


LONGEST = 1_000
"""Rows that a table shows to people; a style for programs has all."""


def limited(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts of a report, of a longer table the first rows and a line that says so."""
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        yield replace(part, rows=part.rows[:LONGEST], lines=part.lines and part.lines[:LONGEST])
        yield left_out(len(part.lines or part.rows))


def left_out(rows: int) -> str:
    """Return a line below a table that does not show all of so many rows, or nothing."""
    return f"the first {LONGEST:,} of {rows:,} rows: --style csv has all" if rows > LONGEST else ""


def explained(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts of a report that are not empty, each table followed by its notes."""
    for part in parts:
        said = [part] if isinstance(part, str) else [part, part.meaning] if part.rows else []
        yield from filter(None, said)


def named_tables(parts: Sequence[Part], only: str = "") -> tuple[list[Table], list[object]]:
    """Return the tables with the name `only`, by default the first, and their rows. Raises InputError."""
    named: dict[str, list[Table]] = {}
    for part in parts:
        if isinstance(part, Table):
            named.setdefault(part.name, []).append(part)
    if only and only not in named:
        raise unknown("table", only, named)
    tables = named[only or next(iter(named))]
    return tables, list({id(row): row for table in tables for row in table.rows}.values())


def render(
    rows: Sequence[object], columns: Sequence[Column], style: str, labels: Labels = NOBODY, row: type | None = None
) -> str:
    """Return rows as a table in a style: with these columns or, for programs, with all fields and full numbers.

    row: the class of the rows, needed if there may be none.
    """
    way = styles.find(style)
    if way.document is not None:
        return way.document(row_kinds.plain(rows), None)
    if way.data:
        names = row_kinds.names(row or type(rows[0]))
        return way.grid(names, [[full(row_kinds.value(record, name)) for name in names] for record in rows], [])
    shown = cells(rows, columns, labels)
    lines = list(zip(*(column.cells for column in shown), strict=True))
    return way.grid([column.header for column in shown], lines, [column.side for column in shown])


@dataclass(frozen=True, slots=True)
class Cells:
    """A column as text."""

    header: str
    cells: list[str]
    values: Sequence[object]
    """The value behind each cell, by which a page sorts."""

    @property
    def side(self) -> str:
        """The alignment, `left` or `right`: numbers are aligned to the right."""
        return "right" if all(map(NUMBER.fullmatch, self.cells)) else "left"


def cells(rows: Sequence[object], columns: Sequence[Column], labels: Labels = NOBODY) -> list[Cells]:
    """Return the columns to show, with a cell for each row."""
    shown = []
    for column in columns:
        write, missing = labels.of if column.write is agent_label else column.write, column.missing
        content = _content(column.of, rows)
        values = [_value(item) for item in content]
        if column.when(values):
            more = [[row_kinds.value(row, column.beside) for row in rows]] if column.beside else []
            lines = zip(content, *more, strict=True)
            written = [missing if items[0] is None else harmless(write(*items)) for items in lines]
            shown.append(Cells(column.header, written, values))
    return shown


def _content(of: str | Callable[[Any], object], rows: Sequence[object]) -> Sequence[object]:
    """Return what a column shows of each row."""
    if of == "#":
        return range(1, len(rows) + 1)
    return [of(row) if callable(of) else row_kinds.value(row, of) for row in rows]


def _value(content: object) -> object:
    """Return the value by which a cell is sorted: of an interval its value, of outcomes the wins."""
    if isinstance(content, Interval):
        return content.value if math.isfinite(content.value) else None
    return content.wins if isinstance(content, Outcomes) else content


def full(value: object) -> str:
    """Return a value as text for programs: empty if it is missing, JSON if it is a list."""
    if isinstance(value, str):
        return value if value.isprintable() else "\n".join(map(harmless, value.split("\n")))
    if value is None:
        return ""
    if isinstance(value, (tuple, list)):
        return json.dumps(value, default=asdict, ensure_ascii=False)
    return str(value)
