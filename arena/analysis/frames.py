"""A stored run as pandas DataFrames: one row a game, move, search, agent or opening."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from agents.board import split_moves
from agents.errors import InputError
from arena.statistics.pool import Played, Tally
from arena.store.connection import plainly
from arena.store.machine import Load, made
from arena.store.run_file import Store

LARGE: Final = 20_000
"""Games. Of a run that has more, moves and searches are read of about SAMPLE of them."""
SAMPLE: Final = 10_000
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
MOVES: Final = "column, depth, nodes, made.seconds AS seconds, score"
_SEARCHES: Final = "depth, nodes, made.seconds AS seconds, score, column"
_INSIDE: Final = [
    "depth", "inner", "leaves", "table_cutoffs", "cutoffs", "probes", "hits", "minimal_nodes", "nodes",
]  # fmt: skip
_PACKED: Final = (
    "SELECT ((opening * :agents + first - 1) * :agents + second - 1) * 3"
    " + CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END, moves FROM game"
)
_POINTS: Final = "CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END"
FAULTS: Final = ["first", "second", "points", "termination", "detail"]
_TIMES: Final = ["position", "agent", "turn", "nodes", "seconds"]
_AUDIT: Final = [
    "game", "opening", "ply", "agent", "value", "after", "legal", "keeping", "score", "after_score", "best",
]  # fmt: skip
_DAMAGED: Final = """
    SELECT id, CASE WHEN ifnull(result, '') NOT IN ('1-0', '0-1', '1/2-1/2') THEN 'no such result' ELSE
        'its agents, its opening or its moves cannot be read' END
    FROM game WHERE ifnull(result, '') NOT IN ('1-0', '0-1', '1/2-1/2') OR typeof(moves) <> 'text'
        OR first NOT IN (SELECT id FROM agent) OR second NOT IN (SELECT id FROM agent)
        OR opening NOT IN (SELECT id FROM opening) LIMIT 1"""
_CHUNK: Final = 10_000
_ALONE: Final = "NOT EXISTS (SELECT * FROM iteration AS one WHERE (one.game, one.ply) = (made.game, made.ply))"


def table(store: Store, query: str) -> pd.DataFrame:
    """Return what a query finds."""
    with plainly(store.path):
        cursor = store.connection.execute(query)
        names = [column[0] for column in cursor.description]
        columns: list[list[Any]] = [[] for _ in names]
        same: dict[Any, Any] = {}
        while rows := cursor.fetchmany(_CHUNK):
            for column, values in zip(columns, zip(*rows, strict=True), strict=True):
                words = isinstance(values[0], str)
                column.extend([same.setdefault(value, value) for value in values] if words else values)
    return pd.DataFrame({name: _series(columns.pop(0)) for name in names})


def _series(values: list[Any]) -> pd.Series:
    """Return a column; numpy takes a list of nothing but numbers several times as fast as pandas does."""
    if values and isinstance(values[0], int | float):
        numbers = np.asarray(values)
        if numbers.dtype in (np.int64, np.float64):
            return pd.Series(numbers)
    return pd.Series(values)


def refuse_damaged(store: Store) -> None:
    """Raise InputError that names the first game whose result, agents, opening or moves no run can have."""
    store.rules()
    wrong = store.select(_DAMAGED)[1]
    if wrong:
        raise InputError(f"{store.path}, game {wrong[0][0]}: it is damaged: {wrong[0][1]}")


def is_large(store: Store) -> bool:
    """Return whether it takes long to read all of a run; what is audited, or played in stages, is read whole."""
    listed = store.plan().get("format") in ("round-robin", "gauntlet", None)
    return listed and not store.is_audited() and bool(store.value("SELECT count(*) FROM game") > LARGE)


def sampled(store: Store) -> str:
    """Return a condition that about SAMPLE games meet, drawn by their numbers as if by chance."""
    share = SAMPLE / store.value("SELECT count(*) FROM game")
    return f"game.id * 2654435761 % 4294967296 < {int(share * 2**32)}"


def decisions(made: str, columns: str, where: str = "") -> str:
    """Return a query for moves, searches or iterations, with who made them."""
    return (
        f"SELECT game.id AS game, ply, agent.name AS agent, {columns} FROM game"  # noqa: S608
        f" CROSS JOIN {made} AS made ON made.game = game.id"
        f" JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END {where}"
    )


def searches(store: Store, where: str = "") -> str:
    """Return a query for every completed depth and, without a condition, for moves that tell of none."""
    order, where = "ORDER BY 1, 2, 4", where and f"{where} AND depth > 0"
    if not store.has("iteration"):  # a file of the second format
        return f"{decisions('search', _SEARCHES, where)} {order}"
    alone = f"{where} AND {_ALONE}" if where else f"WHERE {_ALONE}"
    return f"{decisions('iteration', _SEARCHES, where)} UNION ALL {decisions('move', _SEARCHES, alone)} {order}"


def insides(store: Store, where: str = "") -> pd.DataFrame:
    """Return every completed depth that was looked into; `cutoffs` are tuples, and `minimal_nodes` may be None."""
    if not store.has("inside"):
        return pd.DataFrame(columns=["game", "ply", "agent", *_INSIDE])
    counts = f"{', '.join(_INSIDE[:-1])}, inner + leaves + table_cutoffs AS nodes"
    found = table(store, f"{decisions('inside', counts, where)} ORDER BY 1, 2, 4")
    cutoffs = [tuple(map(int, turns.split())) for turns in found["cutoffs"]]
    minimal = found["minimal_nodes"].astype(object).where(found["minimal_nodes"].notna(), None)
    return found.assign(cutoffs=pd.Series(cutoffs, dtype=object), minimal_nodes=minimal)


def audited(store: Store) -> pd.DataFrame:
    """Return every audited move."""
    if not store.is_audited():
        return pd.DataFrame(columns=_AUDIT)
    return table(
        store,
        "SELECT game, opening, ply, agent.name AS agent, value, after, legal, keeping, score, after_score, best"
        " FROM audit JOIN game ON game.id = game"
        " JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END ORDER BY game, ply",
    )


def timed(store: Store) -> pd.DataFrame:
    """Return every search by turns."""
    if not store.has("timing"):
        return pd.DataFrame(columns=_TIMES)
    return table(
        store,
        "SELECT position, agent.name AS agent, turn, nodes, seconds FROM timing"
        " JOIN agent ON agent.id = agent ORDER BY position, turn, agent.id",
    )


def games(store: Store, where: str = "") -> pd.DataFrame:
    """Return a row for each game."""
    found = table(
        store,
        "SELECT game.id AS game, key, one.name AS first, two.name AS second, opening, moves, result, termination,"  # noqa: S608
        " detail, started, seconds FROM game JOIN agent AS one ON one.id = first"
        f" JOIN agent AS two ON two.id = second {where} ORDER BY opening, game.first, game.second",
    )
    return found.assign(points=found["result"].map(POINTS).astype(float))


def summed(store: Store) -> Played:
    """Return the sums of all games, read piece by piece."""
    boards, agents = (
        sorted(store.select(query)[1], key=lambda row: str(row[1]))
        for query in ("SELECT id, id FROM opening", "SELECT id, name FROM agent")
    )
    tally = Tally(len(agents), len(boards), store.value("SELECT count(*) FROM game"), once=True)
    board, place = (np.zeros(max((row[0] for row in rows), default=0) + 1, np.int32) for rows in (boards, agents))
    for places, rows in ((board, boards), (place, agents)):
        places[[number for number, _ in rows]] = np.arange(len(rows))
    cursor = store.connection.execute(_PACKED, {"agents": len(agents)})
    while rows := cursor.fetchmany(_CHUNK):
        numbers, texts = zip(*rows, strict=True)
        packed = np.array(numbers)
        pair = packed // 3
        first, second = place[pair // len(agents) % len(agents) + 1], place[pair % len(agents) + 1]
        moves = np.fromiter(map(hash, texts), np.int64, count=len(texts))
        tally.add(first, second, board[pair // len(agents) ** 2], packed % 3, moves)
    return Played.summed([name for _, name in agents], [number for number, _ in boards], tally)


def faults_table(store: Store) -> pd.DataFrame:
    """Return the games that a fault ended, those that did so in the same way in one row: FAULTS, and games."""
    return table(
        store,
        f"SELECT one.name AS first, two.name AS second, {_POINTS} AS points, termination, detail, count(*) AS games"  # noqa: S608
        " FROM game JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second"
        " WHERE termination NOT IN ('line completed', 'board full') GROUP BY 1, 2, 3, 4, 5"
        " ORDER BY min((opening * (SELECT count(*) FROM agent) + game.first) * (SELECT count(*) FROM agent)"
        " + game.second)",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """The tables of a run, never changed. Columns of the board count from 1, and `points` are the first player's."""

    agents: pd.DataFrame
    """name, spec, kind, parameters (a dict, by the names in specs), deterministic, stranger, author, digest."""
    openings: pd.DataFrame
    games: pd.DataFrame
    """game, key, first, second (names), opening, moves, result, points, termination, detail, started, seconds."""
    moves: pd.DataFrame
    """game, ply, agent, column, depth, nodes, seconds (the referee's), score."""
    searches: pd.DataFrame
    """A row for each completed depth: game, ply, agent, depth, nodes seconds since the move began, score, column."""
    evidence: pd.DataFrame
    """The path of a sequential test: pairs, llr, lower, upper, decision."""
    plan: dict[str, Any]
    """What was asked for, as `arena.play.plan.Plan` names it; the `population` of openings, and the `strata` of it."""
    planned: int
    """The number of games in the plan."""
    audit: pd.DataFrame
    """A row for each audited move: game, opening, ply, agent and what `arena.store.schema.AUDIT` names."""
    times: pd.DataFrame
    """A row for each search made by turns after the games: position, agent, turn, nodes, seconds."""
    inside: pd.DataFrame
    """A row for each completed depth that was looked into: game, ply, agent, nodes and what `Inspected` has."""
    made: dict[str, Any]
    """How the run was made, as `arena.store.machine.made` tells it."""

    path: Path
    """The run's file."""
    everything: Played | None = None
    """Of a large run the sums of all games; `games`, `moves` and `searches` are those of SAMPLE of them."""
    faults: pd.DataFrame | None = None
    """Of a large run how games ended by faults, as `lost` tells it."""

    @property
    def drawn(self) -> bool:
        """Whether games, moves and searches are not all that there are."""
        return self.everything is not None

    @classmethod
    def read(cls, path: Path, *, whole: bool = False, decided: bool = True) -> Frames:
        """Read a stored run, also while it is being played; of a large one the `whole` only if asked.

        Unless `decided` of a large run only the sums of its games. Raises InputError where there is no whole one.
        """
        with Store.read(path) as store, store.snapshot():
            return cls._of(store, drawn=not whole and is_large(store), decided=decided)

    def load(self, what: str = "games") -> Load | None:
        """Return the load while `games` or `times` were measured: of several the greatest; None where none is known."""
        loads = [Load.of(each) for each in self.made["loads"] if each["what"] == what]
        return max(loads, key=lambda load: load.others / load.cores, default=None)

    def told(self, rows: pd.DataFrame) -> pd.Series:
        """Return the nodes of moves or searches, NaN where none were told.

        A 0 is no count where it is a stranger's, or where the agent has no other.
        """
        foreign = rows["agent"].isin(self.agents["name"][self.agents["stranger"] == 1])
        silent = ~(rows["nodes"] > 0).groupby(rows["agent"]).transform("any").astype(bool)
        return rows["nodes"].astype(float).mask((rows["nodes"] == 0) & (foreign | silent))

    @classmethod
    def _of(cls, store: Store, *, drawn: bool, decided: bool) -> Frames:
        def query(text: str) -> pd.DataFrame:
            return table(store, text)

        refuse_damaged(store)
        where = f"WHERE {sampled(store) if decided else 'FALSE'}" if drawn else ""
        return cls(
            query(
                "SELECT name, spec, kind, parameters, deterministic, stranger, author, digest FROM agent ORDER BY id"
            ).assign(parameters=lambda agents: agents["parameters"].map(json.loads)),
            query("SELECT id AS opening, moves, value FROM opening ORDER BY id"),
            games(store, where),
            query(f"{decisions('move', MOVES, where)} ORDER BY game.id, ply"),
            query(searches(store, where)),
            query("SELECT * FROM sprt ORDER BY pairs"),
            store.plan(),
            store.planned(),
            audited(store),
            timed(store),
            insides(store, where),
            made(store),
            store.path,
            summed(store) if drawn else None,
            faults_table(store) if drawn else None,
        )

    def only(self, agents: Collection[str]) -> Frames:
        """Return the run as if nobody but these had played."""
        if set(self.agents["name"]) <= set(agents):
            return self
        games = _between(self.games, agents)
        moves, searches, audit, inside = (
            table[table["game"].isin(games["game"])] for table in (self.moves, self.searches, self.audit, self.inside)
        )
        named, times = self.agents[self.agents["name"].isin(agents)], self.times[self.times["agent"].isin(agents)]
        everything = self.everything and self.everything.among(agents)
        return replace(
            self, agents=named, games=games, moves=moves, searches=searches, audit=audit, times=times, inside=inside,
            everything=everything, faults=self.faults if self.faults is None else _between(self.faults, agents),
        )  # fmt: skip

    def played(self) -> Played:
        """Return the sums of all games."""
        return _summed(self) if self.everything is None else self.everything

    def lost(self) -> pd.DataFrame:
        """Return the games that a fault ended, those that did so in the same way in one row: FAULTS, and games."""
        if self.faults is not None:
            return self.faults
        ended = self.games[~self.games["termination"].isin(["line completed", "board full"])]
        return ended.groupby(FAULTS, sort=False).size().reset_index(name="games")

    def opening_of(self, moves: pd.DataFrame) -> pd.Series[int]:
        """Return the opening that each move or search was made after."""
        return moves["game"].map(_starts(self))

    @property
    def population(self) -> tuple[int, ...] | None:
        """How many openings of each stratum there were to draw; None where anything else is left to chance.

        Results of agents that play their games again alike are facts about the openings.
        """
        sure = self.plan.get("seconds") is None and bool(self.agents["deterministic"].all())
        found = self.plan.get("strata") or [self.plan.get("population")]
        return None if not sure or None in found else tuple(found)

    @property
    def winners(self) -> dict[str, bool] | None:
        """Whether the first player wins each opening, by its number, where such openings and others take turns."""
        if len(self.plan.get("strata", ())) < 2:
            return None
        rows = self.openings.itertuples(index=False)
        return {str(row.opening): (row.value > 0) == (len(split_moves(row.moves)) % 2 == 0) for row in rows}

    def sides(self) -> pd.DataFrame:
        """Return how many `games` had each end, from either side: agent, opponent, first (bool), points, fault (bool).

        A fault is the agent's own.
        """
        games, names = self.played(), self.agents["name"].to_numpy(dtype=object)
        place = {name: number for number, name in enumerate(names)}
        ended = np.zeros((len(names), len(names), 3, 2), dtype=np.int64)
        met = np.array([place[name] for name in games.agents], dtype=np.intp)
        ended[met[:, None], met, :, 0] = games.ends
        for row in self.lost().itertuples(index=False):
            ended[place[row.first], place[row.second], int(2 * row.points)] += (-row.games, row.games)
        found = ended.nonzero()
        one, two, won, fault = found
        rows = [
            pd.DataFrame({
                "agent": names[own], "opponent": names[other], "first": own is one, "points": points,
                "fault": (fault == 1) & (points == 0.0), "games": ended[found],
            })
            for own, other, points in ((one, two, won / 2.0), (two, one, 1.0 - won / 2.0))
        ]  # fmt: skip
        return pd.concat(rows, ignore_index=True)


def _between(games: pd.DataFrame, agents: Collection[str]) -> pd.DataFrame:
    """Return the games, or rows of such, in which nobody but these plays."""
    return games[games["first"].isin(agents) & games["second"].isin(agents)]


@functools.lru_cache(maxsize=2)  # every table asks
def _summed(frames: Frames) -> Played:
    """Return the sums of a run that was read whole."""
    games = frames.games
    return Played.of_columns(*(games[name].tolist() for name in ("first", "second", "opening", "points", "moves")))


@functools.lru_cache(maxsize=1)  # every agent's and every depth's rows ask
def _starts(frames: Frames) -> pd.Series[int]:
    """Return the opening of each game whose moves were read."""
    games = frames.games
    return games[games["game"].isin(frames.moves["game"].unique())].set_index("game")["opening"]
