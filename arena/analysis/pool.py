"""A run's agents rated as one pool."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.errors import InputError, no_file, unknown
from arena.analysis.frames import Frames
from arena.analysis.rows import without
from arena.statistics import pool
from arena.statistics.pool import Total
from arena.statistics.ranking import Pool, Rating
from arena.statistics.ratings import rate, rate_totals


@dataclass(frozen=True, slots=True)
class Superiority(Rating):
    """A rating, and how surely the agent is stronger than each other."""

    los: tuple[float, ...]
    """[percent] Likelihood of superiority over each agent, in the order of the ratings; 50 over itself."""


def with_superiority(ratings: Pool) -> list[Superiority]:
    """Return the ratings of a pool with the likelihoods of superiority."""
    return [
        Superiority(**without(rating), los=chances)
        for rating, chances in zip(ratings.ratings, ratings.superiority, strict=True)
    ]


COLUMNS = ("a", "b", "wins", "draws", "losses")


Anchor = tuple[str, float]
"""An agent and the rating that it is to have."""


def of_run(frames: Frames, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a run's agents.

    Raises InputError where they do not form one pool or the anchor is none of them.
    """
    return rate(frames.played(), anchor=anchor, population=frames.population, strata=frames.winners)


def parts(frames: Frames) -> list[list[str]]:
    """Return the pools of a run, each in the order of the agents; who has not played is in the first."""
    names = list(frames.agents["name"])
    met = frames.sides()[["agent", "opponent"]].itertuples(index=False, name=None)
    pools = sorted(
        ([name for name in names if name in part] for part in pool.parts(met)), key=lambda p: names.index(p[0])
    )
    absent = set(names).difference(*pools)
    first = [name for name in names if name in absent.union(*pools[:1])]
    return [first, *pools[1:]]


def ratings_of(frames: Frames, anchor: Anchor | None = None) -> dict[str, tuple[Rating, str]]:
    """Return by agent its rating in its pool and what the intervals of that pool rest on, the best of a pool first.

    Raises InputError where the anchor is no agent of the run.
    """
    if anchor is not None and anchor[0] not in set(frames.agents["name"]):
        raise unknown("agent to anchor the ratings", anchor[0], frames.agents["name"])
    found: dict[str, tuple[Rating, str]] = {}
    for part in parts(frames):
        try:
            rated = of_run(frames.only(part), anchor if anchor is not None and anchor[0] in part else None)
        except InputError:
            continue  # nobody met another
        found |= {rating.agent: (rating, rated.method) for rating in rated.ratings}
    return found


def of_file(path: Path, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a stored run or of a CSV file, which its name ends with. Raises InputError."""
    if path.suffix.lower() != ".csv":
        return of_run(Frames.read(path, decided=False), anchor)
    if not path.exists():
        raise no_file(path)
    return of_csv(path, anchor)


def of_csv(path: Path, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a CSV file with the columns a, b, wins, draws, losses. Raises InputError."""
    return rate_totals(totals(path), anchor=anchor)


def totals(path: Path) -> list[Total]:
    """Return the pairings of such a file. Raises InputError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: there is no column {missing[0]!r}; it takes {','.join(COLUMNS)}")
            return [_total(row, f"{path}, line {reader.line_num}") for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read as CSV: {error}") from error


def _total(row: Mapping[str, str | None], place: str) -> Total:
    a, b, *counts = ((row[name] or "").strip() for name in COLUMNS)
    if not a or not b or not all(count.isascii() and count.isdigit() and len(count) < 16 for count in counts):
        raise InputError(f"{place}: it is not two names and three counts")
    wins, draws, losses = map(int, counts)
    return Total(a, b, wins, draws, losses)
