"""Figures of a depth table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents.board import STANDARD
from agents.errors import InputError
from arena.table.labels import of_rows
from arena.table.picture import Picture
from arena.table.rows import rows_of
from arena.tournament import effort_figures as effort

if TYPE_CHECKING:
    import pandas as pd


def depths(rows: Sequence[Any], columns: int) -> list[Picture]:
    """Return the figures of a depth table; rows of several positions become their means. columns: of the board.

    Raises InputError if no row has a depth and was measured.
    """
    labels = of_rows(rows)
    measured = [row for row in rows if row.nodes is not None and row.depth is not None]
    if not measured:
        raise InputError("there is nothing to draw: every search was skipped or has no depth")
    clear = [row for row in measured if not getattr(row, "mostly_call", False)] or measured
    return [effort.states(measured, columns, labels), effort.times(measured, labels), effort.speed(clear, labels)]


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of such a table as a DataFrame."""
    from arena.depth.cost import Cost

    return depths(rows_of(table, Cost), STANDARD.columns)
