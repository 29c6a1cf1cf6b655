"""Agents that play the same games, so that rating both would count one twice."""

from __future__ import annotations

import itertools

import numpy as np

from arena.statistics.played import Played


def clones(played: Played) -> dict[str, str]:
    """Return the agents whose games are all those of another, each with the first by name of those it plays as.

    Two play alike if every game of one against a third, or against one of the two, is a game of the other on the same
    opening, with the same colour and the same moves. Games whose moves are not told show nothing.

    Sets of games are held against each other by the sums of 64 random bits for each game, which differ for sets that
    do but for one case in 2**64.
    """
    same: dict[int, int] = {}
    for one, two in itertools.combinations(np.flatnonzero(~played.silent).tolist(), 2):
        if one in same or two in same:
            continue
        apart = np.delete(played.alike[one] != played.alike[two], (one, two)).any()
        if not apart and played.alike[one, [one, two]].sum() == played.alike[two, [one, two]].sum():
            same[two] = one
    return {played.agents[two]: played.agents[one] for two, one in same.items()}
