"""What a run says in a few sentences: who is best and how sure, who plays like whom, and what the heuristics show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any

import pandas as pd

from agents.specs.components import ALIASES
from arena.statistics.intervals import MARGIN
from arena.statistics.pairing import Basis, ahead_by, pooled
from arena.table.cells import percent
from arena.table.labels import Labels
from arena.tournament.frames import Frames
from arena.tournament.pairings import pairs
from arena.tournament.pool import Anchor
from arena.tournament.standings import Standing, chose_alike, standings

MOST = 6
"""Lines of an answer."""
PROBABLE = 90.0
"""[percent] From here on an agent is probably better than the one below it."""
CHANCE = "what sets them apart are opponents that play by chance"
ORDERINGS = "{} and {} differ in their ordering alone: it changes no value, but which of equally good moves they play"


def answer(frames: Frames, anchor: Anchor | None = None) -> list[str]:
    """Return the answer of a run, in at most six lines; nothing for a comparison, or before two have met."""
    labels = Labels.among(frames.agents["name"])
    rows = standings(frames, anchor)
    if frames.plan.get("comparison") or len(rows) < 2 or not any(row.games for row in rows):
        return []
    pools = [list(pool) for _, pool in groupby(rows, key=lambda row: row.pool)]
    lines = [_best(pool, labels) for pool in pools]
    lines += _alike(frames, pools)[:2]
    lines += _heuristics(frames)
    lines += _orderings(frames, pools)[:1]
    lines += [f"{labels.of(row.agent)} lost {_games(row.faults)} by a fault of its own" for row in rows if row.faults]
    return lines[:MOST]


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def _best(pool: Sequence[Standing], labels: Labels) -> str:
    """Return who is the best of a pool, best first, and than whom it is surely better."""
    first, name = pool[0], labels.of(pool[0].agent)
    places = {row.agent: place for place, row in enumerate(pool, start=1)}
    rivals = [row for row in pool[1:] if row.plays_as != first.agent]
    near = [row for row in rivals if row.may_be_best]
    beaten = [row for row in rivals if not row.may_be_best]
    if not rivals:
        return f"all {len(pool)} play exactly alike" if len(pool) > 1 else f"{name} met nobody"
    if not beaten or first.score is None:
        points = "" if first.score is None else f"; {name} has most points, {percent(first.score)}"
        return f"none of the {len(pool)} is shown to be the best{points}" if len(pool) > 2 else _neither(pool, labels)
    if not near:
        others = labels.of(beaten[0].agent) if len(beaten) == 1 else "all others"
        return f"{name} is the best of {len(pool)}: surely better than {others}"
    probable = near[0] if places[near[0].agent] == 2 and (near[0].gap_los or 0.0) >= PROBABLE else None
    proven = f"surely better than {_places([places[row.agent] for row in beaten])}"
    if probable:
        return f"{name} is best of {len(pool)}: {proven}, probably than {_places([places[row.agent] for row in near])}"
    return f"{name} leads the {len(pool)}: {proven}, not surely than {_places([places[row.agent] for row in near])}"


def _neither(pool: Sequence[Standing], labels: Labels) -> str:
    one, two = (labels.of(row.agent) for row in pool)
    return f"neither {one} nor {two} is shown to be better: {percent(pool[0].score or 0.0)} of the points for {one}"


def _places(places: Sequence[int]) -> str:
    """Return places in the table in words, such as "#4 to #6"."""
    if len(places) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"#{places[0]} to #{places[-1]}"
    return _and([f"#{place}" for place in places])


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _placed(frames: Frames, pools: Sequence[Sequence[Standing]]) -> dict[str, str]:
    """Return the place and the kind of each agent, such as "#2 (alphabeta)", or its label if there are pools."""
    kinds = dict(zip(frames.agents["name"], frames.agents["kind"], strict=True))
    if len(pools) > 1:
        labels = Labels.among(kinds)
        return {row.agent: labels.of(row.agent) for pool in pools for row in pool}
    return {row.agent: f"#{place} ({kinds[row.agent]})" for place, row in enumerate(pools[0], start=1)}


def _alike(frames: Frames, pools: Sequence[Sequence[Standing]]) -> list[str]:
    """Return a line for each agent that plays the games of another, the one with fewer nodes first.

    Likewise for two that played alike with each other, but not against others, who play by chance.
    """
    named = _placed(frames, pools)
    nodes = {row.agent: row.nodes_per_move for pool in pools for row in pool}
    lines = []
    for row in (row for pool in pools for row in pool):
        if row.plays_as is None:
            continue
        less, more = sorted((row.agent, row.plays_as), key=lambda name: nodes[name] or 0.0)
        cost, whole = nodes[less], nodes[more]
        share = f", with {percent(cost / whole)} of its nodes" if cost and whole and cost < whole else ""
        lines.append(f"{named[less]} plays exactly like {named[more]}{share}")
    same = {row.agent: row.plays_as or row.agent for pool in pools for row in pool}
    chose = [sorted(pair, key=list(named).index) for pair in chose_alike(frames)]
    return lines + [
        f"{named[one]} and {named[two]} made the same moves in all games with each other: {CHANCE}"
        for one, two in sorted(chose)
        if same[one] != same[two]
    ]


def _settings(frames: Frames, key: str) -> list[tuple[str, str, str]]:
    """Return the name of each agent that has the setting `key`, everything else in its spec, and the setting."""
    rows = []
    for name, kind, parameters in zip(
        frames.agents["name"], frames.agents["kind"], frames.agents["parameters"], strict=True
    ):
        settings: Mapping[str, Any] = parameters if isinstance(parameters, dict) else {}
        if key in settings:
            rest = json.dumps([kind, {name: value for name, value in settings.items() if name != key}], default=str)
            rows.append((str(name), rest, str(settings[key])))
    return rows


def _heuristics(frames: Frames) -> list[str]:
    """Return how two heuristics compare over all pairings of the same search; nothing for more or fewer than two."""
    agents = _settings(frames, "heuristic")
    names = list(dict.fromkeys(heuristic for _, _, heuristic in agents))
    if len(names) != 2:
        return []
    shares, searches = [], 0
    for (one, search, heuristic), (other, other_search, other_heuristic) in combinations(agents, 2):
        if search != other_search or heuristic == other_heuristic:
            continue
        points = pairs(frames, one, other) / 2.0
        shares.append(points if heuristic == names[0] else 1.0 - points)
        searches += 1
    openings = pd.concat(shares, axis=1).dropna().mean(axis=1) if shares else pd.Series(dtype=float)
    if openings.empty:
        return []
    result = pooled(openings, frames.population, MARGIN)
    written = [_as_written(name, [agent for agent, _, _ in agents]) for name in names]
    where = "in the same search," if searches == 1 else f"over {searches} searches with both heuristics,"
    if result.clear or (result.basis is Basis.EXACT and result.score != 0.5):
        sign = 1 if result.score > 0.5 else -1
        best, last = written[::sign]
        return [f"{where} {best} beats {last}, {ahead_by(result, sign)}"]
    return [f"{where} neither {written[0]} nor {written[1]} is shown to be better"]


def _as_written(heuristic: str, agents: Iterable[str]) -> str:
    """Return the name of a heuristic that the names of the agents have: its alias where one of them has that."""
    aliases = [alias for alias, name in ALIASES.items() if name == heuristic]
    return next((alias for alias in aliases for agent in agents if alias in agent), heuristic)


def _orderings(frames: Frames, pools: Sequence[Sequence[Standing]]) -> list[str]:
    """Return a line on each two agents that differ only in their ordering and do not play alike."""
    named = _placed(frames, pools)
    alike = {row.agent: row.plays_as or row.agent for pool in pools for row in pool}
    return [
        ORDERINGS.format(*sorted((named[one], named[other])))
        for (one, search, order), (other, other_search, other_order) in combinations(_settings(frames, "order"), 2)
        if search == other_search and order != other_order and alike[one] != alike[other]
    ]
