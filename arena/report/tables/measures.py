"""Tables of measurements without a run: depths, the bench, slowdowns, and positions by heuristic and ordering."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from arena.cells import duration
from arena.measure.bench import Slowdown, Speed
from arena.measure.benchmark import Benchmarked
from arena.measure.depths import Cost
from arena.measure.position import Divided, Tried, Value
from arena.report.column import Part, Table
from arena.rows import columns
from arena.statistics.means import geometric_mean

VALUES = columns(Value)
ORDERS = columns(Tried)
DIVIDED = columns(Divided)
DEPTHS = columns(
    Cost, "agent position depth nodes seconds nodes_per_second minimax_share branching growth growth_low *"
)
BENCH = columns(Speed)
SLOWDOWNS = columns(
    Slowdown, "agent position nodes_before nodes seconds_before seconds * -nodes_per_second",
    position={"least": 3}, nodes={"least": 4}, seconds={"least": 1, "note": ""},
)  # fmt: skip
BENCHMARKED = columns(Benchmarked, "agent budget elo low elo_1k elo_10k elo_100k elo_time *")
CALL = "* mostly the time of the call, {}, not of the search"


def values(rows: Sequence[Value]) -> Table:
    """Return the values of positions by heuristics."""
    return Table("values", "", Value, rows, VALUES)


def orders(rows: Sequence[Tried]) -> Table:
    """Return the orders in which orderings try the moves of positions."""
    return Table("orders", "", Tried, rows, ORDERS)


def divided(rows: Sequence[Divided]) -> Table:
    """Return the size of the tree below each first move."""
    return Table("divide", "", Divided, rows, DIVIDED)


def depths(costs: Sequence[Cost]) -> Table:
    """Return the cost of each depth; a search that was too expensive is marked as skipped."""
    calls = [row.call_seconds for row in costs if row.mostly_call and row.call_seconds is not None]
    star = {"states/s": CALL.format(duration(median(calls)))} if calls else {}
    return Table("depths", "", type(costs[0]) if costs else Cost, costs, DEPTHS, notes=star)


def bench(speeds: Sequence[Speed]) -> Table:
    """Return the speed of searches."""
    return Table("bench", "", Speed, speeds, BENCH)


def slowdowns(rows: Sequence[Slowdown]) -> list[Part]:
    """Return the ratio of each search's time to its time before, and a line for all together."""
    together = geometric_mean([row.ratio.value for row in rows])
    return [Table("bench", "", Slowdown, rows, SLOWDOWNS), f"all together: {together:.2f} times as long as before"]


def benchmarked(rows: Sequence[Benchmarked]) -> Table:
    """Return the rows of agents on a frozen set, the strongest first."""
    ranked = sorted(rows, key=lambda row: -row.elo.value)
    return Table("benchmark", "", Benchmarked, ranked, BENCHMARKED)
