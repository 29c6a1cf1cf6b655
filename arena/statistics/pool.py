"""The results of a pool of agents, summed by who moved first."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats

# Games summed as they come, of which there may be a million: what a pool's statistics need of them.

Places = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint64]
_CHUNK: Final = 100_000  # games; more only costs memory
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


class Tally:
    """The sums of games. A game costs 8 bytes until it is told which differ, an opening 4 for each ordered pair."""

    def __init__(self, agents: int, openings: int, games: int, *, once: bool = False) -> None:
        """Make room for so many games; `once` where no two have the same players, colours and opening."""
        shape = openings, agents, agents
        kind = np.float16 if once else np.float64
        self.points: Floats = np.zeros(shape, dtype=kind)
        """[o, i, j] holds the points of i as the first player against j on opening o."""
        self.games: Floats = np.zeros(shape, dtype=kind)
        self.ends = np.zeros((agents, agents, 3), dtype=np.int64)
        """[i, j, h] holds the games in which the first player i made h half points against j."""
        self.alike: Words = np.zeros((agents, agents), dtype=np.uint64)
        """[i, j] holds the sum of 64 random bits for each game of i against j: sets of games that differ differ in it
        but for one case in 2**64."""
        self.silent = np.zeros(agents, dtype=bool)
        """Whose moves are not told in some game."""
        self._keys: Words = np.empty(games, dtype=np.uint64)
        self._end = 0

    def add(self, first: Places, second: Places, opening: Places, halves: Places, moves: npt.NDArray[np.int64]) -> None:
        """Add games: places of agents and opening, the first player's points doubled, and a number for the moves.

        Moves that are alike have the same number, the empty ones, which are not told, 0.
        """
        cells = opening, first, second
        np.add.at(self.games, cells, self.games.dtype.type(1))
        np.add.at(self.points, cells, (halves / 2.0).astype(self.points.dtype))
        np.add.at(self.ends, (first, second, halves), 1)
        for side in (first, second):
            self.silent[side[moves == 0]] = True
        texts = _mixed(moves.view(np.uint64))
        words = texts + opening.astype(np.uint64)
        words = _mixed(words) + halves.astype(np.uint64)
        for colour, sides in enumerate(((first, second), (second, first))):
            np.add.at(self.alike, sides, _mixed(words + np.uint64(colour * 4)))
        pairing = (np.minimum(first, second) * len(self.silent) + np.maximum(first, second)).astype(np.uint64)
        keys = self._keys[self._end : (end := self._end + len(moves))]
        keys[:] = pairing << self._shift | texts >> np.uint64(64) - self._shift
        self._end = end

    def distinct(self) -> npt.NDArray[np.int64]:
        """Return [i, j], i ≤ j: how many different games the two have; to be asked once, when all are added."""
        agents, keys = len(self.silent), self._keys
        keys.sort()
        found = np.zeros(agents**2, dtype=np.int64)
        for start in range(0, len(keys), _CHUNK):
            piece = keys[start : start + _CHUNK]
            new = np.diff(piece, prepend=keys[start - 1] if start else ~piece[0]) != 0
            found += np.bincount((piece[new] >> self._shift).astype(np.int64), minlength=agents**2)
        self._keys = keys[:0]
        return found.reshape(agents, agents)

    @property
    def _shift(self) -> np.uint64:
        """The bits of a key that are of the moves; those above them are of the pairing."""
        return np.uint64(64 - (len(self.silent) ** 2).bit_length())


def _mixed(words: Words) -> Words:
    """Return words whose bits depend on all of each word's; source: Steele, Lea, Flood, "SplitMix" (2014)."""
    found = words + np.uint64(_STEP)
    for shift, factor in _MIX:
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found


# The games of a pool, summed.


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
    """[i, j]: a number for the set of the games of i against j; see `arena.statistics.pool`."""
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


