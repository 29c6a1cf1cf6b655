"""Effort: what the searches of a run cost, by depth."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.rules import WORD_BITS
from arena.analysis.frames import Frames
from arena.analysis.inside import Inside, inside
from arena.analysis.rows import without
from arena.statistics.direct import brentq
from arena.statistics.means import speed, typical_time

if TYPE_CHECKING:
    import pandas as pd

TO_END = 1_000
"""In place of the depth of searches that go as far as the game can, from whatever position."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What an agent's searches of one depth cost, from the beginning of the move: what it takes to know the answer."""

    agent: str
    """Its name in the run."""
    depth: int
    """[plies]"""
    searches: int
    """[searches] Moves for which this depth was completed."""
    nodes: float | None
    """[nodes] Mean of the searches whose nodes were told; None without any."""
    nodes_median: float | None
    """[nodes] Median of these."""
    ms: float
    """[milliseconds] Mean of the middle nine tenths of the searches, by the search's own clock since the move began;
    the referee's where it has none."""
    ms_low: float | None
    """[milliseconds] Lower end of its 95 % interval, by openings."""
    ms_high: float | None
    """[milliseconds] Upper end of it."""
    nodes_per_second: float | None
    """[nodes/second] Nodes over seconds of the searches whose rates are the middle nine tenths; None without any."""
    branching: float | None
    """Effective branching factor of the mean nodes: that of a uniform tree of this depth with as many. It is no ratio
    of depths, as `growth` is. None where the nodes are too few."""
    growth: float | None
    """[ratio] Nodes of this depth over those of the depth one ply less, in the moves that completed both."""


@dataclass(frozen=True)
class InspectedEffort(Inside, Effort):
    """The same of a run whose searches were looked into, as `arena run --why` does; None until all of a row were."""


@functools.lru_cache(maxsize=1)  # a report asks for its tables and for its figures
def effort(frames: Frames) -> list[Effort]:
    """Return a row for each agent and depth that it completed, of the kind InspectedEffort if any was looked into."""
    rows = _rows(frames, _completed(frames))
    if frames.inside.empty:
        return rows
    found = {key: list(group.itertuples(index=False)) for key, group in frames.inside.groupby(["agent", "depth"])}
    return [_looked_into(row, found.get((row.agent, row.depth), [])) for row in rows]


def _looked_into(row: Effort, searches: list[Any]) -> InspectedEffort:
    return InspectedEffort(**without(row), **(inside(searches, row.depth) if len(searches) == row.searches else {}))


def compact(frames: Frames) -> list[Effort]:
    """Return the same, but one row of depth TO_END for an agent all of whose searches went to the end of the game."""
    rules, searches = frames.plan["rules"], _completed(frames)
    ends = searches["depth"] == rules["columns"] * rules["rows"] - searches["ply"]
    ends = ends.groupby(searches["agent"]).transform("all")
    whole = _rows(frames, searches[ends].assign(depth=TO_END))
    gone = {row.agent for row in whole}
    return sorted(
        [*whole, *(row for row in effort(frames) if row.agent not in gone)], key=lambda row: (row.agent, row.depth)
    )


def _completed(frames: Frames) -> pd.DataFrame:
    return frames.searches[frames.searches["depth"] > 0]


def _rows(frames: Frames, searches: pd.DataFrame) -> list[Effort]:
    rows = []
    told, openings = frames.told(searches).to_numpy(), frames.opening_of(searches).to_numpy()
    seconds = searches["seconds"].to_numpy()
    growths = _growths(searches.assign(nodes=told))
    for (agent, depth), group in sorted(searches.groupby(["agent", "depth"]).indices.items()):
        counted = group[~np.isnan(told[group])]
        nodes = told[counted]
        mean = float(nodes.mean()) if len(nodes) else None
        ms = typical_time(seconds[group] * 1000, openings[group])
        assert ms is not None
        rows.append(
            Effort(
                agent=str(agent),
                depth=int(depth),
                searches=len(group),
                nodes=mean,
                nodes_median=float(np.median(nodes)) if len(nodes) else None,
                ms=ms.value,
                ms_low=ms.low,
                ms_high=ms.high,
                nodes_per_second=speed(nodes, seconds[counted]),
                branching=None if mean is None or depth == TO_END else branching_factor(mean, int(depth)),
                growth=growths.get((agent, depth)),
            )
        )
    return rows


def _growths(searches: pd.DataFrame) -> dict[tuple[str, int], float]:
    """Return the nodes of each agent's depths over those of one ply less, in the moves that completed both."""
    own = searches[["game", "ply", "agent", "depth", "nodes"]].dropna()
    both = own.merge(own.assign(depth=own["depth"] + 1), on=["game", "ply", "agent", "depth"], suffixes=("", "_less"))
    sums = both.groupby(["agent", "depth"])[["nodes", "nodes_less"]].sum()
    sums = sums[sums["nodes_less"] > 0]
    return {key: float(ratio) for key, ratio in (sums["nodes"] / sums["nodes_less"]).items()}


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
