"""The results of a pool of agents, summed by the side that moved first."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats

Places = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint64]
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


@dataclass(frozen=True, slots=True)
class PoolGame:
    """One game of a pool."""

    first: str
    """The agent that moved first."""
    second: str
    opening: str | None
    """What names the opening; games of one opening resemble each other. None where it is not known."""
    points: float
    """The first agent's: 1, 0.5 or 0."""
    moves: str = ""
    """By which agents that play alike are found; empty where they are not known."""


@dataclass(frozen=True, slots=True)
class Total:
    """All games of one pairing, with the colours unknown; the counts are those of `a`."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True, eq=False)
class PoolResults:
    """The games of a pool, summed. Agents and openings stand in arrays as in their lists."""

    agents: tuple[str, ...]
    """In the order of their names."""
    openings: tuple[str | None, ...]
    """Likewise; None for games without a known opening."""
    points: Floats
    """Shape (openings, agents, agents): [o, i, j] holds what i made as the first player against j on opening o."""
    games: Floats
    """Likewise the number of games."""
    ends: npt.NDArray[np.int64]
    """[i, j, h]: the games in which the first player i made h half points against j."""
    alike: Words
    """[i, j]: the sum of 64 random bits for each game of i against j: sets of games that differ differ in it but for
    one case in 2**64."""
    silent: npt.NDArray[np.bool_]
    """Which agents have a game without moves."""
    colours: bool = True
    """Whether it is known which agent moved first."""
    strata: tuple[npt.NDArray[np.intp], ...] = ()
    """The places of the openings that were drawn from each stratum; all of them in one unless kinds took turns."""

    @classmethod
    def of(cls, results: Iterable[PoolGame]) -> PoolResults:
        """Return the sums of games; openings go by the text of their names. Raises InputError if a result is none."""
        games = list(results)
        for game in games:
            if game.points not in {0.0, 0.5, 1.0}:
                raise InputError(f"{game.first} against {game.second}: {game.points:g} points are not 0, 0.5 or 1")
        agents = sorted({agent for game in games for agent in (game.first, game.second)})
        openings = sorted({game.opening for game in games}, key=str)
        place, board = ({name: number for number, name in enumerate(names)} for names in (agents, openings))
        rows = [
            (place[game.first], place[game.second], board[game.opening], 2 * game.points, hash(game.moves))
            for game in games
        ]
        return cls.summed(agents, openings, [[*np.array(rows, dtype=np.int64).reshape(-1, 5).T]])

    @classmethod
    def summed(
        cls, agents: Sequence[str], openings: Sequence[str | None], pieces: Iterable[Sequence[Places]],
        kind: type[Any] = np.float64,
    ) -> PoolResults:  # fmt: skip
        """Return the sums of games that come in pieces, without agents and openings that have none.

        Args:
            agents: in the order of their names.
            openings: likewise.
            pieces: arrays of the same length: first and second player and opening, as places in the lists; the first
                player's points, doubled; and a number that is the same for the same moves, 0 for unknown ones.
            kind: of `points` and `games`; half precision holds one game for each opening, pair and colour.
        """
        pairs = len(agents), len(agents)
        points, games = (np.zeros((len(openings), *pairs), dtype=kind) for _ in range(2))
        ends, alike = np.zeros((*pairs, 3), dtype=np.int64), np.zeros(pairs, dtype=np.uint64)
        silent = np.zeros(len(agents), dtype=bool)
        for first, second, opening, halves, moves in pieces:
            np.add.at(games, (opening, first, second), games.dtype.type(1))
            np.add.at(points, (opening, first, second), (halves / 2.0).astype(points.dtype))
            np.add.at(ends, (first, second, halves), 1)
            words = _mixed(moves.astype(np.uint64)) + opening.astype(np.uint64)
            words = _mixed(words) + halves.astype(np.uint64)
            for colour, sides in enumerate(((first, second), (second, first))):
                silent[sides[0][moves == 0]] = True
                np.add.at(alike, sides, _mixed(words + np.uint64(colour * 4)))
        strata = (np.arange(len(openings)),)
        return cls(tuple(agents), tuple(openings), points, games, ends, alike, silent, strata=strata).among(agents)

    @classmethod
    def of_totals(cls, totals: Iterable[Total]) -> PoolResults:
        """Return aggregated counts; raise InputError where one is negative or nothing was played."""
        rows = [row for row in totals if _valid(row)]
        agents = sorted({agent for row in rows for agent in (row.a, row.b)})
        require_two(agents)
        place = {agent: index for index, agent in enumerate(agents)}
        pairs = len(agents), len(agents)
        ends = np.zeros((*pairs, 3), dtype=np.int64)
        for row in rows:
            ends[place[row.a], place[row.b]] += (row.losses, row.draws, row.wins)
        points, games = ends @ np.array([0.0, 0.5, 1.0]), ends.sum(axis=-1).astype(float)
        return cls(
            tuple(agents), (None,), points[None], games[None], ends, np.zeros(pairs, dtype=np.uint64),
            np.zeros(len(agents), dtype=bool), colours=False, strata=(np.arange(1),),
        )  # fmt: skip

    def among(self, agents: Collection[str]) -> PoolResults:
        """Return the games between these agents, without agents and openings that have none."""
        met = self.ends.sum(axis=-1) > 0
        named = np.array([agent in agents for agent in self.agents], dtype=bool)
        kept = np.flatnonzero(named & ((met | met.T) & named).any(axis=1))
        games = self.games if len(kept) == len(named) else self.games[:, kept[:, None], kept]
        where = np.flatnonzero(games.any(axis=(1, 2)))
        if len(kept) == len(named) and len(where) == len(self.openings):
            return self
        pairs, cells = np.ix_(kept, kept), np.ix_(where, kept, kept)
        return PoolResults(
            tuple(self.agents[place] for place in kept.tolist()),
            tuple(self.openings[place] for place in where.tolist()),
            self.points[cells],
            self.games[cells],
            self.ends[pairs],
            self.alike[pairs],
            self.silent[kept],
            self.colours,
            (np.arange(len(where)),),
        )

    def stratified(self, kinds: Mapping[str, object] | None) -> PoolResults:
        """Return the games with the openings in the strata that `kinds` names; None for one stratum.

        A stratum that gave fewer than two openings tells nothing of its spread, and then all count as one.
        """
        named = [kinds[str(opening)] if kinds else None for opening in self.openings]
        strata = [np.array([i for i, stratum in enumerate(named) if stratum == kind]) for kind in dict.fromkeys(named)]
        return self if min(map(len, strata), default=0) < 2 else replace(self, strata=tuple(strata))

    @property
    def clustered(self) -> bool:
        """Whether all openings are known, and there are two or more."""
        return None not in self.openings and len(self.openings) > 1

    def totals(self) -> tuple[Floats, Floats]:
        """Return points and games over all openings, shape (agents, agents), in full precision."""
        return self.points.sum(axis=0, dtype=float), self.games.sum(axis=0, dtype=float)

    def scores(self) -> tuple[Floats, Floats]:
        """Return each agent's points and its number of games, those against itself left out."""
        points, games = self.totals()
        others = 1.0 - np.eye(len(self.agents))
        scored = (points * others).sum(axis=1) + ((games - points) * others).sum(axis=0)
        return scored, ((games + games.T) * others).sum(axis=1)

    def fewest(self) -> int:
        """Return on how many openings every two agents that met did so, each colour apart."""
        seen = (self.games > 0.0).sum(axis=0)
        return int(seen[seen > 0].min())


