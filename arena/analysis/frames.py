"""A stored run as pandas DataFrames: one row a game, a move, a search, an agent, an opening."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agents.board import split_moves
from arena.analysis import reading
from arena.analysis.reading import FAULTS, MOVES, decisions, table
from arena.statistics.played import Played
from arena.store.machine import made
from arena.store.store import Store


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
    """How the run was made: created, seed, versions, machine and the command."""

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
            return cls._of(store, drawn=not whole and reading.is_large(store), decided=decided)

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

        reading.refuse_damaged(store)
        where = f"WHERE {reading.sampled(store) if decided else 'FALSE'}" if drawn else ""
        return cls(
            query(
                "SELECT name, spec, kind, parameters, deterministic, stranger, author, digest FROM agent ORDER BY id"
            ).assign(parameters=lambda agents: agents["parameters"].map(json.loads)),
            query("SELECT id AS opening, moves, value FROM opening ORDER BY id"),
            reading.games(store, where),
            query(f"{decisions('move', MOVES, where)} ORDER BY game.id, ply"),
            query(reading.searches(store, where)),
            query("SELECT * FROM sprt ORDER BY pairs"),
            store.plan(),
            store.planned(),
            reading.audited(store),
            reading.timed(store),
            reading.insides(store, where),
            made(store),
            store.path,
            reading.summed(store) if drawn else None,
            reading.faults(store) if drawn else None,
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
