"""What differs between a study's folder and the same study played again: games, moves, nodes, tables and verdicts."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from agents.specs.registry import KINDS
from arena.analysis.effort import limit
from arena.analysis.frames import Frames
from arena.cells import fixed, label, plain
from arena.rows import cell, table_row

TIMED = re.compile(r"(^|_)(ms|seconds)(_|$)|^time_ratio(_|$)|_per_second$")
"""Fields of tables that hold times or speeds, which another machine has otherwise."""


@table_row
class Difference:
    """Something that came out otherwise."""

    part: str = cell("The run, the measurement or the file.", "part")
    place: str = cell("The game by its key and the ply, or the row of a table.", "place")
    field: str = cell("What differs.", "what")
    stored: str = cell("In the folder.", "stored", plain)
    again: str = cell("Played again.", "again", plain)


@table_row
class Timing:
    """The time of an agent's moves then and now."""

    part: str = cell("The run.", "part")
    agent: str = cell("Its name.", "agent", label)
    ms: float = cell("[milliseconds] Median of a move, in the folder.", "ms", fixed(3))
    ms_again: float = cell("[milliseconds] The same, played again.", "ms again", fixed(3))
    ratio: float = cell("The second over the first.", "×", fixed(2))


def run_differences(part: str, old: Frames, new: Frames, keys: Collection[str] | None = None) -> list[Difference]:
    """Return what differs between a stored run and itself, the first difference of each game; by its `keys` some games.

    Games of agents that move by the clock are compared as `clocked_differences` says.
    """
    clocked = clocked_agents(old)
    free = [_games(frames, clocked) for frames in (old, new)]
    games = free[0] if keys is None else free[0][free[0].index.isin(keys)]
    again = free[1] if keys is None else free[1][free[1].index.isin(keys)]
    found = _differing(part, games, again, ["moves", "result", "termination"])
    seen = {each.place for each in found}
    for name, index in (("moves", ["key", "ply"]), ("searches", ["key", "ply", "depth"])):
        tables = [_keyed(frames, name, index) for frames in (old, new)]
        own, other = (each[each["key"].isin(games.index.difference(list(seen)))] for each in tables)
        for each in _differing(part, own, other, ["column", "depth", "nodes", "score"]):
            game = each.place.partition(" ")[0]
            found += [] if game in seen else [each]
            seen.add(game)
    return found + _clocked(part, old, new, clocked, keys)


def clocked_agents(frames: Frames) -> set[str]:
    """Return the agents of a run that move by the clock, whose games no machine plays twice alike."""
    return {str(name) for name in frames.agents["name"] if limit(frames, name) is not None}


def clocked_remark(part: str, old: Frames, new: Frames, clocked: Collection[str]) -> list[str]:
    """Return a line on how many games by the clock went the same way; none where there are none."""
    if not clocked:
        return []
    one, other = (each.games[each.games[["first", "second"]].isin(clocked).any(axis=1)] for each in (old, new))
    both = one.merge(other, on="key")
    same = int((both["moves_x"] == both["moves_y"]).sum())
    said = (
        f"{part}: {', '.join(sorted(clocked))} move by the clock: of {len(both)} games with them {same} went the same"
    )
    return [f"{said} way; each follows the rules, and searches of one depth in one position were compared"]


def _clocked(part: str, old: Frames, new: Frames, clocked: set[str], keys: Collection[str] | None) -> list[Difference]:
    """Return where searches by the clock completed a depth in one position with other nodes or another move.

    That is all of such games that another machine can be held to, and of searches without chance alone.
    """
    rows = old.agents.itertuples(index=False)
    sure = [row.name for row in rows if row.name in clocked and row.kind in KINDS and not KINDS[row.kind].chance]
    tables = []
    for frames in (old, new):
        table = frames.searches[frames.searches["agent"].isin(sure) & (frames.searches["depth"] > 0)]
        games = frames.games.set_index("game")
        moves = [str(games["moves"][game])[:ply] for game, ply in zip(table["game"], table["ply"], strict=True)]
        kept = table.assign(key=table["game"].map(games["key"]), before=moves)
        tables.append(kept.set_index(["key", "ply", "depth", "before"])[["column", "nodes", "score"]])
    both = tables[0].index.intersection(tables[1].index)
    both = both if keys is None else both[both.get_level_values("key").isin(keys)]
    return _differing(part, tables[0].loc[both], tables[1].loc[both], ["column", "nodes", "score"])