@dataclass(frozen=True, slots=True)
class Total:
    """All games of one pairing, with the colours unknown; the counts are those of `a`."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Table:
    """Points and games of every ordered pair of agents.

    `points` and `games` have the shape (openings, agents, agents): [o, i, j] holds what `i` made against `j` in opening
    o, as the first to move where `colours` are known.
    """

    agents: tuple[str, ...]
    points: Floats
    games: Floats
    colours: bool
    openings: bool
    """Whether the first axis tells openings apart."""
    strata: tuple[npt.NDArray[np.intp], ...] = ()
    """The places of the openings that were drawn from each stratum; all of them in one unless kinds took turns."""
    draws: Floats | None = None
    """Shape (agents, agents): of these games, those that were drawn."""

    def resampled(self, random: np.random.Generator, samples: int) -> Floats:
        """Return how often each opening is drawn, shape (samples, openings); each stratum gives as many as it gave."""
        openings = len(self.points)
        drawn = np.zeros((samples, openings))
        for places in self.strata or (np.arange(openings),):
            drawn[:, places] = random.multinomial(len(places), np.full(len(places), 1.0 / len(places)), size=samples)
        return drawn

    def totals(self) -> tuple[Floats, Floats]:
        """Return points and games over all openings, in full precision whatever the table's is."""
        return self.points.sum(axis=0, dtype=float), self.games.sum(axis=0, dtype=float)

    def scores(self) -> tuple[Floats, Floats]:
        """Return each agent's points and its number of games, those against itself left out."""
        points, games = self.totals()
        others = 1.0 - np.eye(len(self.agents))
        made = (points * others).sum(axis=1) + ((games - points) * others).sum(axis=0)
        return made, ((games + games.T) * others).sum(axis=1)

    def played(self) -> int:
        """Return on how many openings every two agents that met did so, each colour apart."""
        seen = (self.games > 0.0).sum(axis=0)
        return int(seen[seen > 0].min())

    def one_sided(self) -> npt.NDArray[np.bool_]:
        """Return which agents took all points or none or, where only groups of them did, all agents."""
        made, played = self.scores()
        perfect = (made == 0.0) | (made == played)
        return np.asarray(perfect | ~perfect.any())


def table_of(played: Played, strata: Mapping[str, object] | None = None) -> Table:
    """Return the table of single games; raise InputError where nothing was played.

    `strata` names the stratum of each opening; one that gave fewer than two openings tells nothing of its spread, and
    then all count as one.
    """
    _require_two(played.agents)
    kinds = [strata[str(opening)] if strata else None for opening in played.openings]
    parts = [np.array([i for i, each in enumerate(kinds) if each == kind]) for kind in dict.fromkeys(kinds)]
    if min(map(len, parts)) < 2:
        parts = [np.arange(len(played.openings))]
    return Table(
        played.agents, played.points, played.games, colours=True, openings=None not in played.openings,
        strata=tuple(parts), draws=played.ends[:, :, 1].astype(float),
    )  # fmt: skip


def table_of_totals(totals: Iterable[Total]) -> Table:
    """Return the table of aggregated counts; raise InputError where one is negative or nothing was played."""
    rows = [row for row in totals if _valid(row)]
    agents = tuple(sorted({agent for row in rows for agent in (row.a, row.b)}))
    _require_two(agents)
    place = {agent: index for index, agent in enumerate(agents)}
    points = np.zeros((1, len(agents), len(agents)))
    games, draws = np.zeros_like(points), np.zeros_like(points[0])
    for row in rows:
        cell = 0, place[row.a], place[row.b]
        points[cell] += row.wins + row.draws / 2.0
        games[cell] += row.wins + row.draws + row.losses
        draws[cell[1:]] += row.draws
    return Table(agents, points, games, colours=False, openings=False, draws=draws)


def parts(met: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Return the groups of agents that met, be it through others; between groups no difference in strength shows."""
    groups: list[set[str]] = []
    for pair in met:
        linked = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in linked] + [set(pair).union(*linked)]
    return groups


def require_connected(agents: Sequence[str], games: Floats) -> None:
    """Raise InputError naming the parts where `games` (agents, agents) do not link every agent with every other."""
    found = parts((agents[i], agents[j]) for i, j in zip(*games.nonzero(), strict=True))
    if len(found) > 1:
        named = " | ".join(sorted(", ".join(sorted(part)) for part in found))
        raise InputError(f"the pool falls into {len(found)} parts that never met: {named}")


def _require_two(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise InputError("a rating needs games between at least two agents")


def _valid(row: Total) -> bool:
    """Tell whether anything was played; raise InputError where a count is negative or an agent meets itself."""
    if row.a == row.b:
        raise InputError(f"{row.a} cannot be rated by games against itself")
    if min(row.wins, row.draws, row.losses) < 0:
        raise InputError(f"{row.a} against {row.b}: a count is negative")
    return row.wins + row.draws + row.losses > 0


# Agents that play the same games, so that rating both would count one twice.


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
