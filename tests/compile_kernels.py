"""Compiles the kernels that most tests use, to be loaded by the suite's workers: who compiles keeps memory for good."""

import gc
import sys

from agents.agent import Limits, prepare
from agents.board import STANDARD, Board, Rules
from agents.search import compiled
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse

SPECS = [
    *(f"alphabeta:heuristic={heuristic}" for heuristic in complete(HEURISTICS)),
    *(f"alphabeta:order={order}" for order in complete(ORDERINGS)),
    "perfect", "mcts:playouts=50", "oneil", "itu-2012",
]  # fmt: skip
SMALL = Rules(5, 4, 3)
AGENTS = [(spec, STANDARD) for spec in SPECS] + [
    ("alphabeta", Rules(8, 7)), ("alphabeta", SMALL), ("alphabeta:order=open-windows", SMALL),
    ("alphabeta", Rules(4, 4)), ("perfect", Rules(4, 4)), ("alphabeta:order=column-score-published", Rules(5, 4)),
]  # fmt: skip


def main(place, places):
    """Let every agent, heuristic and ordering answer once whose place, modulo the number of places, is this one.

    Every other process begins at the end of the agents, with other kernels: two that begin alike compile the same.
    """
    for spec, rules in AGENTS[place::places][:: (-1) ** place]:
        agent = parse(spec).build()
        prepare(agent, rules, spec)
        agent.choose(Board(rules), Limits(depth=2))
    for heuristic in complete(HEURISTICS)[place::places]:
        compiled.heuristic(heuristic, STANDARD).evaluate(0, 0)
    for order in complete(ORDERINGS)[place::places]:
        score = compiled.ordering(order, STANDARD).score
        if score is not None:
            score(0, 0, 0)


if __name__ == "__main__":
    gc.disable()  # it ends soon
    main(*map(int, sys.argv[1:]))
