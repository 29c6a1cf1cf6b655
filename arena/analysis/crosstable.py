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
    points, games = sides["points"], sides["games"]
    ends = {name: games.where(points == worth, 0) for name, worth in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0))}
    table = sides.drop(columns=["first", "fault"]).assign(points=points * games, **ends)
    return rows.read(Crossing, table.groupby(["agent", "opponent"]).sum().reset_index())
