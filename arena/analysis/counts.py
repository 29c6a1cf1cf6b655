"""How many games a run has, how many of them differ, and what they start from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.analysis.frames import Frames
from arena.analysis.pool import played

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
    games = played(frames)
    names, first, second = games.agents, games.first, games.second
    pairing = np.minimum(first, second) * len(names) + np.maximum(first, second)
    order = np.lexsort((games.moves, pairing))
    pairing, moves = pairing[order], games.moves[order]
    new = np.concatenate([np.ones(1, bool), (pairing[1:] != pairing[:-1]) | (moves[1:] != moves[:-1])])[: len(moves)]
    often, distinct = np.bincount(pairing), np.bincount(pairing[new])
    found = [
        Repetition(names[pair // len(names)], names[pair % len(names)], int(distinct[pair]), int(often[pair]))
        for pair in np.flatnonzero(distinct < FEW * often)
    ]
    return Counts(len(moves), int(new.sum()), frames.planned, tuple(sorted(found, key=lambda r: r.distinct / r.games)))


def start(frames: Frames) -> Start:
    """Return what games start from."""
    plan, values = frames.plan, frames.openings["value"]
    drawn = plan.get("openings"), len(values), plan.get("population")
    if values.isna().any() or values.empty:
        return Start(*drawn)
    plies = frames.openings["moves"].map(lambda moves: len(moves.split(",") if "," in moves else moves))
    first = np.sign(values.where(plies % 2 == 0, -values))
    return Start(*drawn, *(int((first == value).sum()) for value in (1, 0, -1)))
