"""What differs between a study's folder and the same study played again: games, moves, nodes, rows and verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.analysis.effort import limit
from arena.analysis.frames import Frames
from arena.cells import counted, plain
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


@dataclass(frozen=True, slots=True)
class Again:
    """A part of a study compared with the same part played again."""

    rows: Sequence[Difference] = ()
    games: int = 0
    """That were played again."""
    remark: str = ""
    """What could not be compared, as agents move by the clock; claims on such a run are left out."""


def of_digests(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Return the files of a study, and of agents of both, that differ between its state then and now."""
    found = [("study.toml", "", old["study"], new["study"])]
    for name in (each for each in old["agents"] if each in new["agents"]):
        was, now = (each["agents"][name]["files"] for each in (old, new))
        found += [(path, name, was.get(path, "missing"), now.get(path, "missing")) for path in {**was, **now}]
    return [Difference(path, name, "SHA-256", one, other) for path, name, one, other in found if one != other]


def of_run(part: str, old: Frames, new: Frames) -> Again:
    """Return what differs between a stored run and itself, the first difference of each game.

    part: its name in the study. old, new: as stored, and as played again. Games of agents that move by the clock, which
    no machine plays twice alike, are left out.
    """
    clocked = sorted(str(name) for name in old.agents["name"] if limit(old, name) is not None)
    (one, timed), (other, _) = (_facts(frames, clocked) for frames in (old, new))
    differences: dict[str, Difference] = {}
    for at in {**one, **other}:
        was, now = (facts.get(at, {"is there": "no"}) for facts in (one, other))
        field = next((name for name in was if was[name] != now.get(name)), None)
        if field is not None:
            values = str(was[field]), str(now.get(field, "yes" if field == "is there" else "no"))
            differences.setdefault(at[0], Difference(part, " ".join(at), field, *values))
    of = f"{timed} of {counted(len(old.games), 'game')}"
    remark = f"{part}: {', '.join(clocked)} move by the clock: {of} only had to follow the rules"
    return Again(list(differences.values()), len(new.games), remark * bool(clocked))


Facts = dict[tuple[str, ...], dict[str, object]]
"""The values that have to come out again, by the game's key, the ply and the depth."""


def _facts(frames: Frames, clocked: Collection[str]) -> tuple[Facts, int]:
    """Return what a run says of games, moves and searches without a clock, and the number of its games with one."""
    games = frames.games[~frames.games[["first", "second"]].isin(clocked).any(axis=1)]
    facts: Facts = {}
    for name, index in (("games", ()), ("moves", ("ply",)), ("searches", ("ply", "depth"))):
        table = getattr(frames, name).merge(games[["game", "key"]]) if index else games
        for row in table.to_dict("records"):
            values = {field: row[field] for field in FIELDS if field in row and field not in index}
            values = {field: None if value != value else value for field, value in values.items()}  # noqa: PLR0124  NaN
            facts[row["key"], *(f"{field} {row[field]}" for field in index)] = {"is there": "yes", **values}
    return facts, len(frames.games) - len(games)


FIELDS = ("moves", "result", "termination", "column", "depth", "nodes", "score")
"""What must come out again, as far as a table has it."""


def row_differences(name: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """Return what differs between two tables but for times."""
    if len(old) != len(new):
        return [Difference(name, "", "rows", str(len(old)), str(len(new)))]
    return [
        Difference(name, f"row {number}", key, str(one[key]), str(other.get(key)))
        for number, (one, other) in enumerate(zip(old, new, strict=True), start=1)
        for key in one if not TIMED.search(key) and one[key] != other.get(key)
    ]  # fmt: skip
