"""The order of a run that was played where its order was least sure: which neighbours are shown to be in it."""

from __future__ import annotations

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
    if frames.plan.get("order") != "uncertain" or frames.games.empty:
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
    place = {name: number for number, name in enumerate(names)}
    columns = (frames.games[name] for name in ("first", "second", "opening", "points"))
    points = {(place[one], place[two], opening): made for one, two, opening, made in zip(*columns, strict=True)}
    counts = np.zeros((len(names), len(names), 5))
    for (one, two, opening), made in points.items():
        back = points.get((two, one, opening))
        if back is not None:
            counts[one, two, round(2 * (made + 1 - back))] += 1.0
    return counts
