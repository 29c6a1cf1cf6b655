"""What a search of each depth costs: a row of the depth table, and the means over positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from arena.analysis.effort import branching_factor
from arena.analysis.inside import Inside, Inspected, inside
from arena.analysis.rows import without
from arena.statistics.means import Interval, typical_time


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search cost; only the first three fields are known where it was too dear and skipped."""

    agent: str
    """Its spec without the depth."""
    position: str
    """Its moves from the empty board; `mean of N` for a mean over positions."""
    depth: int
    """[plies]"""
    nodes: float | None = None
    """[nodes] Exact, 0 of an agent that tells none; with openings the mean over them."""
    seconds: float | None = None
    """[seconds] Median of the repetitions by the referee's clock, which times the whole call; with openings the mean of
    the middle nine tenths over them."""
    seconds_low: float | None = None
    """[seconds] Lower end of its 95 % interval; None where it was not measured often enough."""
    seconds_high: float | None = None
    """[seconds] Upper end of it."""
    nodes_per_second: float | None = None
    """[nodes/second]"""
    minimax_share: float | None = None
    """[share] Of the nodes that plain minimax visits to this depth; None where these are too many to count."""
    branching: float | None = None
    """Effective branching factor: that of a uniform tree of this depth with as many nodes. It is no ratio of depths, as
    `growth` is."""
    move: int | None = None
    """[column] The one chosen, from 1."""
    score: int | None = None
    """[points of the heuristic] For the side to move; a win at distance n is 1,000,000 - n."""
    call_seconds: float | None = None
    """[seconds] Median of calls whose search ends at once, part of `seconds`; None where it hardly matters."""
    growth: float | None = None
    """[ratio] Nodes over those of the depth one ply less; None where that is not in the table."""

    @property
    def mostly_call(self) -> bool:
        """Whether the time says more of the call than of the search."""
        return self.seconds is not None and self.call_seconds is not None and self.seconds < 2 * self.call_seconds


@dataclass(frozen=True)
class InspectedCost(Inside, Cost):
    """The same with what the search did inside, as `--why` has it."""


def looked_into(row: Cost, searches: Sequence[Inspected | InspectedCost]) -> InspectedCost:
    """Return a row with what its searches did inside; with none where they were skipped or cannot be counted."""
    return InspectedCost(**without(row), **inside(searches, row.depth))


def cost(
    agent: str,
    position: str,
    depth: int,
    nodes: float,
    seconds: Interval,
    share: float | None,
    move: int | None = None,
    score: int | None = None,
    call: float | None = None,
) -> Cost:
    """Return the row of a search that was measured."""
    rate = nodes / seconds.value if nodes and seconds.value else None
    times = seconds.value, seconds.low, seconds.high
    return Cost(agent, position, depth, nodes, *times, rate, share, branching_factor(nodes, depth), move, score, call)


def with_growth(costs: Sequence[Cost]) -> list[Cost]:
    """Return rows with the nodes of each over those of the same agent and position one ply less deep."""
    nodes = {(row.agent, row.position, row.depth): row.nodes for row in costs}
    less = [nodes.get((row.agent, row.position, row.depth - 1)) for row in costs]
    return [
        replace(row, growth=row.nodes / shallow if row.nodes and shallow else None)
        for row, shallow in zip(costs, less, strict=True)
    ]


def means(costs: Sequence[Cost]) -> list[Cost]:
    """Return the means over the positions, a row for each agent and depth; a depth skipped anywhere is skipped."""
    groups: dict[tuple[str, int], list[Cost]] = {}
    for row in costs:
        groups.setdefault((row.agent, row.depth), []).append(row)
    rows: list[Cost] = []
    for (agent, depth), group in groups.items():
        position = f"mean of {len(group)}"
        nodes = [row.nodes for row in group if row.nodes is not None]
        seconds = typical_time([row.seconds for row in group if row.seconds is not None])
        calls = [row.call_seconds for row in group if row.call_seconds is not None]
        shares = [row.minimax_share for row in group if row.minimax_share is not None]
        row = Cost(agent, position, depth)
        if len(nodes) == len(group) and seconds is not None:
            share, call = (fmean(each) if each else None for each in (shares, calls))
            row = cost(agent, position, depth, fmean(nodes), seconds, share, call=call)
        seen = [each for each in group if isinstance(each, InspectedCost)]
        rows.append(looked_into(row, [each for each in seen if each.inner is not None]) if seen else row)
    return with_growth(rows)
