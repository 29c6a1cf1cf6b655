"""Count how blunders of an audited run are explained: python results/notes/explanations.py RUN [SAMPLE [SECONDS]].

A sample of so many blunders is drawn by seed 1, 0 for all; the limit is of processor time for each, 5 seconds if not
named. The checker of the tests follows each explanation through all replies. Writes the rows of the table of
explanations.md: all blunders, then the different positions that they leave, mirror images taken for one.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from agents.board import Board
from arena.api import runs
from arena.measure.explain import Explainer, kind, lines
from arena.report.explained import document
from tests.support.checked_explanation import check

KINDS = "forced line", "rule", "proof", "search"
CHANGES = {(1, -1): "win to loss", (0, -1): "draw to loss", (1, 0): "win to draw"}


def blunders(path):
    """Yield the moves up to each blunder, and what it changed."""
    with runs.games(path, blunders=True) as (games, _):
        for game in games:
            for each in game.blunders:
                yield game.moves[: each.ply + 1], CHANGES[each.value, each.after]


def main(path, sample="0", seconds="5"):
    """Print the table."""
    found = list(blunders(Path(path)))
    if int(sample):
        found = random.Random(1).sample(found, int(sample))  # noqa: S311  a sample
    explainer = Explainer(Board().rules, seconds=float(seconds), clock=time.process_time)
    known, tally, positions, began = {}, Counter(), defaultdict(set), time.process_time()
    for moves, change in found:
        board = Board.from_moves(moves)
        win = change != "win to draw"
        if (key := (board.key, win)) not in known:
            strategy = explainer.strategy(board, win=win)
            known[key] = kind(strategy) if strategy else "search"
            if strategy:
                assert lines(strategy) <= 10
                check({"position": moves, "after": -win, "strategy": document(strategy, board.rules)})
        ply = (len(moves) - 1) // 4 * 4
        for row in (change, f"ply {ply} to {ply + 3}" if ply < 24 else "ply 24 on", "all"):
            tally[row, known[key]] += 1
            positions[row, known[key]].add(key)
        print(len(known), sum(tally["all", each] for each in KINDS), known[key], moves, file=sys.stderr, flush=True)
    for row in [*CHANGES.values(), *(f"ply {ply} to {ply + 3}" for ply in range(0, 24, 4)), "ply 24 on", "all"]:
        counts = [tally[row, each] for each in KINDS]
        if total := sum(counts):
            different = [len(positions[row, each]) for each in KINDS]
            shares = f"{1 - counts[-1] / total:.1%} | {sum(different):,} | {1 - different[-1] / sum(different):.1%}"
            print(f"| {row} | {total:,} | {' | '.join(f'{each:,}' for each in counts)} | {shares} |")
    print(f"{len(known):,} positions, {time.process_time() - began:,.0f} s of processor time", file=sys.stderr)


main(*sys.argv[1:])
