"""What the searches of a run cost: by depth, by kind of node, by phase of the game, and in time."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agents.rules import WORD_BITS
from arena.records import Interval
from arena.statistics.direct import brentq
from arena.statistics.elo import Z95
from arena.statistics.means import ratio_of_sums, search_cost, time_ratio
from arena.table.cells import WITHIN, agent_label, count, ends, fixed, milliseconds, rate
from arena.table.rows import INTERVAL, MEASURED, Column, cell, known, table_row

if TYPE_CHECKING:
    import pandas as pd

    from arena.tournament.frames import Frames

TO_END = 1_000
"""Stands for the depth of searches that always reach the end of the game."""
KEPT = 10
"""Depths that an agent's rows go to at least before what lies beyond is folded."""


UNIFORM = "moves tried per position, on average"
A_PLY = "nodes over those of the depth one ply less"
BY = "of the column before, over {}"


def _depth(depth: int) -> str:
    """Write a depth, also one that stands for all beyond another: TO_END and the last that has a row of its own."""
    return str(depth) if depth < TO_END else "to end" if depth == TO_END else f"> {depth - TO_END}"


@table_row
class Effort:
    """What an agent's searches of one depth cost, from the beginning of the move until the depth is completed."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    depth: int = cell("[plies]", "depth", _depth)
    searches: int = cell("[searches] Moves for which this depth was completed.", "searches", count, least=2)
    nodes: float | None = cell("[nodes] Mean of the searches with a reported count; None without any.", "nodes", count)
    nodes_median: float | None = cell("[nodes] Median of these.", "median", count, least=1)
    ms: Interval = cell(
        "[milliseconds] Mean since the move began, pauses of the machine left out, by the search's own clock; the "
        "referee's where it has none.",
        "ms", milliseconds, of=INTERVAL, note=f"mean time of a search, {WITHIN}", by="by openings",
    )  # fmt: skip
    nodes_per_second: float | None = cell("[nodes/second] `nodes` over `ms`; None without nodes.", "nodes/s", rate)
    branching: float | None = cell(
        "Effective branching factor: that of a uniform tree of this depth with as many nodes as the mean. Unlike "
        "`growth` it is no ratio of depths. None where the nodes are too few.",
        "branching", fixed(2), note=UNIFORM,
    )  # fmt: skip
    growth: Interval | None = cell(
        "[ratio] Nodes of this depth over those of the depth one ply less, in the moves that completed both.",
        "a ply ×", fixed(2), known, least=1, note=A_PLY, by="by openings",
        ends=Column("95 %", MEASURED, ends(fixed(2)), known, least=1, note=BY.format("openings")),
    )  # fmt: skip


@functools.lru_cache(maxsize=1)  # a report asks for its tables and for its figures
def effort(frames: Frames) -> list[Effort]:
    """Return a row for each agent and depth that it completed."""
    return _rows(frames, _completed(frames))


def compact(frames: Frames) -> list[Effort]:
    """Return fewer rows: one of depth TO_END for an agent that always searched to the end of the game.

    Of the others, depths beyond the last that all of them reach, and beyond KEPT, are one row of an agent, of the
    deepest search of each move.
    """
    rules, searches = frames.plan["rules"], _completed(frames)
    ends = searches["depth"] == rules["columns"] * rules["rows"] - searches["ply"]
    ends = ends.groupby(searches["agent"]).transform("all")
    whole = _rows(frames, searches[ends].assign(depth=TO_END))
    rest = searches[~ends]
    last = max(KEPT, int(rest.groupby("agent")["depth"].max().min())) if len(rest) else KEPT
    far = rest[rest["depth"] > last]
    far = far[far.groupby("agent")["depth"].transform("nunique") > 1]
    deepest = far.loc[far.groupby(["agent", "game", "ply"])["depth"].idxmax()] if len(far) else far
    folded = _rows(frames, deepest.assign(depth=TO_END + last))
    gone = {row.agent: 0 for row in whole} | {row.agent: last for row in folded}
    kept = [row for row in effort(frames) if row.depth <= gone.get(row.agent, TO_END)]
    return sorted([*whole, *folded, *kept], key=lambda row: (row.agent, row.depth))


def _completed(frames: Frames) -> pd.DataFrame:
    return frames.searches[frames.searches["depth"] > 0]


def _rows(frames: Frames, searches: pd.DataFrame) -> list[Effort]:
    rows = []
    nodes, openings = frames.reported(searches).to_numpy(), frames.opening_of(searches).to_numpy()
    seconds = searches["seconds"].to_numpy()
    growths = _growths(searches.assign(nodes=nodes, opening=openings))
    for (agent, depth), group in sorted(searches.groupby(["agent", "depth"]).indices.items()):
        counted = group[~np.isnan(nodes[group])]
        cost = search_cost(nodes[group], seconds[group], openings[group])
        assert cost is not None
        rows.append(
            Effort(
                agent=str(agent),
                depth=int(depth),
                searches=len(group),
                nodes=cost.nodes,
                nodes_median=float(np.median(nodes[counted])) if len(counted) else None,
                ms=cost.seconds.scaled(1000),
                nodes_per_second=cost.nodes_per_second,
                branching=None if cost.nodes is None or depth >= TO_END else branching_factor(cost.nodes, int(depth)),
                growth=growths.get((agent, depth)),
            )
        )
    return rows


def _growths(searches: pd.DataFrame) -> dict[tuple[str, int], Interval]:
    """Return the nodes of each agent's depths over those of one ply less, in the moves that completed both."""
    completed = searches[["game", "ply", "opening", "agent", "depth", "nodes"]].dropna()
    less = completed[["game", "ply", "agent", "depth", "nodes"]].assign(depth=completed["depth"] + 1)
    both = completed.merge(less, on=["game", "ply", "agent", "depth"], suffixes=("", "_less"))
    growths = {}
    for key, group in both.groupby(["agent", "depth"]):
        ratio = ratio_of_sums(*(group[name].to_numpy() for name in ("nodes", "nodes_less", "opening")))
        if ratio is not None:
            growths[key] = ratio
    return growths


