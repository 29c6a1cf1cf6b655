"""Compare heuristics: a tournament in which everything else is equal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.specs.parts import HEURISTICS, known
from agents.specs.registry import KINDS, LEVELS, expand, parse
from arena.play.plan import Plan


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
    given = searches[0].parameters
    for key in ("heuristic", level.key):
        if key in given:
            raise InputError(f"search {search!r} must leave {key} open: the comparison sets it")
    joint = "," if given else ":"
    return parse(f"{searches[0].text}{joint}heuristic={heuristic},{level.key}={level.value}").text


def fielded(heuristics: Sequence[str], search: str, levels: Sequence[Level]) -> dict[str, dict[str, str]]:
    """Return for each level, by its text, the agents that play at it and the heuristic of each. Raises InputError."""
    return {str(level): {spec(search, each, level): each for each in heuristics} for level in levels}


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
    for each in heuristics:
        if each.partition(":")[0] in (*KINDS, *LEVELS):
            raise InputError(f"{each!r} is an agent and no heuristic: in arena run agents meet")
        known("heuristic", each)
    if len(heuristics) < 2 or len(set(heuristics)) < len(heuristics):
        raise InputError("a comparison takes two or more different heuristics")
    pools = fielded(heuristics, search, levels)
    pairs = tuple(pair for pool in pools.values() for pair in itertools.combinations(pool, 2))
    agents, comparison = tuple(itertools.chain(*pools.values())), {"search": search, "levels": pools}
    return Plan(agents, openings, rounds, seed, pairs=pairs, rules=rules, comparison=comparison)


TRIED = 40
"""Positions that a heuristic is tried on, with the first moves and nearly full boards among them."""


def refuse_failing(plan: Plan) -> None:
    """Raise InputError for a heuristic that fails on one of some positions, before games are spent on it.

    A heuristic of our own is not tried.
    """
    from agents.search.compiled import heuristic
    from agents.specs.plugins import aside
    from arena.measure.verify import sample

    assert plan.comparison is not None
    [names, *_] = plan.comparison["levels"].values()
    for agent, text in names.items():
        if text.partition("(")[0] in HEURISTICS:
            continue
        evaluate = heuristic(text, plan.rules, compiled=bool(parse(agent).parameters.get("compiled", True))).evaluate
        for board in sample(TRIED, 1, plan.rules):
            try:
                with aside():
                    evaluate(board.own, board.opp)
            except Exception as error:
                where = f"heuristic {text!r} fails after {board.text or 'no move'}"
                raise InputError(f"{where}: {_failure(text, board, error)}") from error


def _failure(text: str, board: Board, error: Exception) -> str:
    """Return in a line why a heuristic fails on a position, as plain Python has it, which knows the line."""
    from agents.jit.mistakes import mistake
    from agents.remote.failure import described
    from agents.search.compiled import plain_heuristic

    function = plain_heuristic(text, board.rules)
    try:
        value = function(board.own, board.opp)
    except (TypeError, AttributeError, NameError) as plain:
        line, cause, runs = mistake(function)
        return described(plain)[0] if runs else f"line {line}: {cause}"
    except Exception as plain:  # noqa: BLE001  whatever it raises
        return described(plain)[0]
    if isinstance(value, int):
        return described(error)[0]
    return f"it must return a whole number, as int() makes one, and returns {value!r:.60}"
