"""A run's agents rated as one pool."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from agents.errors import InputError
from arena.statistics.pool import Result, Total
from arena.statistics.ratings import Pool, Rating, rate, rate_totals
from arena.views.frames import Frames


def of_run(frames: Frames) -> Pool:
    """Return the ratings of a run's agents. Raises InputError where they do not form one pool."""
    return rate(
        Result(row.first, row.second, str(row.opening), row.points)
        for row in frames.games[["first", "second", "opening", "points"]].itertuples(index=False)
    )


def ratings_of(frames: Frames) -> dict[str, Rating]:
    """Return the ratings of a run's agents by name; empty where they do not form one pool."""
    try:
        return {rating.agent: rating for rating in of_run(frames).ratings}
    except InputError:
        return {}


def of_csv(path: Path) -> Pool:
    """Return the ratings of a CSV file with the columns a, b, wins, draws, losses. Raises InputError."""
    columns = ["a", "b", "wins", "draws", "losses"]
    try:
        table = pd.read_csv(path, dtype={"a": str, "b": str}, skipinitialspace=True)
    except (ValueError, OSError) as error:
        raise InputError(f"{path} cannot be read as CSV: {error}") from error
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise InputError(f"{path}: a column {missing[0]!r} is missing; it takes {','.join(columns)}")
    totals = []
    for number, row in enumerate(table[columns].itertuples(index=False, name=None), start=2):
        try:
            if row[0] != row[0] or row[1] != row[1]:  # an empty cell is nan
                raise ValueError  # noqa: TRY301  said below
            wins, draws, losses = (int(cell) for cell in row[2:] if float(cell).is_integer())
        except (ValueError, TypeError):
            raise InputError(f"{path}, line {number}: it is not two names and three counts") from None
        totals.append(Total(row[0], row[1], wins, draws, losses))
    return rate_totals(totals)
