"""A stored run as pandas DataFrames: one row a game, move, search, agent or opening."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from agents.board import Rules, split_moves
from arena.statistics.pool import PoolResults
from arena.store import queries
from arena.store.connection import Columns
from arena.store.machine import Load, made
from arena.store.queries import Where
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged

LARGE: Final = 20_000
"""Games. Of a run that has more, moves and searches are read of about SAMPLE of them."""
SAMPLE: Final = 10_000
"""Formats of ours in which results decide the next games, or the end of a match."""
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
FAULTS: Final = ["first", "second", "points", "termination", "detail"]
_TIMES: Final = ["position", "agent", "turn", "nodes", "seconds"]
_CHOICES: Final = ["game", "ply", "agent", "column", "lost"]
_REPLIES: Final = [
    "game", "ply", "agent", "status", "tries", "reply", "tokens_in", "tokens_out", "tokens_reasoning", "seconds",
    "finish", "model", "prompt", "drawn", "errors",
]  # fmt: skip
_AUDIT: Final = [
    "game", "opening", "ply", "agent", "value", "after", "legal", "keeping",
]  # fmt: skip


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


def is_large(store: Store) -> bool:
    """Return whether it takes long to read all of a run; what is audited, or played in stages, is read whole."""
    listed = store.plan().get("format") in ("round-robin", "gauntlet", None)
    return listed and not store.is_audited() and store.count_games() > LARGE


def replies(store: Store, where: Where) -> pd.DataFrame:
    """Return what language models replied, a row for each move that they were asked for."""
    if not store.has("extra"):
        return pd.DataFrame(columns=_REPLIES)
    rows = table(queries.replies(store, where))
    extra = pd.DataFrame(map(json.loads, rows.pop("extra")), columns=_REPLIES[3:], dtype=object)
    return pd.concat([rows, extra.assign(drawn=extra["drawn"].eq(True))], axis=1)


def summed(store: Store) -> PoolResults:
    """Return the sums of all games, read piece by piece."""
    boards = sorted(((number, number) for number in queries.opening_numbers(store)), key=lambda row: str(row[1]))
    agents = sorted(((number, name) for name, number in queries.agent_numbers(store).items()), key=lambda row: row[1])
    results = PoolResults.room(
        [name for _, name in agents], [str(number) for number, _ in boards], store.count_games(), once=True
    )
    board, place = (np.zeros(max((number for number, _ in rows), default=0) + 1, np.int32) for rows in (boards, agents))
    board[[number for number, _ in boards]] = np.arange(len(boards))
    place[[number for number, _ in agents]] = np.arange(len(agents))
    for rows in queries.packed_games(store, len(agents)):
        numbers, texts = zip(*rows, strict=True)
        packed = np.array(numbers)
        pair = packed // 3
        first, second = place[pair // len(agents) % len(agents) + 1], place[pair % len(agents) + 1]
        moves = np.fromiter(map(hash, texts), np.int64, count=len(texts))
        results.add(first, second, board[pair // len(agents) ** 2], packed % 3, moves)
    return results.complete()


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """The tables of a run, never changed. Columns of the board count from 1, and `points` are the first player's."""

    agents: pd.DataFrame
    """name, spec, kind, parameters (a dict, by the names in specs), deterministic, stranger, author, digest."""
    openings: pd.DataFrame
    games: pd.DataFrame
    """game, key, first, second (names), opening, moves, result, points, termination, detail, started, seconds, round.

    `round` is None in files of earlier versions.
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
    audit: pd.DataFrame
    """A row for each audited move: game, opening, ply, agent and what `arena.store.schema.AUDIT` names."""
    times: pd.DataFrame
    """A row for each search made by turns after the games: position, agent, turn, nodes, seconds."""
    made: dict[str, Any]
    """How the run was made, as `arena.store.machine.made` returns it."""

    path: Path
    """The run's file."""
    totals: PoolResults | None = None
    """Of a large run the sums of all games; `games`, `moves` and `searches` are those of SAMPLE of them."""
    replies: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_REPLIES))
    """A row for each move that a language model had to make, made or not, as `arena.tournament.stored` names it."""
    choices: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_CHOICES))
    """What agents of a comparison choose in the same positions: game, ply, agent, column, lost (0, 1 or None)."""
    faults: pd.DataFrame | None = None
    """Of a large run how games ended by faults, as `lost` returns it."""

    @property
    def sampled(self) -> bool:
        """Whether games, moves and searches are not all that there are."""
        return self.totals is not None

    @classmethod
    def read(cls, path: Path, *, whole: bool = False, decided: bool = True) -> Frames:
        """Read a stored run, also while it is being played; of a large one the `whole` only if asked.

        Unless `decided` of a large run only the sums of its games. Raises InputError where there is no whole one.
        """
        with Store.read(path) as store, store.snapshot():
            return cls._of(store, sampled=not whole and is_large(store), decided=decided)

    def has(self, name: str) -> bool:
        """Return whether the run has rows of one of these tables, such as "audit", or has a plugin's table."""
        stored = getattr(self, name, None)
        if isinstance(stored, pd.DataFrame):
            return not stored.empty
        with Store.read(self.path) as store:
            return store.has(name)

    def table(self, name: str) -> pd.DataFrame:
        """Return a plugin's table, as `arena.store.findings.keep` stored it."""
        with Store.read(self.path) as store:
            return table(queries.kept(store, name))

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
    def _of(cls, store: Store, *, sampled: bool, decided: bool) -> Frames:
        refuse_damaged(store)
        where = queries.ALL if not sampled else queries.sample(store, SAMPLE) if decided else queries.NONE
        agents, games = table(queries.agents(store)), table(queries.games(store, where))
        frames = cls(
            agents.assign(parameters=agents["parameters"].map(json.loads)),
            table(queries.openings(store)),
            games.assign(points=games["result"].map(POINTS).astype(float)),
            table(queries.moves(store, where)),
            table(queries.searches(store, where)),
            table(queries.evidence(store)),
            store.plan(),
            store.planned(),
            table(queries.audit(store)) if store.is_audited() else pd.DataFrame(columns=_AUDIT),
            table(queries.times(store)) if store.has("timing") else pd.DataFrame(columns=_TIMES),
            made(store),
            store.path,
            summed(store) if sampled else None,
            replies(store, where),
            table(queries.choices(store)) if store.has("choice") else pd.DataFrame(columns=_CHOICES),
            table(queries.faults(store)) if sampled else None,
        )
        return frames.only({*agents["name"]}.difference(frames.plan.get("dropped", ())))  # by version 0.2.0

    def only(self, agents: Collection[str]) -> Frames:
        """Return the run with the games between these agents only."""
        if set(self.agents["name"]) <= set(agents):
            return self
        games = _between(self.games, agents)
        moves, searches, audit, replies, choices = (
            table[table["game"].isin(games["game"])]
            for table in (self.moves, self.searches, self.audit, self.replies, self.choices)
        )
        named, times = self.agents[self.agents["name"].isin(agents)], self.times[self.times["agent"].isin(agents)]
        totals = self.totals and self.totals.among(agents)
        return replace(
            self, agents=named, games=games, moves=moves, searches=searches, audit=audit, times=times,
            totals=totals, replies=replies, choices=choices,
            faults=self.faults if self.faults is None else _between(self.faults, agents),
        )  # fmt: skip

    def played(self) -> PoolResults:
        """Return the sums of all games."""
        return _summed(self) if self.totals is None else self.totals

    def lost(self) -> pd.DataFrame:
        """Return the games that a fault ended, those that did so in the same way in one row: FAULTS, and games."""
        return _lost(self) if self.faults is None else self.faults

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


def _between(games: pd.DataFrame, agents: Collection[str]) -> pd.DataFrame:
    """Return the games, or rows of games, in which both players are among these."""
    return games[games["first"].isin(agents) & games["second"].isin(agents)]


_every_table_asks = functools.lru_cache(maxsize=2)


@_every_table_asks
def _summed(frames: Frames) -> PoolResults:
    """Return the sums of a run that was read whole."""
    games = frames.games
    return PoolResults.of_columns(*(games[name].tolist() for name in ("first", "second", "opening", "points", "moves")))


@_every_table_asks
def _lost(frames: Frames) -> pd.DataFrame:
    ended = frames.games[~frames.games["termination"].isin(["line completed", "board full"])]
    return ended.groupby(FAULTS, sort=False).size().reset_index(name="games")


@_every_table_asks
def _sides(frames: Frames) -> pd.DataFrame:
    games, names = frames.played(), frames.agents["name"].to_numpy(dtype=object)
    place = {name: number for number, name in enumerate(names)}
    ended = np.zeros((len(names), len(names), 3, 2), dtype=np.int64)
    met = np.array([place[name] for name in games.agents], dtype=np.intp)
    ended[met[:, None], met, :, 0] = games.ends
    for row in frames.lost().itertuples(index=False):
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
