"""The jobs for Python users: keywords and values are checked, and rows are returned as DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.board import Board, Rules
from arena.comparison import compare as comparisons
from arena.depth import depths as costs
from arena.depth import verify as agreements
from arena.games.settings import checked, tabled
from arena.position import questions
from arena.tournament import tournaments
from arena.tournament.result import Result, load, plot

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Result", "compare", "depths", "evaluate", "load", "move", "order", "perft", "plot", "run", "verify"]

compare = checked(comparisons.compare)
depths = tabled(costs.depths)
evaluate = tabled(questions.evaluate)
move = checked(questions.move)
order = tabled(questions.order)
run = checked(tournaments.run)
verify = tabled(agreements.verify)


@checked
def perft(
    depth: int, position: Board | str = "", *, divide: bool = False, rules: Rules | str = "7x6x4"
) -> dict[str, int] | pd.DataFrame:
    """Count the game tree below a position to a depth in plies; `arena perft` from Python. Raises InputError.

    rules: of a position given as text. Returns `sequences`, the number of sequences of exactly `depth` moves, and
    `nodes`, the number of nodes of the whole tree, the root included. divide: return a DataFrame with a row for each
    first move instead; its columns are the fields of `arena.position.position.Divided`.
    """
    counted = questions.perft(depth, position, divide=divide, rules=rules)
    return counted.moves.frame() if divide else {"sequences": counted.sequences, "nodes": counted.nodes}
