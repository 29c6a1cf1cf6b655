"""Tables of the cost of a run's searches: effort by depth and by phase, and nodes by kind."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.effort import Effort, Phase, ProfileColumns, compact, effort, phases, usual
from arena.analysis.frames import Frames
from arena.cells import agent_label, place
from arena.report.column import Part, Table, busy
from arena.report.labels import NOBODY, Labels
from arena.rows import Column, columns

TITLE = "Search profile: kinds of nodes, the moves that caused cut-offs, and nodes over the minimal tree"
PROFILE = [
    Column("agent", "agent", agent_label),
    Column("position", "position", place, any),
    Column("depth", "depth"),
    *columns(ProfileColumns, "inner leaves table_cutoffs cut_share first_move_cut_rate *"),
]
EFFORT = columns(Effort)
PHASES = columns(Phase)


def profile_table(rows: Sequence[object], labels: Labels = NOBODY) -> Table:
    """Return the search profile, a row for each agent and depth."""
    return Table("inside", TITLE, type(rows[0]) if rows else object, rows, PROFILE, labels)


def parts(frames: Frames) -> list[Part]:
    """Return the table of effort; of a profiled run also its search profile, and effort by phase."""
    rows, labels = effort(frames), Labels.among(frames.agents["name"])
    title, kind = "Effort: what a search of each depth costs", type(rows[0]) if rows else Effort
    table = Table("effort", title, kind, rows, busy(EFFORT, frames.load()), labels, compact(frames))
    return [table, *([profile_table(rows, labels), by_phase(frames)] if len(frames.profiles) else [])]


def apart(frames: Frames) -> list[Part]:
    """Return the table by phase of a run without a search profile, which appears only on request."""
    return [by_phase(frames)] if frames.profiles.empty else []


def by_phase(frames: Frames) -> Table:
    """Return the table of effort by phase."""
    rows, labels = phases(frames), Labels.among(frames.agents["name"])
    title = "Effort by phase: opening, middle and end are thirds of the cells; of several depths the most frequent"
    return Table("phases", title, Phase, rows, busy(PHASES, frames.load()), labels, usual(rows))
