"""The table of ratings."""

from __future__ import annotations

from collections.abc import Sequence

from arena.statistics.ratings import Rating
from arena.table.parts import Detail, Part, Table
from arena.table.rows import columns

RATINGS = columns(Rating, "agent", "elo", "gap", "gap_los", "games", "score")


def pool_parts(ratings: Sequence[Rating], method: str) -> list[Part]:
    """Return the table of ratings. method: the basis of the intervals, in words."""
    return [Table("ratings", "Ratings", Rating, ratings, RATINGS), Detail(f"95 %: {method}")]
