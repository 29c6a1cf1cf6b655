"""An audit as tables, and as one document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from arena.analysis import audit
from arena.analysis.audited import AgentAudit, AgentDistance, RangeAudit
from arena.analysis.frames import Frames
from arena.analysis.rows import plain
from arena.report import meaning
from arena.report.column import Column, Part, Table, label
from arena.report.labels import Labels
from arena.report.numbers import count, fixed, percent, shares

KEPT = [
    Column("agent", "agent", label),
    Column("moves", "moves", count, least=3),
    Column("kept", "kept", percent),
    Column("95 %", "low high", shares, least=4),
    Column("by chance", "chance", percent, least=2),
    Column("clear-cut", "clear_cut", count, least=1),
    Column("of these kept", "clear_kept", percent),
    Column("95 %", "clear_low clear_high", shares),
    Column("by chance", "clear_chance", percent),
]
THROWN = [
    Column("agent", "agent", label),
    Column("games", "games"),
    Column("wins", "wins_thrown"),
    Column("draws", "draws_thrown"),
    Column("points a game", "points_thrown", fixed(2)),
    Column("blundering games", "blunder_games"),
    Column("first ply: median", "first_blunder_median", fixed(1), least=2),
    Column("mean", "first_blunder_mean", fixed(1), least=2),
    Column("won games", "won_games", least=1),
    Column("lost after all", "won_games_lost", least=1),
]
DISTANCE = [
    Column("agent", "agent", label),
    Column("best", "best", percent),
    Column("95 %", "best_low best_high", shares),
    Column("by chance", "best_chance", percent),
    Column("delay", "delay", fixed(2)),
]
KEPT_TITLE = "Value kept: moves that kept the win or the draw there was"


def document(frames: Frames) -> dict[str, Any]:
    """Return agents, ranges of plies, and how much of the run is audited, as plain data."""
    return {
        "agents": plain(audit.agents(frames)),
        "ranges": plain(audit.ranges(frames)),
        "audited": plain([audit.coverage(frames)])[0],
    }


def part(frames: Frames) -> dict[str, Any]:
    """Return what a run's document has of an audit: the rows of its agents, or nothing."""
    agents = plain(audit.agents(frames))
    return {"audit": agents} if agents else {}


def parts(frames: Frames) -> list[Part]:
    """Return the audit's tables and the line that counts its moves."""
    agents, done = audit.agents(frames), audit.coverage(frames)
    labels = Labels.among(frames.agents["name"])
    ranges = audit.ranges(frames)
    return [
        kept(frames),
        Table("audit", "Thrown away: wins and draws that a move gave up", AgentAudit, agents, THROWN, labels),
        *([Table("audit", "Distance", AgentDistance, agents, DISTANCE, labels, notes=meaning.DISTANCE)] * done.strong),
        Table("ranges", "Value kept, by ply", RangeAudit, ranges, _by_ply(ranges), labels, lines=_one_a_line(ranges)),
        f"audited games {done.games:,} of {done.games_played:,}, moves {done.moves:,}, clear-cut {done.clear_cut:,}",
    ]


def kept(frames: Frames) -> Table:
    """Return how often each agent kept the value, the most important table; without rows where nothing is audited."""
    agents = audit.agents(frames)
    labels = Labels.among(frames.agents["name"])
    title = "; ".join(filter(None, [KEPT_TITLE, *(f"95 %: {row.basis}" for row in agents[:1]), labels.note]))
    kind = type(agents[0]) if agents else AgentAudit
    return Table("audit", title, kind, agents, KEPT, labels, notes=meaning.AUDIT)


def _by_ply(ranges: Sequence[RangeAudit]) -> list[Column]:
    """Return a column for each range of plies: of all moves, then of the clear-cut ones."""
    cells = {(row.agent, row.first): row for row in ranges}
    spans = {(row.first, row.last) for row in ranges}
    return [Column("agent", "agent", label)] + [
        Column(f"{prefix} {first}-{last}", partial(_cell, cells, first, field), percent)
        for prefix, field in (("ply", "kept"), ("clear-cut", "clear_kept"))
        for first, last in sorted(spans)
    ]


def _one_a_line(ranges: Sequence[RangeAudit]) -> list[RangeAudit]:
    return [row for row in ranges if row.first == 0]


def _cell(cells: dict[tuple[str, int], RangeAudit], first: int, field: str, row: RangeAudit) -> object:
    return getattr(cells[row.agent, first], field)
