"""Tables of the cost of a run's searches: effort by depth and by phase; and notes on times of a busy machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.store.machine import Load
from arena.table.labels import Labels
from arena.table.parts import Part, Table
from arena.table.rows import Column, columns
from arena.tournament.effort import Effort, Phase, compact, effort, phases, usual
from arena.tournament.frames import Frames

EFFORT = columns(Effort)
PHASES = columns(Phase)
TIMES = {"ms", "time ×"}
"""Headers of times, which depend on the load of the machine."""


def busy(columns: Sequence[Column], *loads: Load | None) -> list[Column]:
    """Return columns, with a note on times if the machine was busy during the measurement."""
    notes = dict.fromkeys(load.note for load in loads if load is not None and load.busy)
    return [
        replace(column, note=", ".join([column.note, *notes])) if column.note and column.header in TIMES else column
        for column in columns
    ]


def parts(frames: Frames) -> list[Part]:
    """Return the table of effort."""
    rows, labels = effort(frames), Labels.among(frames.agents["name"])
    title = "Effort: what a search of each depth costs"
    return [Table("effort", title, Effort, rows, busy(EFFORT, frames.load()), labels, compact(frames))]


def by_phase(frames: Frames) -> Table:
    """Return the table of effort by phase."""
    rows, labels = phases(frames), Labels.among(frames.agents["name"])
    title = "Effort by phase: opening, middle and end are thirds of the cells; of several depths the most frequent"
    return Table("phases", title, Phase, rows, busy(PHASES, frames.load()), labels, usual(rows))
