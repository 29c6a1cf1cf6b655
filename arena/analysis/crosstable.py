"""The crosstable of a run: what each agent made of its games against each other."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis import rows
from arena.analysis.frames import Frames


@dataclass(frozen=True, slots=True)
class Crossing:
    """The games of an agent against an opponent."""

    agent: str
    """Its name in the run."""
    opponent: str
    """The other's name; the agent's own where it met itself."""
    games: int
    """[games]"""
    points: float
    """[points] The agent's: a win is one, a draw a half."""
    wins: int
    """[games]"""
    draws: int
    """[games]"""
    losses: int
    """[games]"""


def crosstable(frames: Frames) -> list[Crossing]:
    """Return a row for each agent and opponent that met."""
    sides = frames.sides()
    if sides.empty:
        return []
    table = sides.groupby(["agent", "opponent"])["points"].agg(
        games="size",
        points="sum",
        wins=lambda points: int((points == 1.0).sum()),
        draws=lambda points: int((points == 0.5).sum()),
        losses=lambda points: int((points == 0.0).sum()),
    )
    return rows.read(Crossing, table.reset_index())
