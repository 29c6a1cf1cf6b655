"""Perfect play for Python users: keywords and values are checked, and rows are returned as DataFrames."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena.games.settings import checked, tabled
from arena.perfect import grade as grades
from arena.perfect import solve as exact
from arena.tournament.result import Result, opened

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["audit", "grade", "solve", "solve_random"]

grade = tabled(grades.grade)
solve = tabled(exact.solve)
solve_random = tabled(exact.solve_random)


@checked
def audit(run: Result | str | Path, *, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Compare every move of a stored run with perfect play; return a row for each agent. `arena audit` from Python.

    The results are stored with the run, and not computed again. workers: threads.
    progress: show a bar. The columns of the table are the fields of `arena.perfect.kept.AgentAudit`. Raises
    InputError.
    """
    return opened(run).audit(workers=workers, progress=progress)
