"""Grades as a table, and what they are measured on."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.marks import Marks, Paper
from arena.measure.reference import RUNG
from arena.measure.stages import StageMarks
from arena.report import meaning
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
    Column("mirrored alike", "mirrored", percent, known, least=2),
    Column("nodes", "nodes", count),
    Column("ms", "seconds seconds_high", milliseconds_of),
]


BY_STAGE = [
    *MARKS[:2],
    Column("stage", "stage"),
    Column("difficulty", "difficulty"),
    Column("positions", "positions", count),
    *MARKS[2:4],
    Column("clear-cut", "clear_cut", count, least=2),
    *MARKS[4:7],
]


def parts(marks: Sequence[Marks], paper: Paper | None, by_stage: Sequence[StageMarks] = ()) -> list[Part]:
    """Return the marks of agents, and of any legal move, and what they are measured on; `paper` is None for none."""
    if paper is None or not marks:
        return [Table("grades", "", Marks, marks, MARKS)]
    labels = Labels.among(dict.fromkeys(row.agent for row in marks))
    plural = "s" if paper.positions > 1 else ""
    where = f"{paper.positions:,} position{plural} of {paper.first_ply} to {paper.last_ply} plies"
    gained = f"gain: percentage points of clear-cut good moves over {labels.of(marks[0].agent)} at the same depth"
    return [
        Table("grades", "", Marks, marks, MARKS, labels, lines=[*marks, paper.chance], notes=meaning.GRADES),
        *([Table("stages", "By stage and difficulty", StageMarks, by_stage, BY_STAGE, labels)] if by_stage else []),
        f"{where}, of which {paper.clear_cut:,} are clear-cut: a legal move loses value",
        "\n".join(standing(row, labels, paper.rungs) for row in marks) if paper.rungs else "",
        gained if any(row.gain is not None for row in marks) else "",
        labels.note,
    ]


def standing(row: Marks, labels: Labels, rungs: Sequence[int]) -> str:
    """Return the sentence that says at what depth the reference ladder answers as well."""
    who = f"{labels.of(row.agent)}{'' if row.depth is None else f' at depth {row.depth}'}"
    low, high = row.plays_like_low, row.plays_like_high
    if row.plays_like is None:
        if low is None and high is None:
            return f"{who}: these positions do not tell the rungs of the ladder apart"
        least, most = (f"{RUNG}:depth={depth}" for depth in (rungs[0], rungs[-1]))
        return f"{who} is beyond the ladder: {f'better than {most}' if high is None else f'worse than {least}'}"
    if low is not None and high is not None:
        error = f" ± {(high - low) / 2:.1f}"
    else:
        error = f" ({'or less' if low is None else f'{low:.1f}'} … {'or more' if high is None else f'{high:.1f}'})"
    return f"{who} plays like {RUNG}:depth={row.plays_like:.1f}{error} of the reference ladder"
