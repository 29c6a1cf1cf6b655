"""A table as a page shows it: cells as people read them, with what sorts them, and the same as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.report.column import Part, Table, cells, explained, render


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str
    key: float | None
    """What sorts the column; None where the text does."""
    side: str
    """`left` or `right`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A table within a page."""

    name: str
    title: str
    headers: list[tuple[str, str]]
    """Each with the side its cells stand at."""
    lines: list[list[Cell]]
    csv: str
    """All fields with full numbers."""


def shown(table: Table) -> Shown:
    """Return a table as a page shows it."""
    rows = table.lines or table.rows
    columns = cells(rows, table.columns, table.labels)
    told = [[Cell(text, _key(value), c.side) for text, value in zip(c.cells, c.values, strict=True)] for c in columns]
    return Shown(
        table.name,
        table.title,
        [(column.header, column.side) for column in columns],
        [list(line) for line in zip(*told, strict=True)],
        render(table.rows, table.columns, "csv", row=table.row),
    )


def blocks(parts: Sequence[Part]) -> list[Shown | str]:
    """Return the tables that have rows, and the lines between them."""
    return [shown(part) if isinstance(part, Table) else part for part in explained(parts)]


def _key(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
