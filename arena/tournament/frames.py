"""A stored run as pandas DataFrames: one row a game, move, search, agent or opening."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from agents.board import Rules, split_moves
from arena.statistics.pool import Places, PoolResults
from arena.store import queries
from arena.store.connection import Columns
from arena.store.machine import Load, made
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged

SAMPLE: Final = 10_000
"""Games that are read with their moves and searches; all games count in sums."""
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def table(columns: Columns) -> pd.DataFrame:
    """Return columns as a DataFrame; they are taken out one by one, so that memory holds none of them twice."""
    return pd.DataFrame({name: _series(columns.pop(name)) for name in list(columns)})


def _series(values: list[Any]) -> pd.Series:
    """Return a column; numpy takes a list of nothing but numbers several times as fast as pandas does."""
    if values and isinstance(values[0], int | float):
        numbers = np.asarray(values)
        if numbers.dtype in (np.int64, np.float64):
            return pd.Series(numbers)
    return pd.Series(values)


def sums(store: Store) -> PoolResults:
    """Return the sums of all games, read piece by piece."""
    names, openings = store.names(), [str(number) for number in queries.opening_numbers(store)]
    agents, boards = (np.argsort(np.argsort(texts)) for texts in (names, openings))
    shape = len(openings) + 1, len(names), len(names), 3  # openings count from 1

    def piece(rows: list[tuple[int, str]]) -> list[Places]:
        packed, texts = zip(*rows, strict=True)
        opening, first, second, halves = np.unravel_index(packed, shape)
        moves = np.fromiter(map(hash, texts), np.int64, len(texts))
        return [agents[first], agents[second], boards[opening - 1], halves, moves]

    pieces = map(piece, queries.packed_games(store, len(names)))
    return PoolResults.summed(sorted(names), sorted(openings), pieces, np.float16)


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """The tables of a run, never changed. Columns of the board count from 1, and `points` are the first player's."""

    agents: pd.DataFrame
    """name, spec, kind, parameters (a dict, by the names in specs), deterministic, stranger, author, digest."""
    openings: pd.DataFrame
    results: PoolResults
    """The sums of all games."""
    pairings: pd.DataFrame
    """A row for each two agents that met: one, two (in the order of their names), games, distinct (by their moves)."""
    faults: pd.DataFrame
    """The games that a fault ended, equal ones in one row: first, second, points, termination, detail, games."""
    games: pd.DataFrame
    """game, key, first, second (names), opening, moves, result, points, termination, detail, started, seconds, round.

    `round` is None in files of earlier versions. Of a run with more games this is a sample of them, and so are the
    tables of moves and searches.
    """
    moves: pd.DataFrame
    """game, ply, agent, column, depth, nodes, seconds (the referee's), score."""
    searches: pd.DataFrame
    """A row for each completed depth: game, ply, agent, depth, nodes seconds since the move began, score, column."""
    evidence: pd.DataFrame
    """The path of a sequential test: pairs, llr, lower, upper, decision."""
    plan: dict[str, Any]
    """The plan, with the names of `arena.games.plan.Plan`; the `population` of openings, and the `strata` of it."""
    planned: int
    """The number of games in the plan."""
    made: dict[str, Any]
    """How the run was made, as `arena.store.machine.made` returns it."""

    path: Path
    """The run's file."""
    _tables: dict[str, pd.DataFrame] = field(default_factory=dict, repr=False)
    """What `table` has read, with the rows of all agents."""

    @property
    def sampled(self) -> bool:
        """Whether games, moves and searches are not all that there are."""
        return bool(len(self.games) < self.pairings["games"].sum())

    @classmethod
    def read(cls, path: Path, most: int | None = SAMPLE) -> Frames:
        """Read a stored run, also while it is being played. Raises InputError if there is none, or it is damaged.

        most: the games to read with their moves and searches; None for all.
        """
        with Store.read(path) as store, store.snapshot():
            return cls._of(store, most)

    def has(self, name: str) -> bool:
        """Return whether the run has rows of a capability's table."""
        return not self.table(name).empty

    def table(self, name: str) -> pd.DataFrame:
        """Return the rows of a capability's table that belong to these games and agents; none if it is not stored.

        name: a table of TABLES, or a plugin's that `arena.store.findings.keep` stored.
        """
        if name not in self._tables:
            part, rows, columns = TABLES.get(name, (name, partial(queries.kept, name=name), ""))
            with Store.read(self.path) as store:
                self._tables[name] = table(rows(store)) if store.has(part) else pd.DataFrame(columns=columns.split())
        rows = self._tables[name]
        for column, members in (("game", self.games["game"]), ("agent", self.agents["name"])):
            if column in rows:
                rows = rows[rows[column].isin(members)]
        return rows

    def load(self, what: str = "games") -> Load | None:
        """Return the load while `games` or `times` were measured: of several the greatest; None where none is known."""
        loads = [Load.of(load) for load in self.made["loads"] if load["what"] == what]
        return max(loads, key=lambda load: load.others / load.cores, default=None)

    def reported(self, rows: pd.DataFrame) -> pd.Series:
        """Return the nodes of moves or searches, NaN where none were reported.

        A 0 is no count where it is a stranger's, or where the agent has no other.
        """
        foreign = rows["agent"].isin(self.agents["name"][self.agents["stranger"] == 1])
        silent = ~(rows["nodes"] > 0).groupby(rows["agent"]).transform("any").astype(bool)
        return rows["nodes"].astype(float).mask((rows["nodes"] == 0) & (foreign | silent))

    def searched(self) -> pd.DataFrame:
        """Return the moves with `reported` nodes, and seconds by the clock of `searches` where that has all nodes.

        A search that broke off within a depth has visited more than its completed depths: the referee timed it.
        """
        last = self.searches.drop_duplicates(["game", "ply"], keep="last")[["game", "ply", "nodes", "seconds"]]
        moves = self.moves.merge(last, on=["game", "ply", "nodes"], how="left", suffixes=("", "_own"))
        return moves.assign(nodes=self.reported(moves), seconds=moves.pop("seconds_own").fillna(moves["seconds"]))

    @classmethod
    def _of(cls, store: Store, most: int | None) -> Frames:
        refuse_damaged(store)
        where = queries.sample(store, most)
        agents, games = table(queries.agents(store)), table(queries.games(store, where))
        frames = cls(
            agents.assign(parameters=agents["parameters"].map(json.loads)),
            table(queries.openings(store)),
            sums(store),
            table(queries.pairings(store)),
            table(queries.faults(store)),
            games.assign(points=games["result"].map(POINTS).astype(float)),
            table(queries.moves(store, where)),
            table(queries.searches(store, where)),
            table(queries.evidence(store)),
            store.plan(),
            store.planned(),
            made(store),
            store.path,
        )
        return frames.only({*agents["name"]}.difference(frames.plan.get("dropped", ())))  # by version 0.2.0

    def only(self, agents: Collection[str]) -> Frames:
        """Return the run with the games between these agents only."""
        if set(self.agents["name"]) <= set(agents):
            return self
        games, faults = (_between(rows, agents, "first", "second") for rows in (self.games, self.faults))
        moves, searches = (rows[rows["game"].isin(games["game"])] for rows in (self.moves, self.searches))
        return replace(
            self, agents=self.agents[self.agents["name"].isin(agents)], results=self.results.among(agents),
            pairings=_between(self.pairings, agents, "one", "two"), faults=faults, games=games, moves=moves,
            searches=searches,
        )  # fmt: skip

    def opening_of(self, moves: pd.DataFrame) -> pd.Series[int]:
        """Return the opening that each move or search was made after."""
        return moves["game"].map(_starts(self))

    @property
    def population(self) -> tuple[int, ...] | None:
        """How many openings of each stratum there were to draw; None where anything else is left to chance.

        Results of agents that play their games again alike are facts about the openings.
        """
        sure = (
            self.plan.get("seconds") is None and not self.plan.get("clock") and bool(self.agents["deterministic"].all())
        )
        strata = self.plan.get("strata") or [self.plan.get("population")]
        return None if not sure or None in strata else tuple(strata)

    @property
    def winners(self) -> dict[str, bool] | None:
        """Whether the first player wins each opening, by its number, where such openings and others take turns."""
        if len(self.plan.get("strata", ())) < 2:
            return None
        rules, rows = Rules(**self.plan.get("rules", {})), self.openings.itertuples(index=False)
        return {str(row.opening): (row.value > 0) == (len(split_moves(row.moves, rules)) % 2 == 0) for row in rows}

    def sides(self) -> pd.DataFrame:
        """Return how many `games` had each end, from either side: agent, opponent, first (bool), points, fault (bool).

        A fault is the agent's own.
        """
        return _sides(self)


