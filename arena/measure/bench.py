"""The speed of the searches, the heuristics and the solver on this machine."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from agents.agent import Agent, prepare
from agents.board import Board
from agents.errors import InputError
from agents.remote.agent import RemoteAgent
from agents.specs.parts import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import KINDS, Spec, parse
from arena.cells import agent_label, count, duration, fixed, place, rate, ratios
from arena.measure.depths import once
from arena.play.entrants import attended, outlived
from arena.records import Interval
from arena.rows import Column, cell, names, table_row
from arena.statistics.means import unpaired_ratio

SOLVER = "perfect"
MIDDLE_GAME = "152743452322"
"""The solver's position: the empty board takes too long, and later positions are solved at once."""
ROUNDS = 11
SECONDS = 0.04
"""Length of a search's turn in each round; the search is repeated that long."""
CLOCK = time.process_time if os.name == "posix" else time.perf_counter
"""Processor time, which other programs hardly lengthen; on Windows its steps are too coarse."""
Timed = tuple[int, float]
"""Nodes, seconds."""


@table_row
class Speed:
    """The fastest of many searches: the one that other programs slowed least."""

    agent: str = cell("Its spec.", "agent", agent_label)
    position: str = cell("Its moves from the empty board.", "position", place, any, least=1)
    nodes: int = cell("[nodes]", "nodes", count)
    seconds: float = cell(
        "[seconds] Of the processor; of remote agents by the referee's clock.",
        "time", duration, note="shortest, by the processor's clock; of remote agents by the referee's",
    )  # fmt: skip
    nodes_per_second: float = cell("[nodes/second]", "nodes/s", rate)
    round_seconds: tuple[float, ...] = cell("[seconds] The fastest search of each round.")


def benches() -> list[Spec]:
    """Return the agents that `arena bench` measures: every search, every ordering, every heuristic, and the solver."""
    searches = ["minimax:depth=7,heuristic=powers-of-ten"]
    searches += [f"alphabeta:depth=11,order={order},heuristic=powers-of-ten" for order in ORDERINGS]
    searches += ["alphabeta:depth=11,order=centre,heuristic=powers-of-ten,table=on"]
    searches += [
        f"alphabeta:depth=9,order=centre,heuristic={heuristic}"
        for heuristic in complete(HEURISTICS)
        if heuristic != "powers-of-ten"
    ]
    return [parse(text) for text in (*searches, "mcts:playouts=1000", SOLVER)]


def bench(
    specs: Sequence[Spec],
    progress: Callable[[], object] = lambda: None,
    faults: list[InputError] | None = None,
) -> list[Speed]:
    """Return the speeds of these agents on the 7x6 board; `progress` is called after each turn. Raises InputError.

    They are measured in turns: a slow moment of the machine affects one round of each. A remote agent that fails has no
    row, and its error joins the `faults`, if given.
    """
    agents = {spec.text: spec.build() for spec in specs}
    turns: dict[str, list[Timed]] = {name: [] for name in agents}
    searches: dict[str, Callable[[], Timed]] = {}
    with attended(agents.values()):
        for spec in specs:
            with outlived(agents[spec.text], faults):
                searches[spec.text] = _search(spec, agents[spec.text])
        for _ in range(ROUNDS):
            for name in [*searches]:
                with outlived(agents[name], faults):
                    turns[name].append(_fastest(searches[name]))
                    progress()
                    continue
                del searches[name]
    return [_speed(name, turns[name]) for name in searches]


def _search(spec: Spec, agent: Agent) -> Callable[[], Timed]:
    """Return a function that searches once from a cleared memory, compiled and warm."""
    if spec.text == SOLVER:
        return _solve()
    board = Board()
    here = spec.kind in KINDS and not isinstance(agent, RemoteAgent)  # else it searches in a process of its own
    clock = CLOCK if here else time.perf_counter

    def search() -> Timed:
        found = once(agent, board, spec.text, clock=clock)
        return found.nodes, found.seconds

    prepare(agent, board.rules, spec.text)
    search()
    return search


def _solve() -> Callable[[], Timed]:
    """Return a function that solves a position with an empty table and without the book."""
    from agents.solver.solver import Solver

    solver = Solver()
    board = Board.from_moves(MIDDLE_GAME)

    def search() -> Timed:
        solver.forget()
        before, began = solver.nodes, CLOCK()
        solver.score_of(board)
        return solver.nodes - before, CLOCK() - began

    search()
    return search


def _fastest(search: Callable[[], Timed]) -> Timed:
    began = time.perf_counter()
    best = search()
    while time.perf_counter() - began < SECONDS:
        best = min(best, search(), key=_took)
    return best


def _took(turn: Timed) -> float:
    """Return the seconds of a search, infinite where the processor's clock stood still."""
    return turn[1] or math.inf


def _speed(name: str, turns: Sequence[Timed]) -> Speed:
    nodes, seconds = min(turns, key=_took)
    position = MIDDLE_GAME if name == SOLVER else ""
    return Speed(name, position, nodes, seconds, nodes / seconds, tuple(each for _, each in turns))


LIMIT = 1.05
"""Ratio of times that counts as a change; two builds of the same source usually differ by less."""
SLOWER, FASTER, ALIKE = "slower", "faster", "alike"


@table_row
class Slowdown(Speed):
    """The speed of a search compared with an earlier measurement."""

    nodes_before: int = cell("[nodes]", "nodes before", count, least=5)
    seconds_before: float = cell("[seconds]", "before", duration, least=2)
    ratio: Interval = cell(
        "Time over time before: the median over all pairs of a round now and a round before; above 1 is slower.",
        "time ×", fixed(2),
        ends=Column("95 %", "ratio low high", ratios), low_high="low high",
        by="None where too few rounds leave it open",
    )  # fmt: skip
    verdict: str = cell("`slower` or `faster` where the whole interval lies beyond the limit, else `alike`.", "verdict")


def read_speeds(path: Path) -> list[Speed]:
    """Return the speeds that `arena bench --json` wrote to a file. Raises InputError."""
    try:
        return [_stored_speed(row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"{path} is not what arena bench --json writes") from error


def _stored_speed(row: dict[str, Any]) -> Speed:
    speed = Speed(**{name: row[name] for name in names(Speed)})
    rounds = tuple(map(float, speed.round_seconds))
    if not rounds or min(*rounds, speed.seconds) <= 0.0:
        raise ValueError
    return replace(speed, round_seconds=rounds)


def slowdowns(before: Sequence[Speed], now: Sequence[Speed], limit: float = LIMIT) -> list[Slowdown]:
    """Return a row for each search in both, in the order of `now`. Raises InputError where they share none."""
    known = {(row.agent, row.position): row for row in before}
    shared = [(row, known[row.agent, row.position]) for row in now if (row.agent, row.position) in known]
    if not shared:
        raise InputError("no search was measured before as well as now")
    return [_slowdown(row, old, limit) for row, old in shared]


def _slowdown(row: Speed, old: Speed, limit: float) -> Slowdown:
    found = unpaired_ratio(row.round_seconds, old.round_seconds)
    verdict = ALIKE
    if found.low is not None and found.low > limit:
        verdict = SLOWER
    if found.high is not None and found.high < 1.0 / limit:
        verdict = FASTER
    then: dict[str, Any] = {"nodes_before": old.nodes, "seconds_before": old.seconds}
    return Slowdown(**asdict(row), **then, ratio=found, verdict=verdict)
