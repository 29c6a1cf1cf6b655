"""Two runs side by side as a table."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.difference import Change
from arena.report import meaning
from arena.report.column import Column, Part, Table, label
from arena.report.labels import Labels
from arena.report.numbers import count, fixed, gain, gains, percent, ratios, significant


def _scores(old: float, new: float) -> str:
    return f"{percent(old)} → {percent(new)}"


def _counts(old: float, new: float) -> str:
    return f"{count(old)} → {count(new)}"


CHANGES = [
    Column("agent", "agent", label),
    Column("games", "games", least=2),
    Column("score", "score_old score_new", _scores, least=5),
    Column("gain", "score", gain),
    Column("95 %", "score_low score_high", gains),
    Column("positions", "positions", least=4),
    Column("same moves", "same_moves", percent),
    Column("same nodes", "same_nodes", percent, least=3),
    Column("nodes", "nodes_old nodes_new", _counts, least=6),
    Column("nodes ×", "nodes", significant(4)),
    Column("time ×", "ms", fixed(2)),
    Column("95 %", "ms ms_low ms_high", ratios),
]


def parts(changes: Sequence[Change]) -> list[Part]:
    """Return the comparison as a table, and a line for each agent that plays identically or visited other nodes."""
    labels = Labels.among(row.agent for row in changes)
    lines = [
        f"{labels.of(row.agent)} searches differently: other nodes in {row.other_nodes} of {row.positions} positions"
        for row in changes
        if row.other_nodes
    ]
    same = [
        f"{labels.of(row.agent)} is identical: {row.games:,} of {row.games:,} games the same"
        for row in changes
        if row.identical
    ]
    return [Table("changes", "", Change, changes, CHANGES, labels, notes=meaning.CHANGES), *same, *lines, labels.note]
