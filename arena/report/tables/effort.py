"""Tables of what the searches of a run cost: effort by depth and phase, and nodes by kind."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.effort import TO_END, Effort, Phase, compact, effort, phases, usual
from arena.analysis.frames import Frames
from arena.report import footnotes
from arena.report.column import Column, Part, Table, known, label
from arena.report.labels import NOBODY, Labels
from arena.report.numbers import count, fixed, milliseconds, percent, rate


def place(position: str) -> str:
    """Write the moves to a position."""
    return position or "(empty)"


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


EFFORT = [
    Column("agent", "agent", label),
    Column("depth", "depth", lambda depth: "to end" if depth == TO_END else str(depth)),
    Column("searches", "searches", count, least=2),
    Column("nodes", "nodes", count),
    Column("median", "nodes_median", count, least=1),
    Column("ms", "ms ms_high", milliseconds),
    Column("nodes/s", "nodes_per_second", rate),
    Column("branching", "branching", fixed(2)),
    Column("a ply ×", "growth", fixed(2), known, least=1),
]
PHASES = [
    Column("agent", "agent", label),
    Column("depth", "depth"),
    Column("phase", "phase"),
    Column("searches", "searches", count),
    Column("nodes", "nodes", count),
    Column("ms", "ms ms_high", milliseconds),
    Column("cut", "cut_share", percent, known),
    Column("by the first", "first_move_cut_rate", percent, known),
]


def parts(frames: Frames) -> list[Part]:
    """Return the table of effort; of a run that was looked into what its searches did inside, too, and by phase."""
    rows, labels = effort(frames), Labels.among(frames.agents["name"])
    title, kind = "Effort: what a search of each depth costs", type(rows[0]) if rows else Effort
    notes = footnotes.measured(footnotes.EFFORT, frames.load())
    table = Table("effort", title, kind, rows, EFFORT, labels, compact(frames), notes)
    return [table, *([insides(rows, labels), by_phase(frames)] if len(frames.inside) else [])]


def apart(frames: Frames) -> list[Part]:
    """Return the table by phase of a run that was not looked into, which is shown only where it is asked for."""
    return [by_phase(frames)] if frames.inside.empty else []


def by_phase(frames: Frames) -> Table:
    """Return the table of effort by phase."""
    rows, labels = phases(frames), Labels.among(frames.agents["name"])
    title = "Effort by phase: opening, middle and end are thirds of the cells; of several depths the usual one"
    notes = footnotes.measured(footnotes.PHASE, frames.load())
    return Table("phases", title, Phase, rows, PHASES, labels, usual(rows), notes)
