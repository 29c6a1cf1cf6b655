"""Ratings of a pool of agents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.table.measured import Measured

if TYPE_CHECKING:
    from arena.statistics.ratings import Pool
    from arena.tournament.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated(Measured[Any]):
    """The ratings of a pool."""

    pool: Pool


def rate(run: Result | str | Path, *, anchor: tuple[str, float] | None = None) -> Rated:
    """Return the ratings of a pool, the best first; `arena rate` from Python. Raises InputError.

    run: a run, its file, a PGN file, or a CSV file with the columns a, b, wins, draws, losses. anchor: an agent and its
    fixed rating; otherwise the mean is 0. The columns of the table are the fields of `arena.statistics.ratings.Rating`.
    """
    from arena.statistics import ratings
    from arena.tournament import pool
    from arena.tournament.result import Result
    from arena.tournament.runs import run_file

    if not isinstance(run, Result | str | Path):
        raise InputError(f"run is a run, its file or a CSV file, not {run!r:.80}")
    source = run.frames if isinstance(run, Result) else run_file(run)
    rated = pool.of_file(source, anchor) if isinstance(source, Path) else pool.of_run(source, anchor)
    return Rated(rows=rated.ratings, kind=ratings.Rating, pool=rated)
