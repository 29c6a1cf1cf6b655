"""Which neighbours of a pool are shown to be in order, as a table and a line."""

from __future__ import annotations

from typing import Any

from arena.analysis.frames import Frames
from arena.analysis.order import Neighbours, neighbours
from arena.analysis.rows import plain
from arena.report.column import Column, Part, Table, label
from arena.report.labels import Labels
from arena.report.numbers import fixed

ORDER = [
    Column("#", "place"),
    Column("agent", "agent", label),
    Column("above", "against", label),
    Column("pairs", "pairs", least=1),
    Column("evidence", "evidence", fixed(1), least=1),
    Column("needed", "needed", fixed(1), least=2),
    Column("order", "shown", lambda shown: "shown" if shown else "open"),
]


def parts(frames: Frames) -> list[Part]:
    """Return the neighbours and how many are shown; nothing of runs of another order."""
    found = neighbours(frames)
    if not found:
        return []
    labels = Labels.among(frames.agents["name"])
    shown = sum(each.shown for each in found)
    title = "Order: neighbours by all games, and the evidence of their own that the one is better, in nats"
    line = f"{shown} of {len(found)} neighbours are shown to be in order"
    return [Table("order", title, Neighbours, found, ORDER, labels), line]


def document(frames: Frames) -> dict[str, Any]:
    """Return the same as plain data; nothing of runs of another order."""
    found = neighbours(frames)
    return {"order": plain(found)} if found else {}
