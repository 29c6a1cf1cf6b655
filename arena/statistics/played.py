"""The games of a pool as arrays, of which there may be a million."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats

Places = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Result:
    """One game of a pool."""

    first: str
    """The agent that moved first."""
    second: str
    opening: str | None
    """What names the opening; games of one opening are resampled together. None where it is not known."""
    points: float
    """The first agent's: 1, 0.5 or 0."""
    moves: str = ""
    """By which agents that play alike are found; empty where they are not known."""


@dataclass(frozen=True, slots=True)
class Played:
    """The games of a pool. Arrays have an entry for each game; agents and openings are places in their lists."""

    agents: tuple[str, ...]
    """In the order of their names."""
    openings: tuple[str | None, ...]
    """Likewise."""
    first: Places
    second: Places
    opening: Places
    points: Floats
    """The first agent's: 1, 0.5 or 0."""
    moves: npt.NDArray[np.int64]
    """A number for each text of moves; that of the empty one, 0, where they are not told."""

    @classmethod
    def of(cls, results: Iterable[Result]) -> Played:
        """Return games that are given one by one."""
        games = list(results)
        names = ("first", "second", "opening", "points", "moves")
        return cls.of_columns(*([getattr(game, name) for game in games] for name in names))

    @classmethod
    def of_columns(
        cls, first: Collection[Any], second: Collection[Any], opening: Collection[Any], points: Sequence[float],
        moves: Iterable[str | int],
    ) -> Played:  # fmt: skip
        """Return games whose agents and openings are named in columns; openings go by the text of their names.

        moves: their texts, or numbers that differ where these do.
        """
        agents, one, two = _placed(first, second)
        openings, starts = _placed(opening)
        numbers = np.fromiter(map(hash, moves), dtype=np.int64)
        return cls.of_places(agents, openings, one, two, starts, np.asarray(points, dtype=float), numbers)

    @classmethod
    def of_places(
        cls, agents: Sequence[object], openings: Sequence[object], first: Places, second: Places, opening: Places,
        points: Floats, moves: npt.NDArray[np.int64],
    ) -> Played:  # fmt: skip
        """Return games whose agents and openings are places in lists of any order; what has no game is left out."""
        players, one, two = _in_order(agents, first, second)
        boards, starts = _in_order(openings, opening)
        names = tuple(None if board is None else str(board) for board in boards)
        return cls(tuple(map(str, players)), names, one, two, starts, points, moves)

    def without(self, agents: Collection[str]) -> Played:
        """Return the games in which none of these agents plays; the lists have only who is left, and from where."""
        gone = np.array([agent in agents for agent in self.agents], dtype=bool)
        kept = ~(gone[self.first] | gone[self.second])
        columns = (self.first, self.second, self.opening, self.points, self.moves)
        return Played.of_places(self.agents, self.openings, *(column[kept] for column in columns))


def _placed(*columns: Collection[Hashable]) -> tuple[Any, ...]:
    """Return the names that there are, and for each column the places of its own."""
    place = {name: index for index, name in enumerate(dict.fromkeys(itertools.chain(*columns)))}
    return list(place), *(np.fromiter(map(place.__getitem__, names), np.intp, count=len(names)) for names in columns)


def _in_order(names: Sequence[object], *columns: Places) -> tuple[Any, ...]:
    """Return the names that occur, by their texts in order, and for each column of places those in this order."""
    seen = sum(np.bincount(column, minlength=len(names)) for column in columns)
    order = sorted(np.flatnonzero(seen).tolist(), key=lambda place: str(names[place]))
    place = np.zeros(len(names), dtype=np.int32)
    place[order] = np.arange(len(order))
    return [names[number] for number in order], *(place[column] for column in columns)
