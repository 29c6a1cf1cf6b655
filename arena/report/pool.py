"""The ratings of a pool as a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.analysis.pool import Superiority
from arena.report.column import Column, Table, known, label
from arena.report.numbers import fixed, gap, percent, superiority
from arena.statistics.ranking import Rating


def _chance(number: int, row: Superiority) -> float:
    return row.los[number]


def _starred(elo: float, marked: bool) -> str:
    return f"{elo:.1f}{' *' if marked else ''}"


RATINGS = [
    Column("agent", "agent", label),
    Column("elo", "elo marked", _starred),
    Column("low", "low", fixed(1)),
    Column("high", "high", fixed(1)),
    Column("behind", "gap gap_high", gap, known),
    Column("LOS %", "gap_los", superiority, known),
    Column("games", "games"),
    Column("score", "score", percent),
]


def table(ratings: Sequence[Rating], method: str) -> Table:
    """Return the ratings; where they come with chances, numbered, with the chances against the agents by number.

    `method` is what their intervals rest on.
    """
    columns = RATINGS
    if isinstance(ratings[0], Superiority):
        chances = (Column(f"LOS {n + 1}", partial(_chance, n), superiority) for n in range(len(ratings)))
        columns = [Column("#", "#"), *RATINGS, *chances]
    return Table("ratings", f"Ratings, 95 %: {method}", type(ratings[0]), ratings, columns)