def _mixed(words: Words) -> Words:
    """Return words with bits that depend on all of each word's; source: Steele, Lea, Flood, "SplitMix" (2014)."""
    mixed = words + np.uint64(_STEP)
    for shift, factor in _MIX:
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed


def parts(met: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Return the groups of agents that met, be it through others; between groups no difference in strength shows."""
    groups: list[set[str]] = []
    for pair in met:
        linked = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in linked] + [set(pair).union(*linked)]
    return groups


def require_connected(agents: Sequence[str], games: Floats) -> None:
    """Raise InputError naming the parts where `games` (agents, agents) do not link every agent with every other."""
    groups = parts((agents[i], agents[j]) for i, j in zip(*games.nonzero(), strict=True))
    if len(groups) > 1:
        named = " | ".join(sorted(", ".join(sorted(part)) for part in groups))
        raise InputError(f"the pool falls into {len(groups)} parts that never met: {named}")


def require_two(agents: Sequence[str]) -> None:
    """Raise InputError where there are not two agents."""
    if len(agents) < 2:
        raise InputError("a rating needs games between at least two agents")


def _valid(row: Total) -> bool:
    """Return whether anything was played; raise InputError where a count is negative or an agent meets itself."""
    if row.a == row.b:
        raise InputError(f"{row.a} cannot be rated by games against itself")
    if min(row.wins, row.draws, row.losses) < 0:
        raise InputError(f"{row.a} against {row.b}: a count is negative")
    return row.wins + row.draws + row.losses > 0


# Agents that play the same games, so that rating both would count one twice.


def clones(results: PoolResults) -> dict[str, str]:
    """Return the agents that played just the games of another, each with the first by name of those it plays as.

    Two play alike if every game of one against a third, or against one of the two, is a game of the other on the same
    opening, with the same colour and the same moves. Games without moves show nothing.

    Sets of games are compared by the sums of 64 random bits for each game; different sets have equal sums in one case
    of 2**64.
    """
    same: dict[int, int] = {}
    for one, two in itertools.combinations(np.flatnonzero(~results.silent).tolist(), 2):
        if one in same or two in same:
            continue
        apart = np.delete(results.alike[one] != results.alike[two], (one, two)).any()
        if not apart and results.alike[one, [one, two]].sum() == results.alike[two, [one, two]].sum():
            same[two] = one
    return {results.agents[two]: results.agents[one] for two, one in same.items()}
