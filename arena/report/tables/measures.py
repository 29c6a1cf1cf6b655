"""Tables of measurements without a run: depths, and positions by heuristic and ordering."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from arena.cells import duration
from arena.measure.depths import Cost, CountedCost
from arena.measure.position import Divided, Tried, Value
from arena.report.column import Table
from arena.rows import columns

VALUES = columns(Value)
ORDERS = columns(Tried)
DIVIDED = columns(Divided)
ORDER = "agent position depth nodes seconds nodes_per_second minimax_share {}branching growth growth_low *"
DEPTHS = columns(Cost, ORDER.format(""))
COUNTED_DEPTHS = columns(CountedCost, ORDER.format("cut_share first_move_cut_rate "))
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
    kind = type(costs[0]) if costs else Cost
    return Table("depths", "", kind, costs, COUNTED_DEPTHS if kind is CountedCost else DEPTHS, notes=star)
