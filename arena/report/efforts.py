"""What searches cost, by their depth and by the phase of the game."""

from __future__ import annotations

from arena.analysis.effort import TO_END, Effort, compact, effort
from arena.analysis.frames import Frames
from arena.analysis.phases import Phase, phases, usual
from arena.report import meaning
from arena.report.column import Column, Part, Table, known, label
from arena.report.inside import insides
from arena.report.labels import Labels
from arena.report.numbers import count, fixed, milliseconds, percent, rate

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
    table = Table("effort", title, kind, rows, EFFORT, labels, compact(frames), meaning.EFFORT)
    return [table, *([insides(rows, labels), by_phase(frames)] if len(frames.inside) else [])]


def apart(frames: Frames) -> list[Part]:
    """Return the table by phase of a run that was not looked into, which is shown only where it is asked for."""
    return [by_phase(frames)] if frames.inside.empty else []


def by_phase(frames: Frames) -> Table:
    """Return the table of effort by phase."""
    rows, labels = phases(frames), Labels.among(frames.agents["name"])
    title = "Effort by phase: opening, middle and end are thirds of the cells; of several depths the usual one"
    return Table("phases", title, Phase, rows, PHASES, labels, usual(rows), meaning.PHASE)
