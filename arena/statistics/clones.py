"""Agents that play the same games, so that rating both would count one twice."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable

from arena.statistics.pool import Result


def clones(results: Iterable[Result]) -> dict[str, str]:
    """Return the agents whose games are all those of another, each with the first by name of those it plays as.

    Two play alike if every game of one against a third, or against one of the two, is a game of the other on the same
    opening, with the same colour and the same moves. Games whose moves are not told show nothing.
    """
    games: defaultdict[str, set[tuple[str, bool, str | None, str, float]]] = defaultdict(set)
    told: defaultdict[str, bool] = defaultdict(lambda: True)
    for game in results:
        for first in (True, False):
            agent, other = (game.first, game.second) if first else (game.second, game.first)
            games[agent].add((other, first, game.opening, game.moves, game.points))
            told[agent] &= bool(game.moves)
    same: dict[str, str] = {}
    for one, two in itertools.combinations(sorted(agent for agent in games if told[agent]), 2):
        if one in same or two in same:
            continue
        pair = {one: None, two: None}
        own, others = ({(pair.get(other, other), *rest) for other, *rest in games[each]} for each in pair)
        if own == others:
            same[two] = one
    return same
