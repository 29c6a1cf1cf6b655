"""The order of a run that was played where its order was least sure: which neighbours are shown to be in it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena.analysis.frames import Frames
from arena.play.uncertain import Uncertain
from arena.statistics import neighbours as statistics

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two neighbours in the order of a run that was played with `--order uncertain`."""

    place: int
    """Of the one above, from 1."""
    agent: str
    """The one above."""
    against: str
    """The one below."""
    pairs: int
    """[pairs] Openings that the two played with both colours."""
    evidence: float
    """[nats] That the one above is better, by a bet on their own games that may be looked at at any time."""
    needed: float
    """[nats] Evidence that shows it, for all neighbours of the pool together."""
    shown: bool
    """Whether the two are shown to be in this order."""


def neighbours(frames: Frames) -> list[Neighbours]:
    """Return a row for every two neighbours, from the top; nothing of runs of another order."""
    names = [str(name) for name in frames.agents["name"]]
    if frames.plan.get("order") != "uncertain" or not frames.played().openings:
        return []
    counts = _counts(frames, names)
    ranked = statistics.order(statistics.strengths(counts)[0])
    level = Uncertain(len(names), int(frames.plan["rounds"])).level
    evidence = statistics.shown(counts, ranked)
    pairs = counts.sum(axis=-1)[ranked[:-1], ranked[1:]]
    return [
        Neighbours(place + 1, names[above], names[below], int(pairs[place]), found, level, found >= level)
        for place, (above, below, found) in enumerate(zip(ranked[:-1], ranked[1:], evidence.tolist(), strict=True))
    ]


def _counts(frames: Frames, names: list[str]) -> Floats:
    """Return pairs of games as `arena.statistics.neighbours` has them, of openings played with both colours."""
    played, counts = frames.played(), np.zeros((len(names), len(names), 5))
    for one, two in itertools.permutations(range(len(played.agents)), 2):
        both = (played.games[:, one, two] > 0.0) & (played.games[:, two, one] > 0.0)
        made = 1.0 + played.points[both, one, two] - played.points[both, two, one]
        own, other = (names.index(played.agents[place]) for place in (one, two))
        counts[own, other] = np.bincount((2.0 * made).astype(np.int64), minlength=5)
    return counts
