"""The jobs for Python users: keywords and values are checked, and rows are returned as DataFrames."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from agents.board import Board, Rules
from arena.api import measures, positions, strength, tournaments, truth, tuning
from arena.api import study as studies
from arena.api.progress import Measured
from arena.api.result import Result, load, opened, plot
from arena.api.settings import checked

if TYPE_CHECKING:
    import pandas as pd

    from arena.statistics.pairing import Pairing

__all__ = [
    "Result", "audit", "compare", "depths", "diff", "elo", "evaluate", "grade", "load",
    "move", "order", "perft", "plot", "rate", "run", "solve", "solve_random", "sprt", "study", "tune", "verify",
]  # fmt: skip

P = ParamSpec("P")


def tabled(job: Callable[P, Measured[Any]]) -> Callable[P, pd.DataFrame]:
    """Wrap a job so that it checks its keywords and returns its rows as a table."""

    @functools.wraps(job)
    def call(*given: P.args, **keywords: P.kwargs) -> pd.DataFrame:
        return job(*given, **keywords).frame()

    call.__signature__ = inspect.signature(job).replace(return_annotation="pd.DataFrame")  # type: ignore[attr-defined]
    return checked(call)


depths = tabled(measures.depths)
diff = tabled(strength.diff)
evaluate = tabled(positions.evaluate)
grade = tabled(truth.grade)
order = tabled(positions.order)
rate = tabled(strength.rate)
solve = tabled(truth.solve)
solve_random = tabled(truth.solve_random)
verify = tabled(measures.verify)

compare = checked(tournaments.compare)
move = checked(positions.move)
run = checked(tournaments.run)
sprt = checked(strength.sprt)
tune = checked(tuning.tune)


class study:  # noqa: N801  called as a module is
    """Experiments in one file each: `new`, `check`, `play` and `verify`; `arena study` from Python."""

    new = staticmethod(checked(studies.new))
    check = staticmethod(checked(studies.check))
    play = staticmethod(checked(studies.play))
    verify = staticmethod(checked(studies.verify))


@checked
def perft(
    depth: int, position: Board | str = "", *, divide: bool = False, rules: Rules | str = "7x6x4"
) -> dict[str, int] | pd.DataFrame:
    """Count the game tree below a position to a depth in plies; `arena perft` from Python. Raises InputError.

    rules: of a position given as text. Returns `sequences`, the number of sequences of exactly `depth` moves, and
    `nodes`, the number of nodes of the whole tree, the root included. divide: return a DataFrame with a row for each
    first move instead; its columns are the fields of `arena.measure.position.Divided`.
    """
    found = positions.perft(depth, position, divide=divide, rules=rules)
    return found.moves.frame() if divide else {"sequences": found.sequences, "nodes": found.nodes}


@checked
def audit(run: Result | str | Path, *, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Compare every move of a stored run with perfect play; return a row for each agent. `arena audit` from Python.

    The results are stored with the run, and not computed again. workers: threads.
    progress: show a bar. The columns of the table are the fields of `arena.analysis.audit.AgentAudit`. Raises
    InputError.
    """
    return opened(run).audit(workers=workers, progress=progress)


@checked
def elo(counts: Sequence[int] | Result | str | Path) -> Pairing | pd.DataFrame:
    """Return a pairing's statistics from engine one's view, or those of all pairings of a run; `arena elo` from Python.

    counts: 3 counts of games or 5 of pairs, worst result first; or a run or its file. Counts return an
    `arena.statistics.pairing.Pairing`, with fields such as elo, low, high, los_score and basis; a run returns a table
    with the fields of `arena.analysis.pairings.Duel`. Raises InputError.
    """
    found = strength.elo(counts)
    return found.frame() if isinstance(found, Measured) else found