def _games(frames: Frames, clocked: set[str]) -> pd.DataFrame:
    games = frames.games[~frames.games[["first", "second"]].isin(clocked).any(axis=1)]
    return games.set_index("key")


def _keyed(frames: Frames, name: str, index: Sequence[str]) -> pd.DataFrame:
    table: pd.DataFrame = getattr(frames, name)
    keyed = table.assign(key=table["game"].map(frames.games.set_index("game")["key"]))
    return keyed.set_index([*index], drop=False)


def _differing(part: str, old: pd.DataFrame, new: pd.DataFrame, names: Sequence[str]) -> list[Difference]:
    """Return the rows of two tables with one index that differ, each by its first field that does."""
    both, found = old.index.intersection(new.index), []
    for index, (one, other) in (("stored", (old, new)), ("again", (new, old))):
        for place in one.index.difference(other.index):
            there = ("yes", "no") if index == "stored" else ("no", "yes")
            found.append(Difference(part, _place(place), "is there", *there))
    left = pd.Series(True, index=both)
    for name in [name for name in names if name in old.columns]:
        one, other = (table.loc[both, name].astype(object) for table in (old, new))
        differs = left & ~((one == other) | (one.isna() & other.isna()))
        found += [Difference(part, _place(place), name, str(one[place]), str(other[place])) for place in both[differs]]
        left &= ~differs
    return found


def _place(place: object) -> str:
    if not isinstance(place, tuple):
        return str(place)
    key, ply, *depth = place
    return f"{key} ply {ply}" + (f" depth {depth[0]}" if depth else "")


def timings(part: str, old: Frames, new: Frames) -> list[Timing]:
    """Return the time of each agent's moves in the games that both runs hold."""
    both = set(old.games["key"]) & set(new.games["key"])
    found = []
    for agent in old.agents["name"]:
        ms = []
        for frames in (old, new):
            games = frames.games.loc[frames.games["key"].isin(both), "game"]
            moves = frames.moves[(frames.moves["agent"] == agent) & frames.moves["game"].isin(games)]
            ms.append(list(moves["seconds"] * 1000.0))
        if all(ms) and median(ms[0]) > 0.0:
            found.append(Timing(part, agent, median(ms[0]), median(ms[1]), median(ms[1]) / median(ms[0])))
    return found


def file_differences(
    old: Path, new: Path, parts: Collection[str], clocked: Collection[str], claims: Collection[int]
) -> Iterator[Difference]:
    """Yield what differs between the measurements, tables and verdicts of two folders, but for times.

    parts: the names of all runs. clocked: those with games by the clock, whose tables are left out. claims: the numbers
    of those whose verdicts are left out, as they rest on times.
    """
    for path in sorted(each.relative_to(old) for each in (*old.glob("measured/*.json"), *old.glob("tables/*.csv"))):
        owner = max((part for part in parts if path.stem.startswith(f"{part}-")), key=len, default="")
        if not (new / path).exists():
            yield Difference(str(path), "", "is there", "yes", "no")
        elif owner not in clocked and path.stem != "verdicts":
            yield from _row_differences(str(path), _rows(old / path), _rows(new / path))
    kept = [[row for row in _rows(each / "verdicts.json") if row["claim"] not in claims] for each in (old, new)]
    yield from _row_differences("verdicts.json", *kept)


def _rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return list(csv.DictReader(text.splitlines()))
    found = json.loads(text)
    rows: list[dict[str, Any]] = found["rows"] if isinstance(found, dict) else found
    return rows


def _row_differences(name: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Difference]:
    if len(old) != len(new):
        return [Difference(name, "", "rows", str(len(old)), str(len(new)))]
    return [
        Difference(name, f"row {number}", key, str(one[key]), str(other.get(key)))
        for number, (one, other) in enumerate(zip(old, new, strict=True), start=1)
        for key in one if not TIMED.search(key) and one[key] != other.get(key)
    ]  # fmt: skip
