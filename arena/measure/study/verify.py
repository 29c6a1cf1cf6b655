"""What differs between a study's folder and the same study played again: games, moves, nodes, tables and verdicts."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from agents.specs.registry import KINDS
from arena.analysis.effort import limit
from arena.analysis.frames import Frames
from arena.cells import fixed, label, plain
from arena.measure.study.claims import Claim
from arena.measure.study.file import Study, source_of
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


def code_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Return the files of a study and of its agents that are others now, of what `digests.json` says then and now."""
    found = [] if old["study"] == new["study"] else [("study.toml", "", old["study"], new["study"])]
    for name, each in old["agents"].items():
        now = new["agents"].get(name, {"files": {}})["files"]
        found += [(path, name, digest, now.get(path, "missing")) for path, digest in each["files"].items()]
    return [Difference(path, name, "SHA-256", one, other) for path, name, one, other in found if one != other]


def run_differences(part: str, old: Frames, new: Frames, keys: Collection[str] | None = None) -> list[Difference]:
    """Return what differs between a stored run and itself, the first difference of each game; by its `keys` some games.

    Of searches by the clock those are compared that completed one depth in one position, which is all that another
    machine can be held to, and that of agents without chance alone.
    """
    clocked, found = clocked_agents(old), dict[str, Difference]()
    for name, index in (("games", ["key"]), ("moves", ["key", "ply"]), ("searches", ["key", "ply", "depth"])):
        tables = [_keyed(frames, name, keys) for frames in (old, new)]
        one, other = (each[~each[["first", "second"]].isin(clocked).any(axis=1)].set_index(index) for each in tables)
        for each in _differing(part, one, other):
            found.setdefault(each.place.partition(" ")[0], each)
    rows = old.agents.itertuples(index=False)
    sure = [row.name for row in rows if row.name in clocked and row.kind in KINDS and not KINDS[row.kind].chance]
    timed = []
    for frames in (old, new):
        table = _keyed(frames, "searches", keys)
        table = table[table["agent"].isin(sure) & (table["depth"] > 0)]
        before = [str(moves)[:ply] for moves, ply in zip(table["moves"], table["ply"], strict=True)]
        timed.append(table.assign(before=before).set_index(["key", "ply", "depth", "before"]).drop(columns="moves"))
    both = timed[0].index.intersection(timed[1].index)
    return [*found.values(), *_differing(part, timed[0].loc[both], timed[1].loc[both])]


def clocked_agents(frames: Frames) -> set[str]:
    """Return the agents of a run that move by the clock, whose games no machine plays twice alike."""
    return {str(name) for name in frames.agents["name"] if limit(frames, name) is not None}


def is_timed(study: Study, claim: Claim, clocked: Collection[str]) -> bool:
    """Return whether a claim rests on times, or on one of the runs with games by the clock."""
    return any(each.name == "ms" or getattr(source_of(study, each), "name", "") in clocked for each in claim.quantities)


def clocked_remark(part: str, old: Frames, new: Frames, clocked: Collection[str]) -> str:
    """Return a line on how many games of agents by the clock went the same way."""
    one, other = (each.games[each.games[["first", "second"]].isin(clocked).any(axis=1)] for each in (old, new))
    both = one.merge(other, on="key")
    same = int((both["moves_x"] == both["moves_y"]).sum())
    said = f"{part}: {', '.join(sorted(clocked))} move by the clock: of {len(both)} games with them {same} went the"
    return f"{said} same way; each follows the rules, and searches of one depth in one position were compared"


def _keyed(frames: Frames, name: str, keys: Collection[str] | None) -> pd.DataFrame:
    """Return a table of a run with the key, the players and the moves of each game, of all games or of some."""
    games = frames.games if keys is None else frames.games[frames.games["key"].isin(keys)]
    if name == "games":
        return games
    table: pd.DataFrame = getattr(frames, name)
    return table.merge(games[["game", "key", "first", "second", "moves"]], on="game")


FIELDS = ("moves", "result", "termination", "column", "depth", "nodes", "score")
"""What must come out again, as far as a table has it."""


def _differing(part: str, old: pd.DataFrame, new: pd.DataFrame) -> Iterator[Difference]:
    """Yield the rows of two tables with one index that differ, each by its first field that does."""
    for missing, there in ((old.index.difference(new.index), "yes"), (new.index.difference(old.index), "no")):
        for place in missing:
            yield Difference(part, _place(place), "is there", there, "no" if there == "yes" else "yes")
    both = old.index.intersection(new.index)
    left = pd.Series(True, index=both)
    for name in [name for name in FIELDS if name in old.columns]:
        one, other = (table.loc[both, name].astype(object) for table in (old, new))
        differs = left & ~((one == other) | (one.isna() & other.isna()))
        for place in both[differs]:
            yield Difference(part, _place(place), name, str(one[place]), str(other[place]))
        left &= ~differs


def _place(place: object) -> str:
    if not isinstance(place, tuple):
        return str(place)
    key, ply, *depth = place
    return f"{key} ply {ply}" + (f" depth {depth[0]}" if depth else "")


def timings(part: str, old: Frames, new: Frames) -> list[Timing]:
    """Return the time of each agent's moves in the games that both runs hold."""
    both = set(old.games["key"]) & set(new.games["key"])
    one, other = (_keyed(each, "moves", both).groupby("agent")["seconds"].median() * 1000.0 for each in (old, new))
    return [
        Timing(part, agent, float(one[agent]), float(other[agent]), float(other[agent] / one[agent]))
        for agent in old.agents["name"] if one.get(agent, 0.0) > 0.0 and agent in other
    ]  # fmt: skip


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
