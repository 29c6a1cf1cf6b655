"""What searches did inside: their nodes by kind, which move cut, and how far they are from the least."""

from __future__ import annotations

from collections.abc import Sequence

from arena.report.column import Column, Table, known, label
from arena.report.labels import NOBODY, Labels
from arena.report.numbers import count, fixed, percent
from arena.report.position import place

TITLE = "Inside the search: what its nodes were, which of the moves tried cut, and nodes over the minimal tree"


def turns(cutoffs: Sequence[float]) -> str:
    """Write how much of the cutting each move tried did, in percent."""
    every = sum(cutoffs)
    return " ".join(f"{100 * cut / every:.0f}" for cut in cutoffs) if every else "-"


INSIDE = [
    Column("agent", "agent", label),
    Column("position", "position", place, any),
    Column("depth", "depth"),
    Column("inner", "inner", count),
    Column("leaves", "leaves", count),
    Column("from table", "table_cutoffs", count, any, least=1),
    Column("cut", "cut_share", percent),
    Column("by the first", "first_move_cut_rate", percent),
    Column("by the 1st, 2nd … move, %", "cutoffs", turns, least=2),
    Column("probes", "probes", count, any, least=3),
    Column("hits", "hits", count, any, least=3),
    Column("minimal", "minimal_nodes", count, known),
    Column("× minimal", "over_minimal", fixed(2), known),
    Column("uniform", "uniform_nodes", count, least=1),
]


def insides(rows: Sequence[object], labels: Labels = NOBODY) -> Table:
    """Return what searches did inside, a row for each agent and depth."""
    return Table("inside", TITLE, type(rows[0]) if rows else object, rows, INSIDE, labels)
