"""Tables of measurements without a run: depths, the bench, slowdowns, and positions by heuristic and ordering."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from arena.measure.bench import Slowdown, Speed
from arena.measure.depths import Cost
from arena.measure.position import Divided, Tried, Value
from arena.report import footnotes
from arena.report.column import Column, Part, Table, known, label
from arena.report.numbers import count, duration, fixed, listed, percent, rate, ratios, starred
from arena.report.tables.effort import place
from arena.statistics.means import geometric_mean

VALUES = [
    Column("position", "position", place),
    Column("heuristic", "heuristic", label),
    Column("mover", "mover"),
    Column("first", "first"),
]
ORDERS = [
    Column("position", "position", place),
    Column("ordering", "ordering", label),
    Column("columns", "columns", listed),
    Column("scores", "scores", listed),
]
DIVIDED = [
    Column("column", "column"),
    Column("sequences", "sequences", count),
    Column("nodes", "nodes", count),
]


def values(rows: Sequence[Value]) -> Table:
    """Return what heuristics value positions at."""
    return Table("values", "", Value, rows, VALUES)


def orders(rows: Sequence[Tried]) -> Table:
    """Return in which order orderings try the moves of positions."""
    return Table("orders", "", Tried, rows, ORDERS)


def divided(rows: Sequence[Divided]) -> Table:
    """Return the size of the tree below each first move."""
    return Table("divide", "", Divided, rows, DIVIDED)


DEPTHS = [
    Column("agent", "agent", label),
    Column("position", "position", place, any),
    Column("depth", "depth"),
    Column("states", "nodes", lambda nodes: count(nodes) if nodes else "-", missing="skipped"),
    Column("time", "seconds mostly_call", starred(duration)),
    Column("states/s", "nodes_per_second mostly_call", starred(rate)),
    Column("of minimax", "minimax_share", percent),
    Column("branching", "branching", fixed(2), least=1),
    Column("a ply ×", "growth", fixed(2), known, least=1),
    Column("move", "move", when=known, least=3),
    Column("score", "score", when=known, least=2),
]
BENCH = [
    Column("agent", "agent", label),
    Column("position", "position", place, any, least=1),
    Column("nodes", "nodes", count),
    Column("time", "seconds", duration),
    Column("nodes/s", "nodes_per_second", rate),
]
CALL = "* mostly the call, which takes {}, not the search"
SLOWDOWNS = [
    Column("agent", "agent", label),
    Column("position", "position", place, any, least=3),
    Column("nodes before", "nodes_before", count, least=5),
    Column("nodes", "nodes", count, least=4),
    Column("before", "seconds_before", duration, least=2),
    Column("time", "seconds", duration, least=1),
    Column("time ×", "ratio", fixed(2)),
    Column("95 %", "ratio low high", ratios),
    Column("verdict", "verdict"),
]


def depths(costs: Sequence[Cost]) -> Table:
    """Return what each depth costs; a row that was too dear says so."""
    calls = [row.call_seconds for row in costs if row.mostly_call and row.call_seconds is not None]
    star = {"states/s": CALL.format(duration(median(calls)))} if calls else {}
    return Table("depths", "", type(costs[0]) if costs else Cost, costs, DEPTHS, notes=footnotes.DEPTHS | star)


def bench(speeds: Sequence[Speed]) -> Table:
    """Return how fast the searches are."""
    return Table("bench", "", Speed, speeds, BENCH, notes=footnotes.BENCH)


def slowdowns(rows: Sequence[Slowdown]) -> list[Part]:
    """Return how much slower searches are than before, and a line for all together."""
    together = geometric_mean([row.ratio for row in rows])
    return [Table("bench", "", Slowdown, rows, SLOWDOWNS), f"all together: {together:.2f} times as long as before"]
