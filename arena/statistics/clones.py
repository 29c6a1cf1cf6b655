"""Agents that play the same games, so that rating both would count one twice."""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.statistics.played import Played

Words = npt.NDArray[np.uint64]
_CHUNK: Final = 100_000  # games; more only costs memory
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def clones(played: Played) -> dict[str, str]:
    """Return the agents whose games are all those of another, each with the first by name of those it plays as.

    Two play alike if every game of one against a third, or against one of the two, is a game of the other on the same
    opening, with the same colour and the same moves. Games whose moves are not told show nothing.

    Sets of games are held against each other by the sums of 64 random bits for each game, which differ for sets that
    do but for one case in 2**64.
    """
    number = len(played.agents)
    sums = np.zeros((number, number), dtype=np.uint64)
    """Of the games of the row's agent against the column's."""
    for start in range(0, len(played.moves), _CHUNK):
        piece = slice(start, start + _CHUNK)
        words = _mixed(played.moves[piece].view(np.uint64)) + played.opening[piece].astype(np.uint64)
        words = _mixed(words) + (played.points[piece] * 2.0).astype(np.uint64)
        first, second = played.first[piece], played.second[piece]
        for colour, sides in enumerate(((first, second), (second, first))):
            np.add.at(sums, sides, _mixed(words + np.uint64(colour * 4)))
    silent = np.zeros(number, dtype=bool)
    for side in (played.first, played.second):
        silent[side[played.moves == 0]] = True
    same: dict[int, int] = {}
    for one, two in itertools.combinations(np.flatnonzero(~silent).tolist(), 2):
        if one in same or two in same:
            continue
        apart = np.delete(sums[one] != sums[two], (one, two)).any()
        if not apart and sums[one, [one, two]].sum() == sums[two, [one, two]].sum():
            same[two] = one
    return {played.agents[two]: played.agents[one] for two, one in same.items()}


def _mixed(words: Words) -> Words:
    """Return words whose bits depend on all of each word's; source: Steele, Lea, Flood, "SplitMix" (2014)."""
    found = words + np.uint64(_STEP)
    for shift, factor in _MIX:
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found
