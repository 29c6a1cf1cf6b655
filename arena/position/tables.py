"""Tables of positions, by heuristic, ordering and first move."""

from __future__ import annotations

from collections.abc import Sequence

from arena.position.position import Divided, Tried, Value
from arena.table.parts import Table
from arena.table.rows import columns

VALUES = columns(Value)
ORDERS = columns(Tried)
DIVIDED = columns(Divided)


def values(rows: Sequence[Value]) -> Table:
    """Return the values of positions by heuristics."""
    return Table("values", "", Value, rows, VALUES)


def orders(rows: Sequence[Tried]) -> Table:
    """Return the orders in which orderings try the moves of positions."""
    return Table("orders", "", Tried, rows, ORDERS)


def divided(rows: Sequence[Divided]) -> Table:
    """Return the size of the tree below each first move."""
    return Table("divide", "", Divided, rows, DIVIDED)
