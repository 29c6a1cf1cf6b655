"""Strength by depth: what a ply and a doubling of nodes are worth, where agents differ in nothing but depth."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd

from agents.errors import InputError
from arena.analysis.standings import Standing
from arena.statistics.elo import Z95
from arena.statistics.trend import Line, elo_per_doubling, elo_per_ply


@dataclass(frozen=True, slots=True)
class Depth:
    """One agent of a family whose members differ in depth alone."""

    agent: str
    """The family: the name without its depth."""
    depth: int
    """[plies]"""
    elo: float
    """[Elo] Rating relative to the mean of the pool."""
    low: float
    """[Elo] Lower end of the rating's 95 % interval."""
    high: float
    """[Elo] Upper end of it."""
    marked: bool
    """Whether only a prior keeps the rating finite."""
    nodes_per_move: float | None
    """[nodes] Mean of all its moves."""
    nodes_geometric: float | None
    """[nodes] Geometric mean of them, from which doublings are counted."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """What more search is worth to a family."""

    agent: str
    """The family."""
    ply: Line
    """Elo per ply."""
    doubling: Line
    """Elo per doubling of nodes."""
    steps: tuple[tuple[int, int, float, float], ...]
    """Of neighbouring depths: both, the Elo between them, and half of its 95 % interval."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The agents of a pool that differ in depth alone, family by family; none where there is no such family."""

    rows: tuple[Depth, ...]
    slopes: tuple[Slopes, ...]
    """Of the families to which lines can be fitted."""


def without_depth(name: str) -> str:
    """Return an agent's name in a table that has a column for the depth."""
    return re.sub(r"(?<=[:,])depth=[^,]*,?", "", name).rstrip(":,")


def sweep(standings: Sequence[Standing], agents: pd.DataFrame) -> Sweep:
    """Return the sweep within the standings of one pool; `agents` are those of `Frames`, more than the pool's too."""
    parameters = dict(zip(agents["name"], agents["parameters"], strict=True))
    rows = (row for each in standings if (row := _depth(each, parameters[each.agent].get("depth"))))
    found = sorted(rows, key=lambda row: (row.agent, row.depth))
    families = {agent: list(rows) for agent, rows in groupby(found, key=lambda row: row.agent)}
    families = {agent: rows for agent, rows in families.items() if len(rows) > 1}
    rated = sum(row.elo is not None for row in standings)
    slopes = (_slopes(agent, rows, rated) for agent, rows in families.items())
    return Sweep(tuple(row for rows in families.values() for row in rows), tuple(filter(None, slopes)))


def _depth(row: Standing, depth: object) -> Depth | None:
    if row.elo is None or row.low is None or row.high is None or "#" in row.agent or not isinstance(depth, int):
        return None
    nodes = row.nodes_per_move, row.nodes_geometric
    return Depth(without_depth(row.agent), depth, row.elo, row.low, row.high, row.marked, *nodes)


def _slopes(agent: str, family: Sequence[Depth], rated: int) -> Slopes | None:
    """Return Elo per ply and per doubling of nodes of one family in a pool of so many agents that are `rated`.

    Ratings that only a prior holds are left out. The others are relative to the mean of the pool, which each agent
    moves along: the errors of n independent strengths are larger by the root of n / (n - 1).
    """
    held = [(row, row.nodes_geometric) for row in family if not row.marked and row.nodes_geometric is not None]
    elo, nodes = [row.elo for row, _ in held], [nodes for _, nodes in held]
    errors = [(row.high - row.low) / 2.0 / Z95 * math.sqrt(rated / (rated - 1)) for row, _ in held]
    try:
        by_ply = elo_per_ply([row.depth for row, _ in held], elo, errors)
        depths = [row.depth for row, _ in held]
        steps = tuple(
            (*depths[n : n + 2], elo[n + 1] - elo[n], Z95 * math.hypot(*errors[n : n + 2]))
            for n in range(len(held) - 1)
        )
        return Slopes(agent, by_ply, elo_per_doubling(nodes, elo, errors), steps)  # type: ignore[arg-type]
    except InputError:
        return None  # fewer than two are left, or all are alike
