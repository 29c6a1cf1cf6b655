"""Grades as a table, and what they are measured on."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.marks import Marks, Paper
from arena.report.column import Column, Part, Table, known, label
from arena.report.labels import Labels
from arena.report.numbers import count, gains, milliseconds_of, percent, shares

MARKS = [
    Column("agent", "agent", label),
    Column("depth", "depth", when=known),
    Column("good", "good", percent, least=1),
    Column("perfect", "perfect", percent, least=2),
    Column("clear-cut good", "clear_good", percent),
    Column("95 %", "clear_good_low clear_good_high", shares),
    Column("clear-cut perfect", "clear_perfect", percent, least=3),
    Column("gain, 95 %", "gain_low gain_high", gains, known),
    Column("nodes", "nodes", count),
    Column("ms", "seconds seconds_high", milliseconds_of),
]


def parts(marks: Sequence[Marks], paper: Paper | None) -> list[Part]:
    """Return the marks of agents, and of any legal move, and what they are measured on; `paper` is None for none."""
    if paper is None or not marks:
        return [Table("grades", "", Marks, marks, MARKS)]
    labels = Labels.among(dict.fromkeys(row.agent for row in marks))
    plural = "s" if paper.positions > 1 else ""
    where = f"{paper.positions:,} position{plural} of {paper.first_ply} to {paper.last_ply} plies"
    gained = f"gain: percentage points of clear-cut good moves over {labels.of(marks[0].agent)} at the same depth"
    return [
        Table("grades", "", Marks, marks, MARKS, labels, lines=[*marks, paper.chance]),
        f"{where}, of which {paper.clear_cut:,} are clear-cut: a legal move loses value",
        gained if any(row.gain is not None for row in marks) else "",
        labels.note,
    ]
