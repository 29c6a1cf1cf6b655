"""Games that two runs share: opponents, opening and colours the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from arena.analysis.frames import Frames
from arena.analysis.reading import MOVES, decisions, table
from arena.statistics.arrays import Floats
from arena.store.store import Store

_KEY: Final = ["first", "second", "opening"]


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """The games that two runs have; arrays have the shape (openings, agents, agents), the first player's axis first."""

    agents: tuple[str, ...]
    """Those of both runs, in the order of their names."""
    openings: tuple[str, ...]
    """The moves of those of both runs, likewise."""
    met: npt.NDArray[np.bool_]
    """Whether both have the game."""
    points: tuple[Floats, Floats]
    """The first player's in the old and in the new run."""

    @classmethod
    def of(cls, old: Frames, new: Frames) -> Shared:
        """Return what two runs share."""
        runs = [(frames.played(), _starts(frames)) for frames in (old, new)]
        agents = sorted(set(old.played().agents) & set(new.played().agents))
        openings = sorted(set(runs[0][1]) & set(runs[1][1]))
        cells = [
            np.ix_([starts[moves] for moves in openings], *[[played.agents.index(name) for name in agents]] * 2)
            for played, starts in runs
        ]
        met = np.logical_and(*(played.games[cell] > 0.0 for (played, _), cell in zip(runs, cells, strict=True)))
        one, other = (played.points[cell] for (played, _), cell in zip(runs, cells, strict=True))
        return cls(tuple(agents), tuple(openings), met, (one, other))

    def of_agent(self, agent: int) -> tuple[npt.NDArray[np.bool_], Floats, Floats]:
        """Return where an agent met others, once as the first player and once as the second, and its points."""
        found = np.concatenate([self.met[:, agent].T, self.met[:, :, agent].T])
        old, new = (
            np.concatenate([run[:, agent].T, 1.0 - run[:, :, agent].T])[found].astype(float) for run in self.points
        )
        return found, old, new

    def sides(self, places: npt.NDArray[np.int64]) -> pd.DataFrame:
        """Return sides of games: first, second and agent (names), opening (its moves).

        places: those of the first players, by first and second player and opening, and beyond their number the others'.
        """
        often = self.met.sum(axis=0).ravel()
        ends, number = np.cumsum(often), int(often.sum())
        pairs = np.searchsorted(ends, places % number, side="right")
        within, opening = places % number - (ends - often)[pairs], np.empty(len(places), dtype=np.int64)
        for pair in np.unique(pairs):
            rows = pairs == pair
            opening[rows] = np.flatnonzero(self.met.reshape(len(self.met), -1)[:, pair])[within[rows]]
        names, starts = (np.array(each, dtype=object) for each in (self.agents, self.openings))
        first, second = np.divmod(pairs, len(names))
        agent = np.where(places < number, first, second)
        found = {"first": names[first], "second": names[second], "opening": starts[opening], "agent": names[agent]}
        return pd.DataFrame(found | {"as_first": places < number})


def _starts(frames: Frames) -> dict[str, int]:
    """Return the places of the openings that were played, by their moves."""
    place = {opening: number for number, opening in enumerate(frames.played().openings)}
    rows = reversed(list(zip(frames.openings["opening"].map(str), frames.openings["moves"], strict=True)))
    return {moves: place[opening] for opening, moves in rows if opening in place}


def records(frames: Frames, games: pd.DataFrame) -> tuple[list[int], list[str], pd.DataFrame]:
    """Return numbers and moves of games, given as first, second (names) and opening, and at least their decisions.

    All of them were played.
    """
    if not frames.drawn:
        found = games[_KEY].merge(frames.games[[*_KEY, "game", "moves"]], how="left")
        return list(found["game"]), list(found["moves"]), frames.moves
    with Store.read(frames.path) as store:
        ids = dict(store.select("SELECT name, id FROM agent")[1])
        wanted = games[_KEY].itertuples(index=False, name=None)
        keys = [(ids[first], ids[second], opening) for first, second, opening in wanted]
        query = "SELECT first, second, opening, id, moves FROM game WHERE (first, second, opening) IN (VALUES "
        found = {row[:3]: row[3:] for row in store.select(f"{query}{', '.join(map(str, keys))})")[1]}
        numbers, texts = zip(*(found[key] for key in keys), strict=True)
        where = f"WHERE game.id IN ({', '.join(map(str, numbers))})"
        return list(numbers), list(texts), table(store, decisions("move", MOVES, where))
