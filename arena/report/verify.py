"""What a verification visited, as a table of nodes saved against plain minimax."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.measure.savings import Saving
from arena.report.column import Column, Table
from arena.report.numbers import count, percent


def table(savings: Sequence[Saving]) -> Table:
    """Return the share of plain minimax's nodes that each search visited, a line a search and a column a variant."""
    cells = {(row.search, row.variant): row.share for row in savings}
    lines = {row.search: row for row in reversed(savings)}
    variants = dict.fromkeys(row.variant for row in savings)
    columns = [Column("search", "search"), *(Column(each, partial(_share, cells, each), percent) for each in variants)]
    first = savings[0]
    title = f"{first.how}: share of plain minimax's {count(first.minimax)} nodes, depth {first.depth}"
    return Table("savings", title, Saving, savings, columns, lines=list(reversed(lines.values())))


def _share(cells: dict[tuple[str, str], float], variant: str, row: Saving) -> float | None:
    return cells.get((row.search, variant))
