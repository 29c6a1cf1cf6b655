"""What the commands do, from Python: tables are DataFrames, single answers are values with named fields."""

from arena.api.measures import Verified, audit, bench, depths, grade, label, tune, verify
from arena.api.positions import evaluate, move, order, perft, solve
from arena.api.result import Result, load, plot
from arena.api.strength import diff, elo, rate, sprt
from arena.api.tournaments import compare, merge, run

__all__ = [
    "Result", "Verified", "audit", "bench", "compare", "depths", "diff", "elo", "evaluate", "grade", "label", "load",
    "merge", "move", "order", "perft", "plot", "rate", "run", "solve", "sprt", "tune", "verify",
]  # fmt: skip
