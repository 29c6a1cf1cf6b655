"""Effort by the phase of the game: the opening, the middle and the end are thirds of the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.analysis.frames import Frames
from arena.analysis.rows import present
from arena.statistics.means import typical_time

PHASES = ("opening", "middle", "end")


@dataclass(frozen=True, slots=True)
class Phase:
    """What an agent's searches of one depth cost in one phase of the game, from the beginning of the move."""

    agent: str
    """Its name in the run."""
    depth: int
    """[plies]"""
    phase: str
    """`opening`, `middle` or `end`: which third of the cells the move fills."""
    searches: int
    """[searches] Moves for which this depth was completed."""
    nodes: float | None
    """[nodes] Mean of the searches whose nodes were told; None without any."""
    ms: float
    """[milliseconds] Mean of the middle nine tenths of the searches, by the clock of `effort`."""
    ms_low: float | None
    """[milliseconds] Lower end of its 95 % interval, by openings."""
    ms_high: float | None
    """[milliseconds] Upper end of it."""
    cut_share: float | None
    """[share] Of inner nodes that were cut; None until all of these searches were looked into (`arena run --why`)."""
    first_move_cut_rate: float | None
    """[share] Of the nodes cut, those that the first move cut; None without any."""


def usual(rows: Sequence[Phase]) -> list[Phase]:
    """Return each agent's rows of one depth alone, the greatest that at least half of its searches came to."""
    reached: dict[str, Counter[int]] = {}
    for row in rows:
        reached.setdefault(row.agent, Counter())[row.depth] += row.searches
    depths = {
        agent: max(depth for depth, searches in found.items() if 2 * searches >= max(found.values()))
        for agent, found in reached.items()
    }
    return [row for row in rows if row.depth == depths[row.agent]]


def phases(frames: Frames) -> list[Phase]:
    """Return a row for each agent, depth and phase in which it completed that depth."""
    cells = frames.plan["rules"]["columns"] * frames.plan["rules"]["rows"]
    searches = frames.searches[frames.searches["depth"] > 0]
    searches = searches.assign(nodes=frames.told(searches))
    third = 3 * searches["ply"] // cells
    looked = frames.inside.groupby(["agent", "depth", 3 * frames.inside["ply"] // cells])
    inside = {key: group for key, group in looked} if len(frames.inside) else {}  # noqa: C416  keys are tuples
    rows = []
    for (agent, depth, number), group in searches.groupby(["agent", "depth", third], sort=True):
        ms = typical_time(group["seconds"] * 1000, frames.opening_of(group))
        assert ms is not None
        seen = inside.get((agent, depth, number), frames.inside[:0])
        turns = [sum(turn) for turn in zip(*seen["cutoffs"], strict=True)]
        whole = len(seen) == len(group)
        rows.append(
            Phase(
                str(agent), int(depth), PHASES[int(number)], len(group), present(group["nodes"].mean()),
                ms.value, ms.low, ms.high,
                sum(turns) / float(seen["inner"].sum()) if whole else None,
                turns[0] / sum(turns) if whole and any(turns) else None,
            )
        )  # fmt: skip
    return rows
