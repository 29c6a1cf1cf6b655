"""What the commands do, from Python: tables are DataFrames, single answers are values with named fields."""

from arena.api.labels import label, tune
from arena.api.measures import Verified, audit, bench, depths, grade, verify
from arena.api.merged import merge
from arena.api.plotting import plot
from arena.api.positions import evaluate, move, order, perft, solve
from arena.api.result import Result, load
from arena.api.strength import diff, elo, rate, sprt
from arena.api.tournaments import compare, run

__all__ = [
    "Result", "Verified", "audit", "bench", "compare", "depths", "diff", "elo", "evaluate", "grade", "label", "load",
    "merge", "move", "order", "perft", "plot", "rate", "run", "solve", "sprt", "tune", "verify",
]  # fmt: skip
