"""Heuristics against each other: a tournament in which everything else is equal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.registry import expand
from arena.tournament import Plan


@dataclass(frozen=True, slots=True)
class Level:
    """What both sides of a comparison may use for a move: so many plies, nodes or seconds."""

    key: str
    """depth, nodes or seconds."""
    value: str

    def __str__(self) -> str:
        return {"depth": f"depth {self.value}", "nodes": f"{self.value} nodes", "seconds": f"{self.value} s"}[self.key]


def spec(search: str, heuristic: str, level: Level) -> str:
    """Return the spec of an agent: the search, the heuristic and the level. Raises InputError for more than one."""
    kind, _, rest = search.partition(":")
    given = [pair for pair in rest.split(",") if pair]
    for key in ("heuristic", level.key):
        if any(pair.startswith(f"{key}=") for pair in given):
            raise InputError(f"search {search!r} must leave {key} open: the comparison sets it")
    agents = expand(f"{kind}:{','.join([*given, f'heuristic={heuristic}', f'{level.key}={level.value}'])}")
    if len(agents) != 1:
        raise InputError(f"search {search!r} with {heuristic!r} names {len(agents)} agents, one is needed")
    return agents[0].text


def plan(
    heuristics: Sequence[str],
    search: str,
    levels: Sequence[Level],
    *,
    openings: str,
    rounds: int,
    seed: int = 1,
    rules: Rules = STANDARD,
) -> Plan:
    """Return the tournament: every two heuristics meet at every level, and only there. Raises InputError."""
    if len(set(heuristics)) < 2 or len(set(heuristics)) < len(heuristics):
        raise InputError("a comparison takes two or more different heuristics")
    agents = [spec(search, heuristic, level) for level in levels for heuristic in heuristics]
    size = len(heuristics)
    pairs = tuple(
        (agents[start + one], agents[start + two])
        for start in range(0, len(agents), size)
        for one, two in itertools.combinations(range(size), 2)
    )
    return Plan(tuple(agents), openings, rounds, seed, pairs=pairs, rules=rules)
