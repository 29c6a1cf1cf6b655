"""What a run says: standings, crosstable, effort, and how many of its games were distinct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arena.analysis import pool
from arena.analysis.frames import Frames


def standings(frames: Frames) -> pd.DataFrame:
    """Return a row for each agent, pool by pool and best first.

    pool (from 1; agents of different pools never met, not even through others), agent, elo with the ends of its 95 %
    interval low and high (relative to the mean of the pool), marked (whether only a prior keeps it finite), points,
    score (share of the games), games, wins, draws, losses, the same as first and as second player, nodes and ms a move,
    faults.
    """
    sides = frames.sides()
    ratings = pool.ratings_of(frames)
    pools = {agent: number for number, part in enumerate(pool.parts(frames), start=1) for agent in part}
    rows = []
    for agent in frames.agents["name"]:
        own = sides[sides["agent"] == agent]
        rating = ratings.get(agent)
        row: dict[str, object] = {
            "pool": pools[agent],
            "agent": agent,
            "elo": None if rating is None else rating.elo,
            "low": None if rating is None else rating.low,
            "high": None if rating is None else rating.high,
            "marked": rating is not None and rating.marked,
            "points": float(own["points"].sum()),
            "score": float(own["points"].mean()) if len(own) else None,
            "games": len(own),
        }
        for prefix, part in (("", own), ("first_", own[own["first"]]), ("second_", own[~own["first"]])):
            for name, points in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0)):
                row[prefix + name] = int((part["points"] == points).sum())
        moves = frames.moves[frames.moves["agent"] == agent]
        row["nodes_per_move"] = float(moves["nodes"].mean()) if len(moves) else None
        row["ms_per_move"] = float(moves["seconds"].mean() * 1000) if len(moves) else None
        row["faults"] = int(own["fault"].sum())
        rows.append(row)
    table = pd.DataFrame(rows)
    order = {"pool": True, "elo": False, "score": False}
    return table.sort_values(list(order), ascending=list(order.values()), kind="stable", ignore_index=True)


def crosstable(frames: Frames) -> pd.DataFrame:
    """Return a row for each agent and opponent that met: agent, opponent, games, points, wins, draws, losses."""
    sides = frames.sides()
    if sides.empty:
        return pd.DataFrame(columns=["agent", "opponent", "games", "points", "wins", "draws", "losses"])
    grouped = sides.groupby(["agent", "opponent"])["points"]
    table = grouped.agg(
        games="size",
        points="sum",
        wins=lambda points: int((points == 1.0).sum()),
        draws=lambda points: int((points == 0.5).sum()),
        losses=lambda points: int((points == 0.0).sum()),
    )
    return table.reset_index()


def effort(frames: Frames) -> pd.DataFrame:
    """Return what searches cost, a row for each agent and depth.

    agent, depth (plies), searches, nodes (mean), nodes_median, ms (mean), nodes_per_second, branching (effective).
    Nodes and time count from the beginning of the move: what it takes to know the answer of that depth.
    """
    searches = frames.searches[frames.searches["depth"] > 0]
    rows = []
    for (agent, depth), group in searches.groupby(["agent", "depth"], sort=True):
        nodes, seconds = int(group["nodes"].sum()), float(group["seconds"].sum())
        mean = nodes / len(group)
        rows.append(
            {
                "agent": agent,
                "depth": int(depth),
                "searches": len(group),
                "nodes": mean,
                "nodes_median": float(group["nodes"].median()),
                "ms": seconds / len(group) * 1000,
                "nodes_per_second": nodes / seconds if seconds > 0 else None,
                "branching": branching_factor(mean, int(depth)),
            }
        )
    columns = ["agent", "depth", "searches", "nodes", "nodes_median", "ms", "nodes_per_second", "branching"]
    return pd.DataFrame(rows, columns=columns)


def branching_factor(nodes: float, depth: int) -> float | None:
    """Return the effective branching factor b: a uniform tree of this depth has 1 + b + … + b**depth = `nodes`.

    Source: Russell, Norvig, "Artificial Intelligence: A Modern Approach", on heuristic functions. None where the nodes
    are fewer than a tree of that depth has at least.
    """
    if depth < 1 or nodes < depth + 1:
        return None
    low: float = 1.0
    high: float = nodes ** (1 / depth)
    for _ in range(60):
        middle = (low + high) / 2
        size: float = sum(middle**power for power in range(depth + 1))
        low, high = (middle, high) if size < nodes else (low, middle)
    return (low + high) / 2


FEW = 0.9
"""A pairing of whose games fewer are distinct repeats itself; some repetition comes by chance."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A pairing that plays the same games again."""

    one: str
    two: str
    distinct: int
    games: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many games a run has."""

    played: int
    distinct: int
    """Different move strings, counted within each pairing."""
    planned: int
    repeating: tuple[Repetition, ...]
    """The pairings that repeat themselves, the worst first."""


def counts(frames: Frames) -> Counts:
    """Count the games, and the distinct ones within pairings."""
    games = frames.games
    first, second = games["first"], games["second"]
    ends = first.where(first < second, second), second.where(first < second, first)
    found = [
        Repetition(str(one), str(two), int(group.nunique()), len(group))
        for (one, two), group in games["moves"].groupby(list(ends), sort=True)
    ]
    repeating = sorted((each for each in found if each.distinct < FEW * each.games), key=lambda r: r.distinct / r.games)
    return Counts(len(games), sum(each.distinct for each in found), frames.planned, tuple(repeating))


def openings(frames: Frames) -> dict[str, Any]:
    """Return what games start from, as plain data.

    set (as `--openings` names it), drawn (how many), population (from how many; None for runs that do not say), and how
    many of those drawn are first_wins, draws and second_wins with perfect play, None where one's value is unknown.
    """
    plan, values = frames.plan, frames.openings["value"]
    found = {"set": plan.get("openings"), "drawn": len(values), "population": plan.get("population")}
    names = {"first_wins": 1, "draws": 0, "second_wins": -1}
    if values.isna().any() or values.empty:
        return found | dict.fromkeys(names)
    plies = frames.openings["moves"].map(lambda moves: len(moves.split(",") if "," in moves else moves))
    first = np.sign(values.where(plies % 2 == 0, -values))
    return found | {name: int((first == value).sum()) for name, value in names.items()}
