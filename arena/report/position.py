"""What heuristics and orderings make of positions."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.divided import Divided
from arena.measure.position import Tried, Value
from arena.report.column import Column, Table, label
from arena.report.numbers import count, listed


def place(position: str) -> str:
    """Write the moves to a position."""
    return position or "(empty)"


VALUES = [
    Column("position", "position", place),
    Column("heuristic", "heuristic", label),
    Column("mover", "mover"),
    Column("first", "first"),
]
ORDERS = [
    Column("position", "position", place),
    Column("ordering", "ordering", label),
    Column("columns", "columns", listed),
    Column("scores", "scores", listed),
]
DIVIDED = [
    Column("column", "column"),
    Column("sequences", "sequences", count),
    Column("nodes", "nodes", count),
]


def values(rows: Sequence[Value]) -> Table:
    """Return what heuristics value positions at."""
    return Table("values", "", Value, rows, VALUES)


def orders(rows: Sequence[Tried]) -> Table:
    """Return in which order orderings try the moves of positions."""
    return Table("orders", "", Tried, rows, ORDERS)


def divided(rows: Sequence[Divided]) -> Table:
    """Return the size of the tree below each first move."""
    return Table("divide", "", Divided, rows, DIVIDED)
