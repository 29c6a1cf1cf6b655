"""How many games a run has, how many of them differ, and what they start from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.analysis.frames import Frames

FEW = 0.9
"""A pairing of whose games fewer are distinct repeats itself; some repetition comes by chance."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A pairing that plays the same games again."""

    one: str
    two: str
    distinct: int
    games: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many games a run has."""

    played: int
    distinct: int
    """Different move strings, counted within each pairing."""
    planned: int
    repeating: tuple[Repetition, ...]
    """The pairings that repeat themselves, the worst first."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the games of a run start from."""

    set: str | None
    """As `--openings` names it."""
    drawn: int
    """How many openings were drawn."""
    population: int | None
    """From how many; None for runs that do not say."""
    first_wins: int | None = None
    """How many of those drawn the first player wins with perfect play; None where one's value is unknown."""
    draws: int | None = None
    second_wins: int | None = None


def counts(frames: Frames) -> Counts:
    """Count the games, and the distinct ones within pairings."""
    games = frames.played()
    met = games.ends.sum(axis=-1)
    often, names = np.triu(met + np.tril(met, -1).T), games.agents
    found = [
        Repetition(names[one], names[two], int(games.distinct[one, two]), int(often[one, two]))
        for one, two in np.argwhere(games.distinct < FEW * often).tolist()
    ]
    shown = tuple(sorted(found, key=lambda r: r.distinct / r.games))
    return Counts(int(met.sum()), int(games.distinct.sum()), frames.planned, shown)


def start(frames: Frames) -> Start:
    """Return what games start from."""
    plan, values = frames.plan, frames.openings["value"]
    drawn = plan.get("openings"), len(values), plan.get("population")
    if values.isna().any() or values.empty:
        return Start(*drawn)
    plies = frames.openings["moves"].map(lambda moves: len(moves.split(",") if "," in moves else moves))
    first = np.sign(values.where(plies % 2 == 0, -values))
    return Start(*drawn, *(int((first == value).sum()) for value in (1, 0, -1)))
