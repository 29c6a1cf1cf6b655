"""A run's agents rated as one pool."""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from agents.errors import InputError, no_file, unknown
from arena.games import pgn
from arena.statistics import pool
from arena.statistics.pool import PoolGame, Total
from arena.statistics.ratings import Pool, Rating, rate, rate_totals
from arena.tournament.frames import POINTS, Frames

COLUMNS = ("a", "b", "wins", "draws", "losses")


Anchor = tuple[str, float]
"""An agent and the rating that it is to have."""
Ends = Callable[[str, str], tuple[float, float]]
"""Takes two agents, and returns the ends of the 95 % interval of the first's Elo less the second's."""


def of_run(frames: Frames, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a run's agents.

    Raises InputError where they do not form one pool or the anchor is none of them.
    """
    return rate(
        frames.results,
        anchor=anchor,
        population=frames.population,
        strata=frames.winners,
    )


def parts(frames: Frames) -> list[list[str]]:
    """Return the pools of a run, each in the order of the agents; agents without games are in the first."""
    names = list(frames.agents["name"])
    met = frames.pairings[["one", "two"]].itertuples(index=False, name=None)
    pools = sorted(
        ([name for name in names if name in part] for part in pool.parts(met)), key=lambda p: names.index(p[0])
    )
    absent = set(names).difference(*pools)
    first = [name for name in names if name in absent.union(*pools[:1])]
    return [first, *pools[1:]]


def ratings_of(frames: Frames, anchor: Anchor | None = None) -> dict[str, tuple[Rating, Pool]]:
    """Return by agent its rating and that of its pool, the best of a pool first; an anchor without games moves nobody.

    Raises InputError where the anchor is no agent of the run.
    """
    if anchor is not None and anchor[0] not in set(frames.agents["name"]):
        raise unknown("agent to anchor the ratings", anchor[0], frames.agents["name"])
    ratings: dict[str, tuple[Rating, Pool]] = {}
    held = anchor if anchor is not None and anchor[0] in frames.results.agents else None
    for part in parts(frames):
        try:
            rated = _rated(frames, tuple(part), held if held is not None and held[0] in part else None)
        except InputError:
            continue  # nobody met another
        ratings |= {rating.agent: (rating, rated) for rating in rated.ratings}
    return ratings


@functools.lru_cache(maxsize=2)  # standings and their sweep ask
def _rated(frames: Frames, part: tuple[str, ...], anchor: Anchor | None) -> Pool:
    return of_run(frames.only(part), anchor)


def gap_ends(frames: Frames, part: Collection[str]) -> Ends:
    """Return a function of two rated agents of a part that returns the ends of the interval of their difference."""

    def ends(one: str, two: str) -> tuple[float, float]:
        rated = _rated(frames, tuple(name for name in frames.agents["name"] if name in part), None)
        names = [rating.agent for rating in rated.ratings]
        first, second = names.index(one), names.index(two)
        return rated.lows[first][second], -rated.lows[second][first]

    return ends


def of_file(path: Path, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a stored run or of a CSV or PGN file, which its name ends with. Raises InputError."""
    if path.suffix.lower() not in COUNTED:
        return of_run(Frames.read(path, most=0), anchor)
    if not path.exists():
        raise no_file(path)
    return COUNTED[path.suffix.lower()](path, anchor)


def _of_pgn(path: Path, anchor: Anchor | None) -> Pool:
    """Return the ratings by the games of a PGN file; those without a result do not count. Raises InputError."""
    games = []
    for game in pgn.games(path):
        names = game.tags.get("White", "").strip(), game.tags.get("Black", "").strip()
        if not all(names):
            raise InputError(f"{path}, line {game.line}: the game has no tags White and Black")
        if game.result in POINTS:
            games.append(PoolGame(*names, None, POINTS[game.result], game.board.text if game.began else ""))
    return rate(games, anchor=anchor)


def _of_csv(path: Path, anchor: Anchor | None) -> Pool:
    """Return the ratings by the counts of a CSV file. Raises InputError."""
    return rate_totals(_totals_of_csv(path), anchor=anchor)


def _totals_of_csv(path: Path) -> list[Total]:
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


COUNTED: dict[str, Callable[[Path, Anchor | None], Pool]] = {".csv": _of_csv, ".pgn": _of_pgn}
"""The readers of games and counts by the suffix of a file's name."""
