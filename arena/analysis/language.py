"""Language models in a run: random moves that stood in for replies, and what a disguise of the game takes away."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pandas as pd

from arena.analysis.frames import Frames
from arena.statistics.intervals import Interval
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
    games = frames.games
    sides = pd.concat(
        [
            pd.DataFrame({
                "agent": games[own], "other": games[other], "opening": games["opening"], "first": own == "first",
                "points": games["points"] if own == "first" else 1.0 - games["points"],
            })
            for own, other in (("first", "second"), ("second", "first"))
        ]
    )  # fmt: skip
    found = []
    for family in families.values():
        plain = next((name for name, number in family.items() if not number), None)
        twins = [name for name, number in family.items() if number]
        if plain is None or not twins:
            continue
        met = sides[~sides["other"].isin(family)].set_index(["other", "opening", "first"])
        one = met[met["agent"] == plain]["points"]
        two = met[met["agent"].isin(twins)]["points"].groupby(level=[0, 1, 2]).mean()
        gains = (one - two).dropna().astype(float)
        gain = gain_interval(gains.to_numpy(), list(gains.index.get_level_values("opening")))
        if gain is not None:
            score = float(one.loc[gains.index].mean())
            found.append(Disguised(plain, len(twins), score, gain, len(gains)))
    return found
