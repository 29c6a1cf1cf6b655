"""Tables of the cost of a run's searches: effort by depth and by phase, and nodes by kind."""

from __future__ import annotations

from arena.table.labels import Labels
from arena.table.parts import Part, Table
from arena.table.rows import columns
from arena.tournament.busy import busy
from arena.tournament.effort import Effort, Phase, compact, effort, phases, usual
from arena.tournament.frames import Frames

EFFORT = columns(Effort)
PHASES = columns(Phase)


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