def _between(rows: pd.DataFrame, agents: Collection[str], one: str, two: str) -> pd.DataFrame:
    """Return the rows in which both columns name one of these agents."""
    return rows[rows[one].isin(agents) & rows[two].isin(agents)]


@functools.lru_cache(maxsize=2)  # every table asks
def _sides(frames: Frames) -> pd.DataFrame:
    games, names = frames.results, frames.agents["name"].to_numpy(dtype=object)
    place = {name: number for number, name in enumerate(names)}
    ended = np.zeros((len(names), len(names), 3, 2), dtype=np.int64)
    met = np.array([place[name] for name in games.agents], dtype=np.intp)
    ended[met[:, None], met, :, 0] = games.ends
    for row in frames.faults.itertuples(index=False):
        ended[place[row.first], place[row.second], int(2 * row.points)] += (-row.games, row.games)
    cells = ended.nonzero()
    one, two, won, fault = cells
    rows = [
        pd.DataFrame({
            "agent": names[side], "opponent": names[other], "first": side is one, "points": points,
            "fault": (fault == 1) & (points == 0.0), "games": ended[cells],
        })
        for side, other, points in ((one, two, won / 2.0), (two, one, 1.0 - won / 2.0))
    ]  # fmt: skip
    return pd.concat(rows, ignore_index=True)


