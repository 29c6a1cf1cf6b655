"""Compare heuristics: a tournament in which everything else is equal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.specs.components import checked_name
from agents.specs.kinds import KINDS, LEVELS
from agents.specs.registry import expand, parse
from arena.games.plan import Plan


@dataclass(frozen=True, slots=True)
class Level:
    """The limit of both sides of a comparison for a move: plies, nodes or seconds."""

    key: str
    """depth, nodes or seconds."""
    value: str

    def __str__(self) -> str:
        return {"depth": f"depth {self.value}", "nodes": f"{self.value} nodes", "seconds": f"{self.value} s"}[self.key]


def spec(search: str, heuristic: str, level: Level) -> str:
    """Return the spec of an agent: the search, the heuristic and the level. Raises InputError for more than one."""
    searches = expand(search)
    if len(searches) != 1:
        raise InputError(f"search {search!r} names {len(searches)} agents, one is needed")
    parameters = searches[0].parameters
    for key in ("heuristic", level.key):
        if key in parameters:
            raise InputError(f"search {search!r} must leave {key} open: the comparison sets it")
    joint = "," if parameters else ":"
    return parse(f"{searches[0].text}{joint}heuristic={heuristic},{level.key}={level.value}").text


def fielded(heuristics: Sequence[str], search: str, levels: Sequence[Level]) -> dict[str, dict[str, str]]:
    """Return for each level, by its text, the agents that play at it and the heuristic of each. Raises InputError."""
    return {str(level): {spec(search, heuristic, level): heuristic for heuristic in heuristics} for level in levels}


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
    """Return the tournament: every two heuristics meet at every level, and only there. Raises InputError.

    search: the spec that gets each heuristic. levels: limits of every move. openings, rounds, seed: the fields of Plan.
    """
    for heuristic in heuristics:
        if heuristic.partition(":")[0] in (*KINDS, *LEVELS):
            raise InputError(f"{heuristic!r} is an agent and no heuristic: in arena run agents meet")
        checked_name("heuristic", heuristic)
    if len(heuristics) < 2 or len(set(heuristics)) < len(heuristics):
        raise InputError("a comparison takes two or more different heuristics")
    pools = fielded(heuristics, search, levels)
    pairs = tuple(pair for pool in pools.values() for pair in itertools.combinations(pool, 2))
    agents, comparison = tuple(itertools.chain(*pools.values())), {"search": search, "levels": pools}
    return Plan(agents, openings, rounds, seed, pairs=pairs, rules=rules, comparison=comparison)
