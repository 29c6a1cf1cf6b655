"""The games of a pool, summed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats
from arena.statistics.tally import Tally, Words


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


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """The games of a pool, summed. Agents and openings stand in arrays as in their lists."""

    agents: tuple[str, ...]
    """In the order of their names."""
    openings: tuple[str | None, ...]
    """Likewise."""
    points: Floats
    """Shape (openings, agents, agents): [o, i, j] holds what i made as the first player against j on opening o."""
    games: Floats
    """Likewise the number of games."""
    ends: npt.NDArray[np.int64]
    """[i, j, h]: the games in which the first player i made h half points against j."""
    distinct: npt.NDArray[np.int64]
    """[i, j], i ≤ j: how many of the games of the two have different moves."""
    alike: Words
    """[i, j]: a number for the set of the games of i against j; see `arena.statistics.tally`."""
    silent: npt.NDArray[np.bool_]
    """Whose moves are not told in some game."""

    @classmethod
    def of(cls, results: Iterable[Result]) -> Played:
        """Return games that are given one by one. Raises InputError where a result is none."""
        games = list(results)
        for game in games:
            if game.points not in {0.0, 0.5, 1.0}:
                raise InputError(f"{game.first} against {game.second}: {game.points:g} points are not 0, 0.5 or 1")
        names = ("first", "second", "opening", "points", "moves")
        return cls.of_columns(*([getattr(game, name) for game in games] for name in names))

    @classmethod
    def of_columns(
        cls, first: Sequence[str], second: Sequence[str], opening: Sequence[object], points: Sequence[float],
        moves: Iterable[str],
    ) -> Played:  # fmt: skip
        """Return games whose agents and openings are named in columns; openings go by the text of their names."""
        agents, openings = sorted({*first, *second}, key=str), sorted(set(opening), key=str)
        place, board = ({name: number for number, name in enumerate(names)} for names in (agents, openings))
        tally = Tally(len(agents), len(openings), len(points))
        sides = ([place[name] for name in side] for side in (first, second))
        halves = np.asarray(points, dtype=float) * 2.0
        columns = (*sides, [board[name] for name in opening], halves, list(map(hash, moves)))
        tally.add(*(np.asarray(column, dtype=np.int64) for column in columns))
        return cls.summed(agents, openings, tally)

    @classmethod
    def summed(cls, agents: Sequence[str], openings: Sequence[object], tally: Tally) -> Played:
        """Return the games of a tally whose agents and openings have these names, both in the order of their texts."""
        boards = tuple(None if board is None else str(board) for board in openings)
        return cls(
            tuple(map(str, agents)), boards, tally.points, tally.games, tally.ends, tally.distinct(), tally.alike,
            tally.silent,
        ).among(agents)  # fmt: skip

    def among(self, agents: Collection[str]) -> Played:
        """Return the games in which nobody but these plays; the lists have only who did, and from where."""
        met = self.ends.sum(axis=-1) > 0
        named = np.array([agent in agents for agent in self.agents], dtype=bool)
        who = np.flatnonzero(named & ((met | met.T) & named).any(axis=1))
        games = self.games if len(who) == len(named) else self.games[:, who[:, None], who]
        where = np.flatnonzero(games.any(axis=(1, 2)))
        if len(who) == len(named) and len(where) == len(self.openings):
            return self
        pairs, cells = np.ix_(who, who), np.ix_(where, who, who)
        return Played(
            tuple(self.agents[place] for place in who.tolist()),
            tuple(self.openings[place] for place in where.tolist()),
            self.points[cells],
            self.games[cells],
            self.ends[pairs],
            self.distinct[pairs],
            self.alike[pairs],
            self.silent[who],
        )

    def of_pair(self, one: str, two: str) -> tuple[int, int]:
        """Return how many games two agents had against each other, and how many different ones."""
        if not {one, two} <= set(self.agents):
            return 0, 0
        pair = sorted((self.agents.index(one), self.agents.index(two)))
        return int(self.ends[*pair].sum() + self.ends[*pair[::-1]].sum()), int(self.distinct[*pair])
