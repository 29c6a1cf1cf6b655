"""Tables of an audit and of grades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from arena.perfect import kept as audit
from arena.perfect.grading import RUNG, Grade, Grading, chance
from arena.perfect.kept import AgentAudit, Audited, Kept, RangeAudit
from arena.table.cells import PROBABLY, agent_label, percent
from arena.table.labels import Labels
from arena.table.parts import Detail, Part, Table
from arena.table.rows import Column, columns, plain, value
from arena.tournament.frames import Frames

KEPT = [*columns(Audited, "agent"), *columns(Kept)]
THROWN = columns(
    AgentAudit, "agent", "games", "wins_thrown", "draws_thrown", "blunder_games", "first_blunder_median",
    "first_blunder_mean", "won_games", "won_games_lost",
)  # fmt: skip
KEPT_TITLE = "Value kept: moves that kept a win or a draw"


def audit_document(frames: Frames) -> dict[str, Any]:
    """Return the rows of agents and of ranges of plies, and the audited share of the run, as plain data."""
    return {
        "agents": plain(audit.agents(frames)),
        "ranges": plain(audit.ranges(frames)),
        "audited": plain([audit.coverage(frames)])[0],
    }


def audit_part(frames: Frames) -> dict[str, Any]:
    """Return the part of an audit in a run's document: the rows of its agents, or nothing."""
    agents = plain(audit.agents(frames))
    return {"audit": agents} if agents else {}


def audit_parts(frames: Frames) -> list[Part]:
    """Return the audit's tables and the line that counts its moves."""
    agents, done = audit.agents(frames), audit.coverage(frames)
    labels = Labels.among(frames.agents["name"])
    ranges = audit.ranges(frames)
    return [
        kept(frames, agents),
        Detail("".join(f"95 %: {row.basis}" for row in agents[:1])),
        Table("audit", "Thrown away: wins and draws that a move gave up", AgentAudit, agents, THROWN, labels),
        Table("ranges", "Value kept, by ply", RangeAudit, ranges, _by_ply(ranges), labels, lines=_one_a_line(ranges)),
        f"audited games {done.games:,} of {done.games_played:,}, moves {done.moves:,}, clear-cut {done.clear_cut:,}"
        + (f"; left out: {done.drawn:,} random moves in place of replies" if done.drawn else "")
        + (f"; the games are a sample of the run's {frames.pairings['games'].sum():,}" if frames.sampled else ""),
    ]


def of_run(frames: Frames, only: str) -> list[Part]:
    """Return the audit's part of a run's tables: the main one, or all if one table is asked for."""
    return audit_parts(frames) if only else [kept(frames)]


def kept(frames: Frames, agents: Sequence[AgentAudit] | None = None) -> Table:
    """Return the main table, how often each agent kept the value; without rows if no game is audited.

    agents: the rows, if they are there; tables that share their rows print each once for programs.
    """
    agents = audit.agents(frames) if agents is None else agents
    labels = Labels.among(frames.agents["name"])
    title = "; ".join(filter(None, [KEPT_TITLE, labels.note]))
    return Table("audit", title, AgentAudit, agents, KEPT, labels)


def _by_ply(ranges: Sequence[RangeAudit]) -> list[Column]:
    """Return a column for each range of plies: of all moves, then of the clear-cut ones."""
    cells = {(row.agent, row.first): row for row in ranges}
    spans = {(row.first, row.last) for row in ranges}
    return [Column("agent", "agent", agent_label)] + [
        Column(f"{prefix} {first}-{last}", partial(_cell, cells, first, field), percent)
        for prefix, field in (("ply", "kept"), ("clear-cut", "clear_kept"))
        for first, last in sorted(spans)
    ]


def _one_a_line(ranges: Sequence[RangeAudit]) -> list[RangeAudit]:
    return [row for row in ranges if row.first == 0]


def _cell(cells: dict[tuple[str, int], RangeAudit], first: int, field: str, row: RangeAudit) -> object:
    return value(cells[row.agent, first], field)


GRADES = columns(Grade)
GRADE_NOTES = {
    "95 %": PROBABLY.format("share of clear-cut good"),
    "gain, 95 %": PROBABLY.format("gain"),
    "ms": "mean time of a move",
}


def grade_parts(grades: Sequence[Grade], grading: Grading | None) -> list[Part]:
    """Return the grades of agents and of random moves, and the sample; without `grading` only an empty table."""
    if grading is None or not grades:
        return [Table("grades", "", Grade, grades, GRADES)]
    labels = Labels.among(dict.fromkeys(row.agent for row in grades))
    exercises, rungs = grading.exercises, grading.ladder.depths if grading.ladder else ()
    plies = [exercise.board.ply for exercise in exercises]
    where = f"{len(plies):,} position{'s' if len(plies) > 1 else ''} of {min(plies)} to {max(plies)} plies"
    clear_cut = sum(exercise.clear_cut for exercise in exercises)
    gained = f"gain: percentage points of clear-cut good moves over {labels.of(grades[0].agent)} at the same depth"
    return [
        Table("grades", "", Grade, grades, GRADES, labels, lines=[*grades, chance(exercises)], notes=GRADE_NOTES),
        f"{where}, of which {clear_cut:,} are clear-cut: a legal move loses value",
        "\n".join(standing(row, labels, rungs) for row in grades) if rungs else "",
        gained if any(row.gain is not None for row in grades) else "",
        *(f"{labels.of(row.agent)} made no legal move in {row.unanswered:,} positions, which count as wrong"
          for row in grades if row.unanswered),
        labels.note,
    ]  # fmt: skip


def standing(row: Grade, labels: Labels, rungs: Sequence[int]) -> str:
    """Return a sentence with the depth at which the reference ladder answers as well."""
    agent = f"{labels.of(row.agent)}{'' if row.depth is None else f' at depth {row.depth}'}"
    if row.plays_like is None:
        return f"{agent}: these positions do not separate the rungs of the ladder"
    depth, low, high = row.plays_like.value, row.plays_like.low, row.plays_like.high
    if math.isinf(depth):
        end = f"above the highest rung, {RUNG}:depth={rungs[-1]}" if depth > 0 else (
            f"below the lowest rung, {RUNG}:depth={rungs[0]}"
        )  # fmt: skip
        return f"{agent} is {end}, by perfect moves: wins as soon, and losses as late, as possible"
    if low is not None and high is not None:
        error = f" ± {(high - low) / 2:.1f}"
    else:
        error = f" ({'or less' if low is None else f'{low:.1f}'} … {'or more' if high is None else f'{high:.1f}'})"
    return f"{agent} plays like {RUNG}:depth={depth:.1f}{error} of the reference ladder"