def branching_factor(nodes: float, depth: int) -> float | None:
    """Return the effective branching factor b: a uniform tree of this depth has 1 + b + … + b**depth = `nodes`.

    Source: Russell, Norvig, "Artificial Intelligence: A Modern Approach", on heuristic functions. None where the nodes
    are fewer than a tree of that depth has at least.
    """
    if not 1 <= depth <= WORD_BITS or nodes < depth + 1:  # no board is deeper, but a file may tell of more
        return None

    def missing(log: float) -> float:
        terms = math.expm1((depth + 1) * log) / math.expm1(log) if log else depth + 1.0  # the sum of b**0 … b**depth
        return terms - nodes

    return math.exp(brentq(missing, 0.0, math.log(nodes) / depth * (1.0 + 1e-9), xtol=1e-15))


PHASES = ("opening", "middle", "end")


@table_row
class Phase:
    """What an agent's searches of one depth cost in one phase of the game, from the beginning of the move."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    depth: int = cell("[plies]", "depth")
    phase: str = cell("`opening`, `middle` or `end`: which third of the cells the move fills.", "phase")
    searches: int = cell("[searches] Moves for which this depth was completed.", "searches", count)
    nodes: float | None = cell("[nodes] Mean of the searches with a reported count; None without any.", "nodes", count)
    ms: Interval = cell(
        "[milliseconds] Mean, as in `effort`.",
        "ms", milliseconds, of=INTERVAL, note=f"mean time of a search, {WITHIN}", by="by openings",
    )  # fmt: skip


def usual(rows: Sequence[Phase]) -> list[Phase]:
    """Return each agent's rows of one depth: the greatest that at least half of its searches completed."""
    reached: dict[str, Counter[int]] = {}
    for row in rows:
        reached.setdefault(row.agent, Counter())[row.depth] += row.searches
    depths = {
        agent: max(depth for depth, searches in counts.items() if 2 * searches >= max(counts.values()))
        for agent, counts in reached.items()
    }
    return [row for row in rows if row.depth == depths[row.agent]]


