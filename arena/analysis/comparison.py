"""Heuristics compared level by level, and strength as a function of a search's depth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd

from agents.errors import InputError
from arena.analysis import audit, effort
from arena.analysis.frames import Frames
from arena.analysis.pairings import Duel, Meeting, duel, duels, held
from arena.analysis.rows import without
from arena.analysis.standings import Standing, Strength, standings
from arena.statistics.elo import Z95
from arena.statistics.intervals import MARGIN
from arena.statistics.pairing import verdict
from arena.statistics.trend import Line, elo_per_doubling, elo_per_ply


@dataclass(frozen=True)
class Entry:
    """Who is rated, and under which condition."""

    at: str
    """The level, such as `depth 4`: what every side may use for a move."""
    heuristic: str
    """Its name."""
    pool: int
    """Number from 1 within the level; agents that are not connected by games are in different pools."""


@dataclass(frozen=True)
class HeuristicStrength(Strength, Entry):
    """What a heuristic reached at a level."""

    distinct: int
    """[games] Its games with different moves."""
    kept: float | None
    """[share] Moves that kept the value of their positions; None where the run is not audited."""


@dataclass(frozen=True)
class Opponents:
    """The two agents, and the level."""

    at: str
    """The level."""
    heuristic: str
    """The agent from whose side the numbers are."""
    against: str
    """The other one."""


@dataclass(frozen=True)
class HeuristicDuel(Meeting, Opponents):
    """One pairing of two heuristics at a level."""

    verdict: str
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Heuristics compared, level by level; ratings have the best first."""

    ratings: tuple[HeuristicStrength, ...]
    pairings: tuple[HeuristicDuel, ...]


def comparison(frames: Frames, anchor: tuple[str, float] | None = None, margin: float = MARGIN) -> Comparison:
    """Return the comparison that a run is, as its plan says.

    `anchor` names a heuristic and its rating at every level; two count as level within `margin` in Elo.
    """
    levels: Mapping[str, Mapping[str, str]] = frames.plan["comparison"]["levels"]
    ratings: list[HeuristicStrength] = []
    found: list[Duel] = []
    at: dict[str, str] = {}
    timed: set[str] = set()
    for level, names in levels.items():
        pool = frames.only(names)
        met = [_winner_first(pool, each, margin) for each in duels(pool, margin) if each.statistics is not None]
        timed |= {each.agent for each in met if effort.limit(frames, each.agent) is not None}
        zero = [agent for agent, heuristic in names.items() if anchor and anchor[0] == heuristic]
        ratings += _ratings(pool, names, level, met, (zero[0], anchor[1]) if anchor and zero else None)
        found += met
        at |= dict.fromkeys(names, level)
    every = {agent: heuristic for names in levels.values() for agent, heuristic in names.items()}
    return Comparison(
        tuple(ratings),
        tuple(
            _pairing(met, every, at[met.agent], margin, met.time_ratio if met.agent in timed else None)
            for met in held(found)
        ),
    )


def _winner_first(pool: Frames, met: Duel, margin: float) -> Duel:
    """Return a pairing from the winner's side, if there is one, as in its sentence."""
    assert met.statistics is not None
    behind = met.statistics.clear and met.statistics.score < 0.5
    return duel(pool, met.against, met.agent, margin) if behind else met


def _pairing(met: Duel, names: Mapping[str, str], level: str, margin: float, time: float | None) -> HeuristicDuel:
    """Return the row of a pairing; `time` is its ratio of times where both sides have the same limit."""
    assert met.statistics is not None
    one, two = names[met.agent], names[met.against]
    sentence = verdict(
        one,
        two,
        met.statistics,
        where=f"at {level}",
        distinct=met.distinct,
        effort=met.nodes_ratio,
        time=time,
        survives=met.survives is not False,
        margin=margin,
    )
    numbers = without(met, "agent", "against")
    return HeuristicDuel(at=level, heuristic=one, against=two, **numbers, verdict=sentence)


def _ratings(
    frames: Frames, names: Mapping[str, str], level: str, pairings: Sequence[Duel], anchor: tuple[str, float] | None
) -> list[HeuristicStrength]:
    kept = audit.kept(frames)
    table = []
    for row in standings(frames, anchor):
        heuristic = names[row.agent]
        distinct = sum(met.distinct for met in pairings if row.agent in (met.agent, met.against))
        numbers = without(row, "agent") | {"plays_as": None if row.plays_as is None else names[row.plays_as]}
        table.append(
            HeuristicStrength(at=level, heuristic=heuristic, **numbers, distinct=distinct, kept=kept.get(row.agent))
        )
    return table


@dataclass(frozen=True, slots=True)
class Depth:
    """One agent of a family that differs in depth alone."""

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
