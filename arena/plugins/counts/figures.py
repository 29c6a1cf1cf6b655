"""The figure of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.table.labels import of_rows
from arena.table.picture import Picture
from arena.table.rows import rows_of
from arena.tournament import strength_figures

if TYPE_CHECKING:
    import pandas as pd


def ratings(rows: Sequence[strength_figures.Rated]) -> list[Picture]:
    """Return the figure of ratings."""
    return [strength_figures.standings(rows, of_rows(rows))]


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of such a table as a DataFrame."""
    from arena.statistics.ratings import Rating

    return ratings(rows_of(table, Rating))