def phases(frames: Frames) -> list[Phase]:
    """Return a row for each agent, depth and phase in which it completed that depth."""
    cells = frames.plan["rules"]["columns"] * frames.plan["rules"]["rows"]
    searches = frames.searches[frames.searches["depth"] > 0]
    searches = searches.assign(nodes=frames.reported(searches))
    third = 3 * searches["ply"] // cells
    rows = []
    for (agent, depth, number), group in searches.groupby(["agent", "depth", third], sort=True):
        openings = frames.opening_of(group).to_numpy()
        cost = search_cost(group["nodes"].to_numpy(), group["seconds"].to_numpy(), openings)
        assert cost is not None
        ms = cost.seconds.scaled(1000)
        rows.append(Phase(str(agent), int(depth), PHASES[int(number)], len(group), cost.nodes, ms))
    return rows


SLOWED = 1.5
"""A search that took this many times as long as its fastest repetition was delayed by other programs."""
BUSY = 0.1
"""The machine counts as busy from this share of delayed searches on."""

LAYOUT = 0.02
"""By how much the logarithm of a ratio varies from process to process, its standard deviation over repeated runs: where
code and tables lie in memory matters. Source: Mytkowicz, Diwan, Hauswirth, Sweeney, "Producing wrong data without doing
anything obviously wrong!" (2009).
"""


@dataclass(frozen=True, slots=True)
class Overrun:
    """How often an agent exceeded its time limit for a move."""

    agent: str
    """Its name in the run."""
    limit: float
    """[seconds] For a move."""
    moves: int
    """[moves]"""
    over: int
    """[moves] That took longer."""
    typical: float | None
    """[seconds] Median excess of these; None where there are none."""
    most: float | None
    """[seconds] Largest excess."""


def limit(frames: Frames, agent: str) -> float | None:
    """Return an agent's limit in seconds a move, None without a limit."""
    [parameters] = frames.agents.loc[frames.agents["name"] == agent, "parameters"]
    limits = [seconds for seconds in (parameters.get("seconds"), frames.plan.get("seconds")) if seconds is not None]
    return min(limits, default=None)


def overruns(frames: Frames) -> list[Overrun]:
    """Return a row for each agent of a run that has a limit of time."""
    rows = []
    for agent in map(str, frames.agents["name"]):
        allowed = limit(frames, agent)
        if allowed is not None:
            spent = frames.moves.loc[frames.moves["agent"] == agent, "seconds"]
            beyond = spent[spent > allowed] - allowed
            ends = (None, None) if beyond.empty else (float(beyond.median()), float(beyond.max()))
            rows.append(Overrun(agent, allowed, len(spent), len(beyond), *ends))
    return rows


def ratio(frames: Frames, one: str, two: str) -> Interval | None:
    """Return the time of `one` for a move over that of `two`; None unless both were timed.

    `frames` hold no games of others. The ratio comes from positions that both searched by turns; without these, from
    the medians of each opening's games, since positions differ between games.
    """
    times = frames.table("times")
    if times.empty:
        apart = frames.games.loc[frames.games["first"] != frames.games["second"], "game"]
        moves = frames.moves[frames.moves["game"].isin(apart)]
        moves = moves.assign(opening=frames.opening_of(moves))
        spent = moves.groupby(["opening", "agent"])["seconds"].median()
    else:
        spent = times.groupby(["position", "agent"])["seconds"].min()
    if not {one, two} <= set(spent.index.get_level_values("agent")):
        return None
    both = spent.unstack("agent")[[one, two]].dropna()  # noqa: PD010  a series, which has no pivot_table
    interval = time_ratio(both[one].tolist(), both[two].tolist())
    return None if interval is None else _with_layout(interval)


def _with_layout(interval: Interval) -> Interval:
    """Return a ratio with the interval widened by what varies from process to process."""
    low, high = (
        None
        if end is None
        else interval.value * math.exp(sign * math.hypot(math.log(end / interval.value), Z95 * LAYOUT))
        for end, sign in ((interval.low, -1), (interval.high, 1))
    )
    return Interval(interval.value, low, high)


def slowed(frames: Frames) -> float:
    """Return the share of searches by turns that other programs delayed."""
    times = frames.table("times")
    fastest = times.groupby(["position", "agent"])["seconds"].transform("min")
    return float((times["seconds"] > SLOWED * fastest).mean()) if len(times) else 0.0
