"""Time the searches and the solver by turns, and hold them against times from before a change.

python tests/speed.py --out before.json
python tests/speed.py --against before.json
"""

import argparse
import json
import time
from pathlib import Path
from statistics import median

from agents.agent import Limits, prepare
from agents.board import Board
from agents.solver.solver import Solver
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse

ROUNDS = 11
TURN = 0.04  # seconds: a search is repeated that long, and the fastest counts
MIDDLE_GAME = "152743452322"  # the empty board takes the solver too long, and later positions none
SPECS = (
    "minimax:depth=7,heuristic=powers-of-ten",
    *(f"alphabeta:depth=11,order={order},heuristic=powers-of-ten" for order in ORDERINGS),
    "alphabeta:depth=11,order=centre,heuristic=powers-of-ten,table=on",
    *(f"alphabeta:depth=9,order=centre,heuristic={name}" for name in complete(HEURISTICS) if name != "powers-of-ten"),
    "mcts:playouts=1000",
)


def search_of(spec):
    """Return a function that searches the empty board from a cleared memory, compiled and warm -> nodes, seconds."""
    agent, board = parse(spec).build(), Board()
    prepare(agent, board.rules, spec)

    def search():
        agent.new_game(0)
        began = time.process_time()
        nodes = agent.choose(board, Limits()).nodes
        return nodes, time.process_time() - began

    search()
    return search


def solve():
    """Return a function that solves a position with an empty table -> nodes, seconds."""
    solver, board = Solver(), Board.from_moves(MIDDLE_GAME)

    def search():
        solver.forget()
        before, began = solver.nodes, time.process_time()
        solver.score_of(board)
        return solver.nodes - before, time.process_time() - began

    search()
    return search


def fastest(search):
    """Return nodes and seconds of the fastest search of a turn."""
    ends, turns = time.perf_counter() + TURN, [search()]
    while time.perf_counter() < ends:
        turns.append(search())
    return min(turns, key=lambda turn: turn[1] or TURN)


def timed(specs):
    """Return nodes and the seconds of each round by spec; a busy moment slows one round of each."""
    searches = {spec: search_of(spec) for spec in specs} | {f"solver: {MIDDLE_GAME}": solve()}
    times = {spec: {"nodes": 0, "seconds": []} for spec in searches}
    for _ in range(ROUNDS):
        for spec, search in searches.items():
            times[spec]["nodes"], seconds = fastest(search)
            times[spec]["seconds"].append(seconds)
    return times


def report(times, before):
    """Print a line for each search: milliseconds, million nodes a second, and the ratio to the time before."""
    for spec, row in times.items():
        line = f"{1e3 * min(row['seconds']):9.3f} ms {row['nodes'] / 1e6 / min(row['seconds']):8.2f} M nodes/s"
        if spec in before:
            old = before[spec]["seconds"]
            ratios = sorted(now / then for now in row["seconds"] for then in old)
            line += f"  x {median(ratios):.3f}" + ("" if before[spec]["nodes"] == row["nodes"] else "  other nodes")
        print(f"{line}  {spec}")


def main():
    """Time the searches that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="by default every search, ordering and heuristic")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the times")
    parser.add_argument("--against", type=Path, metavar="FILE", help="print the ratio to the times in FILE")
    asked = parser.parse_args()
    before = json.loads(asked.against.read_text(encoding="utf-8")) if asked.against else {}
    times = timed(asked.specs or SPECS)
    report(times, before)
    if asked.out:
        asked.out.write_text(json.dumps(times), encoding="utf-8")


if __name__ == "__main__":
    main()
