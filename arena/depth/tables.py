"""Tables of depths, and of searches that should agree."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from arena.depth.agreement import AtDepth
from arena.depth.cost import Cost, CountedCost
from arena.table.cells import duration, percent
from arena.table.parts import Part, Table
from arena.table.rows import columns

DEPTHS = columns(Cost)
COUNTED_DEPTHS = columns(
    CountedCost, "agent", "position", "depth", "nodes", "seconds", "nodes_per_second", "minimax_share", "cut_share",
    "first_move_cut_rate", "branching", "growth", "move", "score",
)  # fmt: skip
CALL = "* mostly the time of the call, {}, not of the search"


def depths(costs: Sequence[Cost]) -> Table:
    """Return the cost of each depth; a search that was too expensive is marked as skipped."""
    calls = [row.call_seconds for row in costs if row.mostly_call and row.call_seconds is not None]
    star = {"states/s": CALL.format(duration(median(calls)))} if calls else {}
    kind = type(costs[0]) if costs else Cost
    return Table("depths", "", kind, costs, COUNTED_DEPTHS if kind is CountedCost else DEPTHS, notes=star)


AGREEMENT = columns(AtDepth)


def agreement_parts(rows: Sequence[AtDepth]) -> list[Part]:
    """Return a table for each pair of searches, with a line for each depth, and a sentence on their agreement."""
    parts: list[Part] = []
    for one, other in dict.fromkeys((row.reference, row.search) for row in rows):
        levels = [row for row in rows if (row.reference, row.search) == (one, other)]
        asked, last = sum(row.positions for row in levels), levels[-1]
        same = [sum(row.values for row in levels), sum(row.moves for row in levels)]
        nodes = f"; it visits {percent(last.share)} of the nodes at depth {last.depth}" if last.share else ""
        if same == [asked, asked]:
            said = f"same value and same move in all {asked} searches: {other} decides as {one}{nodes}"
        elif same[0] == asked:
            said = (
                f"same value in all {asked} searches, another move in {asked - same[1]}: "
                ">= where > is meant, or another order of columns?"
            )
        else:
            said = f"another value in {asked - same[0]} of {asked} searches, another move in {asked - same[1]}"
        parts += [Table("agreement", f"{other} against {one}", AtDepth, levels, AGREEMENT), said]
    return parts
