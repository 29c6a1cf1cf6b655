"""What differs between a study's folder and the same study played again: games, moves, nodes, rows and verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.table.cells import plain
from arena.table.rows import cell, table_row
from arena.tournament.effort import limit
from arena.tournament.frames import Frames

TIMED = re.compile(r"(^|_)(ms|seconds)(_|$)|^time_ratio(_|$)|_per_second$")
"""Fields of tables that hold times or speeds, which another machine has otherwise."""


@table_row
class Difference:
    """Something that came out otherwise."""

    part: str = cell("The run, the measurement or the file.", "part")
    place: str = cell("The game by its key, the agent, or the row of a table.", "place")
    field: str = cell("What differs.", "what")
    stored: str = cell("In the folder.", "stored", plain)
    again: str = cell("Played again.", "again", plain)


def clocked(frames: Frames) -> list[str]:
    """Return the agents of a run that move by the clock, whose games no machine plays twice alike."""
    clock = frames.plan.get("clock") is not None
    return sorted(str(name) for name in frames.agents["name"] if clock or limit(frames, name) is not None)


def of_run(part: str, old: Frames, new: Frames) -> list[Difference]:
    """Return the first difference of each game between a stored run and the same run played again.

    part: its name in the study.
    """
    stored, again = _facts(old), _facts(new)
    rows = []
    for key in {**stored, **again}:
        one, other = stored.get(key, ABSENT), again.get(key, ABSENT)
        at = next((at for at in {**one, **other} if one.get(at) != other.get(at)), None)
        if at is not None:
            place, field = at
            rows.append(Difference(part, f"{key}{place}", field, str(one.get(at)), str(other.get(at))))
    return rows


Facts = dict[tuple[str, str], object]
"""What must come out again of a game: values by the place in it, such as " ply 3", and the field."""
THERE = "", "is there"
ABSENT: Facts = {THERE: "no"}


def _facts(frames: Frames) -> dict[str, Facts]:
    """Return what must come out again of each game, by its key: of the game, its moves and its searches."""
    keys = dict(zip(frames.games["game"], frames.games["key"], strict=True))
    facts: dict[str, Facts] = {key: {THERE: "yes"} for key in keys.values()}
    for table, index, fields in (
        (frames.games, (), ("moves", "result", "termination")),
        (frames.moves, ("ply",), ("column", "depth", "nodes", "score")),
        (frames.searches, ("ply", "depth"), ("column", "nodes", "score")),
    ):
        for row in table.to_dict("records"):
            place = "".join(f" {name} {row[name]}" for name in index)
            values = {(place, name): row[name] for name in fields}
            facts[keys[row["game"]]] |= {at: None if value != value else value for at, value in values.items()}  # noqa: PLR0124  NaN
    return facts


def row_differences(name: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """Return what differs between two tables but for times."""
    if len(old) != len(new):
        return [Difference(name, "", "rows", str(len(old)), str(len(new)))]
    return [
        Difference(name, f"row {number}", key, str(one[key]), str(other.get(key)))
        for number, (one, other) in enumerate(zip(old, new, strict=True), start=1)
        for key in one if not TIMED.search(key) and one[key] != other.get(key)
    ]  # fmt: skip
