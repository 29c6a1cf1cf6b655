"""A run's agents rated as one pool."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.report.tables import fixed, percent, render
from arena.statistics import pool
from arena.statistics.pool import Result, Total
from arena.statistics.ranking import Pool, Rating
from arena.statistics.ratings import rate, rate_totals

COLUMNS = ("a", "b", "wins", "draws", "losses")


def of_run(frames: Frames) -> Pool:
    """Return the ratings of a run's agents. Raises InputError where they do not form one pool."""
    return rate(
        Result(row.first, row.second, str(row.opening), row.points)
        for row in frames.games[["first", "second", "opening", "points"]].itertuples(index=False)
    )


def parts(frames: Frames) -> list[list[str]]:
    """Return the pools of a run, each in the order of the agents; who has not played is in the first."""
    names = list(frames.agents["name"])
    met = frames.games[["first", "second"]].drop_duplicates().itertuples(index=False, name=None)
    pools = sorted(
        ([name for name in names if name in part] for part in pool.parts(met)), key=lambda p: names.index(p[0])
    )
    absent = set(names).difference(*pools)
    first = [name for name in names if name in absent.union(*pools[:1])]
    return [first, *pools[1:]]


def ratings_of(frames: Frames) -> dict[str, Rating]:
    """Return the ratings of a run's agents by name, relative to the mean of the pool that each is in."""
    found = {}
    for part in parts(frames):
        try:
            found.update({rating.agent: rating for rating in of_run(frames.only(part)).ratings})
        except InputError:
            continue  # nobody met another
    return found


def elo_text(row: Mapping[Any, Any]) -> str | None:
    """Return a rating with half the width of its interval; a star where only a prior keeps it finite."""
    if pd.isna(row["elo"]):
        return None
    star = " *" if row["marked"] else ""
    return f"{row['elo']:+.0f} ± {(row['high'] - row['low']) / 2:.0f}{star}"


def text(rows: Sequence[Mapping[str, Any]], style: str) -> str:
    """Return ratings as a table, numbered where they come with `los`, the chances against the agents by number."""
    columns = ["agent", "elo", "low", "high", "games", "score"]
    shown = pd.DataFrame([{name: row[name] for name in columns} for row in rows])
    numbers = range(1, len(rows) + 1)
    if "los" in rows[0]:
        shown.insert(0, "#", numbers)
        for number in numbers:
            shown[f"LOS {number}"] = [row["los"][number - 1] for row in rows]
    if style == "csv":
        return render(shown.assign(marked=[row["marked"] for row in rows]), style)
    shown["agent"] = [f"{row['agent']}{' *' if row['marked'] else ''}" for row in rows]
    elo = dict.fromkeys(("elo", "low", "high"), fixed(1))
    chances = dict.fromkeys((f"LOS {number}" for number in numbers), fixed(1))
    return render(shown, style, {"score": percent, **elo, **chances})


def of_csv(path: Path) -> Pool:
    """Return the ratings of a CSV file with the columns a, b, wins, draws, losses. Raises InputError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: there is no column {missing[0]!r}; it takes {','.join(COLUMNS)}")
            totals = [_total(row, f"{path}, line {reader.line_num}") for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read as CSV: {error}") from error
    return rate_totals(totals)


def _total(row: Mapping[str, str | None], place: str) -> Total:
    a, b, *counts = ((row[name] or "").strip() for name in COLUMNS)
    if not a or not b or not all(count.isascii() and count.isdigit() and len(count) < 16 for count in counts):
        raise InputError(f"{place}: it is not two names and three counts")
    wins, draws, losses = map(int, counts)
    return Total(a, b, wins, draws, losses)
