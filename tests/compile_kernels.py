"""Compiles the kernels that most tests use, to be loaded by the suite's workers: who compiles keeps memory for good."""

import sys

from agents.agent import Limits, prepare
from agents.board import STANDARD, Board
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse

SPECS = [
    *(f"alphabeta:heuristic={heuristic}" for heuristic in complete(HEURISTICS)),
    *(f"alphabeta:order={order}" for order in complete(ORDERINGS)),
    "perfect", "mcts:playouts=50", "oneil", "itu-2012",
]  # fmt: skip


def main(place, places):
    """Let every agent answer once whose place, modulo the number of places, is this one.

    Every other process begins at the end of the list, with other kernels: two that begin alike compile the same.
    """
    for spec in SPECS[place::places][:: (-1) ** place]:
        agent = parse(spec).build()
        prepare(agent, STANDARD, spec)
        agent.choose(Board(), Limits(depth=2))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
