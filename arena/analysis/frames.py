"""A stored run as pandas DataFrames: one row a game, a move, a search, an agent, an opening."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agents.board import split_moves
from arena.analysis.reading import MOVES, decisions, games, insides, is_large, lean, sampled, searches, table
from arena.store.machine import made
from arena.store.store import Store

_TIMES = ["position", "agent", "turn", "nodes", "seconds"]
_AUDIT = ["game", "opening", "ply", "agent", "value", "after", "legal", "keeping", "score", "after_score", "best"]


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
    drawn: bool = False
    """Whether `moves` and `searches` are those of SAMPLE games drawn from all, and `games` have numbers for moves.

    They have no key, result and times then; of the terminations only faults are told apart, and words are categories.
    """

    @classmethod
    def read(cls, path: Path, *, whole: bool = False, decided: bool = True) -> Frames:
        """Read a stored run, also while it is being played; of a large one the `whole` only if asked.

        Unless `decided` of a large run no moves and searches. Raises InputError where there is no whole one.
        """
        with Store.read(path) as store, store.snapshot():
            return cls._of(store, drawn=not whole and is_large(store), decided=decided)

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

        where = f"WHERE {sampled(store) if decided else 'FALSE'}" if drawn else ""
        return cls(
            query(
                "SELECT name, spec, kind, parameters, deterministic, stranger, author, digest FROM agent ORDER BY id"
            ).assign(parameters=lambda agents: agents["parameters"].map(json.loads)),
            query("SELECT id AS opening, moves, value FROM opening ORDER BY id"),
            lean(store) if drawn else games(store),
            query(f"{decisions('move', MOVES, where)} ORDER BY game.id, ply"),
            query(searches(store, where)),
            query("SELECT * FROM sprt ORDER BY pairs"),
            store.plan(),
            store.planned(),
            query(
                "SELECT game, opening, ply, agent.name AS agent, value, after, legal, keeping, score, after_score, best"
                " FROM audit JOIN game ON game.id = game"
                " JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END ORDER BY game, ply"
            )
            if store.is_audited()
            else pd.DataFrame(columns=_AUDIT),
            query(
                "SELECT position, agent.name AS agent, turn, nodes, seconds FROM timing"
                " JOIN agent ON agent.id = agent ORDER BY position, turn, agent.id"
            )
            if store.has("timing")
            else pd.DataFrame(columns=_TIMES),
            insides(store, where),
            made(store),
            store.path,
            drawn,
        )

    def only(self, agents: Collection[str]) -> Frames:
        """Return the run as if nobody but these had played."""
        if set(self.agents["name"]) <= set(agents):
            return self
        games = self.games[self.games["first"].isin(agents) & self.games["second"].isin(agents)]
        moves, searches, audit, inside = (
            table[table["game"].isin(games["game"])] for table in (self.moves, self.searches, self.audit, self.inside)
        )
        named, times = self.agents[self.agents["name"].isin(agents)], self.times[self.times["agent"].isin(agents)]
        return replace(
            self, agents=named, games=games, moves=moves, searches=searches, audit=audit, times=times, inside=inside
        )

    def moves_of(self, games: Iterable[int]) -> pd.DataFrame:
        """Return the moves of these games at least."""
        if not self.drawn:
            return self.moves
        with Store.read(self.path) as store:
            return table(store, decisions("move", MOVES, f"WHERE game.id IN ({', '.join(map(str, games))})"))

    def texts_of(self, games: Sequence[int]) -> list[str]:
        """Return the moves of each of these games as text."""
        if not self.drawn:
            return list(self.games.set_index("game")["moves"].loc[games])
        wanted = f"SELECT id, moves FROM game WHERE id IN ({', '.join(map(str, set(games)))})"  # noqa: S608
        with Store.read(self.path) as store:
            texts = dict(store.select(wanted)[1])
        return [texts[game] for game in games]

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
        names = self.agents["name"].to_numpy(dtype=object)
        first, second = (pd.Categorical(self.games[side], names).codes.astype(np.int64) for side in ("first", "second"))
        halves = (2.0 * self.games["points"]).to_numpy(dtype=np.int64)
        fault = ~self.games["termination"].isin(["line completed", "board full"]).to_numpy()
        shape = len(names), len(names), 3, 2
        games = np.bincount(np.ravel_multi_index((first, second, halves, fault.astype(int)), shape))
        [found] = games.nonzero()
        one, two, won, ended = np.unravel_index(found, shape)
        rows = [
            pd.DataFrame({
                "agent": names[own], "opponent": names[other], "first": own is one, "points": points,
                "fault": (ended == 1) & (points == 0.0), "games": games[found],
            })
            for own, other, points in ((one, two, won / 2.0), (two, one, 1.0 - won / 2.0))
        ]  # fmt: skip
        return pd.concat(rows, ignore_index=True)


@functools.lru_cache(maxsize=1)  # every agent's and every depth's rows ask
def _starts(frames: Frames) -> pd.Series[int]:
    """Return the opening of each game whose moves were read."""
    games = frames.games
    return games[games["game"].isin(frames.moves["game"].unique())].set_index("game")["opening"]