@functools.lru_cache(maxsize=1)  # every agent's and every depth's rows ask
def _starts(frames: Frames) -> pd.Series[int]:
    """Return the opening of each game with moves in memory."""
    games = frames.games
    return games[games["game"].isin(frames.moves["game"].unique())].set_index("game")["opening"]


def _replies(store: Store) -> Columns:
    """Return what language models replied, a row for each move that they were asked for."""
    rows = queries.replies(store)
    values = list(map(json.loads, rows.pop("extra")))
    rows |= {name: [extra.get(name) for extra in values] for name in REPLIES.split()[3:]}
    return rows | {"drawn": [drawn is True for drawn in rows["drawn"]]}


REPLIES: Final = (
    "game ply agent status tries reply tokens_in tokens_out tokens_reasoning seconds finish model prompt drawn errors"
)
TABLES: Final[dict[str, tuple[str, Callable[[Store], Columns], str]]] = {
    "audit": ("audit", queries.audit, "game opening ply agent value after legal keeping"),
    "times": ("timing", queries.times, "position agent turn nodes seconds"),
    "choices": ("choice", queries.choices, "game ply agent column lost"),
    "replies": ("extra", _replies, REPLIES),
}
"""The tables of capabilities: the table of the file that they come from, their rows, and their columns.

audit: a row for each audited move, as `arena.store.schema.AUDIT` describes it. times: one for each search made by turns
after the games. choices: what agents of a comparison choose in the same positions; `lost` is 0, 1 or None. replies: one
for each move that a language model had to make, made or not, as `arena.tournament.stored` describes it.
"""
