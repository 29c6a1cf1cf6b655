"""How a Swiss tournament, a knockout or a ladder went, as a table and a line."""

from __future__ import annotations

from typing import Any

from arena.analysis.frames import Frames
from arena.analysis.rounds import Met, rounds
from arena.analysis.rows import plain
from arena.report.column import Column, Part, Table, label
from arena.report.labels import Labels
from arena.report.numbers import fixed

ROUNDS = [
    Column("round", "round"),
    Column("agent", "one", label),
    Column("points", "points_one", fixed(1)),
    Column("points", "points_two", fixed(1)),
    Column("against", "two", label),
    Column("pairs", "pairs", least=1),
]


def parts(frames: Frames) -> list[Part]:
    """Return the matches and the places; nothing of other formats."""
    found = rounds(frames)
    if not found.matches:
        return []
    labels = Labels.among(frames.agents["name"])
    name = frames.plan["format"]
    places = ", ".join(f"{place}. {labels.of(agent)}" for place, agent in enumerate(found.places, start=1))
    lines: list[Part] = [f"Places by the {name.partition(':')[0]}: {places}"] if places else []
    return [Table("rounds", f"Rounds: {name}, in the order of play", Met, found.matches, ROUNDS, labels), *lines]


def document(frames: Frames) -> dict[str, Any]:
    """Return the same as plain data; nothing of other formats."""
    found = rounds(frames)
    return {"rounds": plain(found.matches), "places": list(found.places)} if found.matches else {}
