"""How many nodes a second the searches and the heuristics visit on this machine."""

from __future__ import annotations

import operator
import time
from dataclasses import dataclass

from agents.agent import prepare
from agents.board import Board
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.registry import parse
from arena.measure.depths import once

SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Speed:
    """The fastest of many searches from the empty board."""

    agent: str
    """Its spec."""
    nodes: int
    """[nodes]"""
    seconds: float
    """[seconds]"""
    nodes_per_second: float
    """[nodes/second]"""


def benches() -> list[str]:
    """Return the specs that `arena bench` measures: every search with one heuristic, every heuristic in one search."""
    searches = ["minimax:depth=7,heuristic=powers-of-ten"]
    searches += [f"alphabeta:depth=11,order={order},heuristic=powers-of-ten" for order in ORDERINGS]
    searches += ["alphabeta:depth=11,order=centre,heuristic=powers-of-ten,table=on"]
    return searches + [
        f"alphabeta:depth=9,order=centre,heuristic={heuristic}"
        for heuristic in complete(HEURISTICS)
        if heuristic != "powers-of-ten"
    ]


def bench(spec: str) -> Speed:
    """Return the speed of a search from the empty board, the fastest of many."""
    agent = parse(spec).build()
    board = Board()
    prepare(agent, board.rules, spec)
    best = once(agent, board, spec)
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        best = min(best, once(agent, board, spec), key=operator.attrgetter("seconds"))
    return Speed(spec, best.nodes, best.seconds, best.nodes / best.seconds)
