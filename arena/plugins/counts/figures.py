"""The figure of ratings."""

from __future__ import annotations

from collections.abc import Sequence

from arena.table.labels import of_rows
from arena.table.picture import Picture
from arena.tournament import strength_figures


def ratings(rows: Sequence[strength_figures.Rated]) -> list[Picture]:
    """Return the figure of ratings."""
    return [strength_figures.standings(rows, of_rows(rows))]
