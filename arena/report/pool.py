"""The ratings of a pool as a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.analysis.nash import Averaged
from arena.analysis.pool import Superiority
from arena.report import meaning
from arena.report.column import Column, Table, known, label
from arena.report.numbers import elo_interval, gap, percent, rating, shares, superiority
from arena.statistics.cycles import Cycles
from arena.statistics.ranking import Rating


def _chance(number: int, row: Superiority) -> float:
    return row.los[number]


RATINGS = [
    Column("agent", "agent", label),
    Column("Elo", "elo marked", rating, known),
    Column("95 %", "elo low high", elo_interval, known),
    Column("behind", "gap gap_high", gap, known, least=2),
    Column("LOS %", "gap_los", superiority, known, least=1),
    Column("games", "games", least=4),
    Column("score", "score", percent, least=3),
]


NASH = [
    Column("nash", "nash", percent),
    Column("95 %", "nash_low nash_high", shares, known),
    Column("value", "nash_value", percent),
    Column("95 %", "nash_value_low nash_value_high", shares, known, least=1),
]


def cyclic(found: Cycles) -> str:
    """Return what no rating explains, and what chance alone makes of it, as a line."""
    line = f"cyclic, which no rating explains: {percent(found.share)}"
    if found.p is not None and found.expected is not None and found.low is not None and found.high is not None:
        chance = f"{percent(found.expected)} [{found.low * 100:.1f} to {found.high * 100:.1f}]"
        line += f" ({_p(found.p)}: without any circle as many games leave {chance})"
    else:
        line += " (exact over these openings)"
    if found.worst is None or found.scores is None:
        return f"{line}; no three agents score over each other in a circle"
    if found.shown is None:
        assert found.worst_p is not None
        return f"{line}; no cycle of three shows ({_p(found.worst_p)})"
    around = " scores over ".join([*found.worst, found.worst[0]])
    margins = ", ".join([*map(percent, found.scores), *([] if found.worst_p is None else [_p(found.worst_p)])])
    return f"{line}; worst cycle: {around} ({margins})"


def _p(share: float) -> str:
    return f"p = {share:.3f}" if share < 0.1 else f"p = {share:.2f}"


def table(ratings: Sequence[Rating], method: str) -> Table:
    """Return the ratings; where they come with chances, numbered, with the chances against the agents by number.

    `method` is what their intervals rest on.
    """
    columns = RATINGS + NASH if isinstance(ratings[0], Averaged) else RATINGS
    if isinstance(ratings[0], Superiority):
        chances = (Column(f"LOS {n + 1}", partial(_chance, n), superiority) for n in range(len(ratings)))
        columns = [Column("#", "#"), *RATINGS, *chances]
    title = f"Ratings, 95 %: {method}"
    notes = {name: text for name, text in meaning.RATES.items() if name != "Elo" or any(row.marked for row in ratings)}
    return Table("ratings", title, type(ratings[0]), ratings, columns, notes=notes)
