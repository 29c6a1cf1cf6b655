"""Depth tables and the bench."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.bench import Speed
from arena.measure.costs import Cost
from arena.report.column import Column, Table, known, label
from arena.report.numbers import count, duration, fixed, percent, rate
from arena.report.position import place

DEPTHS = [
    Column("agent", "agent", label),
    Column("position", "position", place, any),
    Column("depth", "depth"),
    Column("states", "nodes", count, missing="skipped"),
    Column("time", "seconds", duration),
    Column("states/s", "nodes_per_second", rate),
    Column("of minimax", "minimax_share", percent),
    Column("branching", "branching", fixed(2), least=1),
    Column("move", "move", when=known, least=3),
    Column("score", "score", when=known, least=2),
]
BENCH = [
    Column("agent", "agent", label),
    Column("nodes", "nodes", count),
    Column("time", "seconds", duration),
    Column("nodes/s", "nodes_per_second", rate),
]


def depths(costs: Sequence[Cost]) -> Table:
    """Return what each depth costs; a row that was too dear says so."""
    return Table("depths", "", Cost, costs, DEPTHS)


def bench(speeds: Sequence[Speed]) -> Table:
    """Return how fast the searches are."""
    return Table("bench", "", Speed, speeds, BENCH)
