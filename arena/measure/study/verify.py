"""What differs between a study's folder and the same study played again: games, moves, nodes, tables and verdicts."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.specs.registry import KINDS
from arena.analysis.effort import limit
from arena.analysis.frames import Frames
from arena.cells import agent_label, fixed, plain
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
    agent: str = cell("Its name.", "agent", agent_label)
    ms: float = cell("[milliseconds] Median of a move, in the folder.", "ms", fixed(3))
    ms_again: float = cell("[milliseconds] The same, played again.", "ms again", fixed(3))
    ratio: float = cell("The second over the first.", "×", fixed(2))


@dataclass(frozen=True, slots=True)
class Again:
    """A part of a study compared with the same part played again."""

    rows: Sequence[Difference] = ()
    times: Sequence[Timing] = ()
    games: int = 0
    """That were played again."""
    remark: str = ""
    """What could not be compared, as agents move by the clock; such a run's tables and claims are left out."""


def of_digests(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Return the files of a study, and of agents of both, that differ between what `digests.json` says then and now."""
    found = [("study.toml", "", old["study"], new["study"])]
    for name in (each for each in old["agents"] if each in new["agents"]):
        was, now = (each["agents"][name]["files"] for each in (old, new))
        found += [(path, name, was.get(path, "missing"), now.get(path, "missing")) for path in {**was, **now}]
    return [Difference(path, name, "SHA-256", one, other) for path, name, one, other in found if one != other]


def of_run(part: str, old: Frames, new: Frames) -> Again:
    """Return what differs between a stored run and itself, the first difference of each game.

    part: its name in the study. old, new: as stored, and as played again. Of games by the clock, which no machine plays
    twice alike, searches are compared that completed one depth in one position, and those of agents without chance
    alone.
    """
    clocked = {str(name) for name in old.agents["name"] if limit(old, name) is not None}
    (one, searched), (other, again) = (_facts(frames, clocked) for frames in (old, new))
    both = [at for at in searched if at in again]  # in their order: of each game the first difference is told
    one, other = ({**facts, **{at: of[at] for at in both}} for facts, of in ((one, searched), (other, again)))
    found: dict[str, Difference] = {}
    for at in {**one, **other}:
        was, now = (facts.get(at, {"is there": "no"}) for facts in (one, other))
        field = next((name for name in was if was[name] != now.get(name)), None)
        if field is not None:
            said = str(was[field]), str(now.get(field, "yes" if field == "is there" else "no"))
            found.setdefault(at[0], Difference(part, " ".join(at[:3]), field, *said))
    remark = ""
    if clocked:
        moves = [dict(zip(each.games["key"], each.games["moves"], strict=True)) for each in (old, new)]
        met = old.games[old.games[["first", "second"]].isin(clocked).any(axis=1)]["key"]
        shared = [key for key in met if key in moves[1]]
        same = sum(moves[0][key] == moves[1][key] for key in shared)
        remark = (
            f"{part}: {', '.join(sorted(clocked))} move by the clock: {same} of {len(shared)} games with them went the "
            "same way; each follows the rules, and searches of one depth in one position were compared"
        )
    return Again(list(found.values()), _timings(part, old, new), len(new.games), remark)


Facts = dict[tuple[str, ...], dict[str, object]]
"""The values that have to come out again, by the game's key, the ply, the depth and the moves before."""


def _facts(frames: Frames, clocked: Collection[str]) -> tuple[Facts, Facts]:
    """Return what a run says of games, moves and searches, and of the searches in games by the clock."""
    games = frames.games.assign(line=frames.games["moves"])
    timed = set(games[games[["first", "second"]].isin(clocked).any(axis=1)]["key"])
    kinds = dict(zip(frames.agents["name"], frames.agents["kind"], strict=True))
    sure = {name for name in clocked if kinds[name] in KINDS and not KINDS[kinds[name]].chance}
    found: Facts = {}
    searches: Facts = {}
    for name, index in (("games", ()), ("moves", ("ply",)), ("searches", ("ply", "depth"))):
        table = getattr(frames, name).merge(games[["game", "key", "line"]]) if index else games
        for row in table.to_dict("records"):
            at = (row["key"], *(f"{each} {row[each]}" for each in index))
            given = {each: row[each] for each in FIELDS if each in row and each not in index}
            values = {each: None if value != value else value for each, value in given.items()}  # noqa: PLR0124  NaN
            if row["key"] not in timed:
                found[at] = {"is there": "yes", **values}
            elif "depth" in index and row["agent"] in sure and row["depth"] > 0:
                searches[*at, row["line"][: row["ply"]]] = values
    return found, searches


FIELDS = ("moves", "result", "termination", "column", "depth", "nodes", "score")
"""What must come out again, as far as a table has it."""


def _timings(part: str, old: Frames, new: Frames) -> list[Timing]:
    """Return the time of each agent's moves in the games that both runs hold."""
    both = set(old.games["key"]) & set(new.games["key"])
    numbers = [each.games[each.games["key"].isin(both)]["game"] for each in (old, new)]
    tables = [each.moves[each.moves["game"].isin(games)] for each, games in zip((old, new), numbers, strict=True)]
    one, other = (table.groupby("agent")["seconds"].median() * 1000.0 for table in tables)
    return [
        Timing(part, agent, float(one[agent]), float(other[agent]), float(other[agent] / one[agent]))
        for agent in old.agents["name"] if one.get(agent, 0.0) > 0.0 and agent in other
    ]  # fmt: skip


def csv_rows(source: Path | str) -> list[dict[str, str]]:
    """Return the rows of a table in CSV, of a file or a text; none where there is no file."""
    if isinstance(source, Path):
        source = source.read_text(encoding="utf-8") if source.exists() else ""
    return list(csv.DictReader(source.splitlines()))


def row_differences(name: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """Return what differs between two tables but for times."""
    if len(old) != len(new):
        return [Difference(name, "", "rows", str(len(old)), str(len(new)))]
    return [
        Difference(name, f"row {number}", key, str(one[key]), str(other.get(key)))
        for number, (one, other) in enumerate(zip(old, new, strict=True), start=1)
        for key in one if not TIMED.search(key) and one[key] != other.get(key)
    ]  # fmt: skip
