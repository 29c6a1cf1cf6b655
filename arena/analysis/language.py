"""Language models in a run: random moves that stood in for replies, and what a disguise of the game takes away."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from arena.analysis.frames import Frames
from arena.records import Interval
from arena.statistics.means import gain_interval


def drawn(frames: Frames) -> dict[str, tuple[int, int]]:
    """Return the random moves of each agent that has any, and all its moves."""
    made = frames.moves["agent"].value_counts()
    found = frames.replies.loc[frames.replies["drawn"].eq(True), "agent"].value_counts()
    return {str(agent): (int(count), int(made[agent])) for agent, count in found.items()}


@dataclass(frozen=True, slots=True)
class Disguised:
    """A model that plays the same openings as it is and in disguises."""

    agent: str
    disguises: int
    plain: float
    """Its score as it is, in the games that a disguise played too."""
    gain: Interval
    """By how much that is above the score of the disguises, in points a game, by openings."""
    games: int


def disguised(frames: Frames) -> list[Disguised]:
    """Return a row for each model that has played as it is and in disguise: same opponents, openings and colours."""
    families: dict[str, dict[str, int]] = {}
    for row in frames.agents[frames.agents["kind"] == "llm"].itertuples(index=False):
        rest = {key: value for key, value in row.parameters.items() if key != "disguise"}
        families.setdefault(json.dumps(rest, sort_keys=True), {})[row.name] = row.parameters.get("disguise", 0)
    found = []
    for family in families.values():
        met: dict[tuple[str, str, int], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
        for game in frames.games.itertuples(index=False):
            for own, other, points in (
                (game.first, game.second, game.points),
                (game.second, game.first, 1 - game.points),
            ):
                if own in family and other not in family:
                    met[other, game.opening, own == game.first][family[own] > 0].append(points)
        pairs = {key: tuple(map(fmean, both)) for key, both in met.items() if all(both)}
        gain = gain_interval(np.array([one - two for one, two in pairs.values()]), [key[1] for key in pairs])
        if gain is not None:
            plain = next(name for name, number in family.items() if not number)
            masks = sum(number > 0 for number in family.values())
            found.append(Disguised(plain, masks, fmean(one for one, _ in pairs.values()), gain, len(pairs)))
    return found
