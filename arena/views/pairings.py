"""Pairings of a run: their games as pairs over shared openings, their Elo, and what they cost."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from agents.registry import parse
from arena.statistics.pairs import Pairing, pairing
from arena.views.frames import Frames


@dataclass(frozen=True, slots=True)
class Duel:
    """One pairing, from the view of `one`."""

    one: str
    two: str
    counts: tuple[int, int, int, int, int]
    """Pairs: both lost, one lost and one drawn, even, one won and one drawn, both won."""
    games: int
    distinct: int
    """Different move strings."""
    statistics: Pairing | None
    """None where no opening was played with both colours."""
    nodes_ratio: float | None
    """Nodes a move of `one` over those of `two`."""
    time_ratio: float | None


def pairs(frames: Frames, one: str, two: str) -> pd.Series[float]:
    """Return the points of `one`, 0 to 2, on every opening that it played with both colours against `two`."""
    games = frames.games
    as_first = games[(games["first"] == one) & (games["second"] == two)].set_index("opening")["points"]
    as_second = 1.0 - games[(games["first"] == two) & (games["second"] == one)].set_index("opening")["points"]
    return as_first.add(as_second).dropna().sort_index()


def counts(points: pd.Series[float]) -> tuple[int, int, int, int, int]:
    """Return the numbers of pairs with 0, ½, 1, 1½ and 2 points."""
    tally = points.mul(2).round().astype(int).value_counts()
    return tuple(int(tally.get(category, 0)) for category in range(5))  # type: ignore[return-value]


def duel(frames: Frames, one: str, two: str) -> Duel:
    """Return the pairing of two agents of a run."""
    games = frames.games
    met = games[
        ((games["first"] == one) & (games["second"] == two)) | ((games["first"] == two) & (games["second"] == one))
    ]
    numbers = counts(pairs(frames, one, two))
    population = frames.population if _deterministic(frames, one) and _deterministic(frames, two) else None
    moves = frames.moves[frames.moves["game"].isin(met["game"])]
    cost = moves.groupby("agent")[["nodes", "seconds"]].mean()
    return Duel(
        one,
        two,
        numbers,
        len(met),
        int(met["moves"].nunique()),
        pairing(numbers, population) if sum(numbers) else None,
        _ratio(cost, "nodes", one, two),
        _ratio(cost, "seconds", one, two),
    )


def duels(frames: Frames) -> Iterator[Duel]:
    """Yield every pairing that met, in the order of the agents."""
    met = {frozenset(pair) for pair in frames.games[["first", "second"]].itertuples(index=False, name=None)}
    for one, two in itertools.combinations(frames.agents["name"], 2):
        if frozenset((one, two)) in met:
            yield duel(frames, one, two)


def _deterministic(frames: Frames, name: str) -> bool:
    spec = frames.agents.loc[frames.agents["name"] == name, "spec"].iloc[0]
    return parse(spec).deterministic


def _ratio(cost: pd.DataFrame, column: str, one: str, two: str) -> float | None:
    if one not in cost.index or two not in cost.index or not cost.loc[two, column]:
        return None
    return float(cost.loc[one, column] / cost.loc[two, column])
