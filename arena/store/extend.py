"""Changes of a stored run: more agents, more openings, and games that are deleted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from arena.records import Job
from arena.store.digests import seal
from arena.store.run_file import NewAgent, Store, add_agents

_OF_GAMES = ("inside", "audit", "fault", "extra", "iteration", "move")
"""The tables with rows of games, in an order in which they can be deleted; `inside` is of earlier versions."""


def grow(
    store: Store, plan: Mapping[str, Any], planned: int, command: str, agents: Sequence[NewAgent],
    openings: Sequence[tuple[str, int | None]], code: Mapping[int, tuple[str, str, str | None]],
    replayed: Collection[int],
) -> None:  # fmt: skip
    """Extend a stored run in one transaction. Raises InputError.

    plan, planned, command: the new plan, its number of games, and the command line. agents, openings: the ones to
    append. code: the new kind, parameters and digest of agents, by place. replayed: the places of agents whose games
    are deleted.
    """
    with store.transaction() as connection:
        connection.execute(
            "UPDATE run SET plan = ?, planned = ?,"
            " command = CASE WHEN ? = '' THEN command WHEN command = '' THEN ? ELSE command || ' && ' || ? END",
            (json.dumps(plan), planned, command, command, command),
        )
        add_agents(connection, agents)
        connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
        connection.executemany(
            "UPDATE agent SET kind = ?, parameters = ?, digest = ? WHERE id = ?",
            [(*columns, place + 1) for place, columns in code.items()],
        )
        if replayed:
            _delete_games_of(store, connection, [place + 1 for place in replayed])
        for part in ("run", "agent", "opening"):
            seal(connection, part)


def delete_games(store: Store, jobs: Iterable[Job]) -> None:
    """Delete the games of these jobs in one transaction. Raises InputError."""
    query = "SELECT id FROM game WHERE (first, second, opening) = (?, ?, ?)"
    with store.transaction() as connection:
        games = [connection.execute(query, (job.first + 1, job.second + 1, job.opening + 1)).fetchone() for job in jobs]
        _delete(store, connection, games)


def _delete_games_of(store: Store, connection: sqlite3.Connection, agents: Sequence[int]) -> None:
    """Delete the games of these agents, and the measurements that they invalidate."""
    marks = ", ".join("?" * len(agents))
    games = f"SELECT id FROM game WHERE first IN ({marks}) OR second IN ({marks})"
    _delete(store, connection, connection.execute(games, [*agents, *agents]).fetchall())
    if store.has("timing"):
        connection.execute(f"DELETE FROM timing WHERE agent IN ({marks})", agents)
    connection.execute("DELETE FROM sprt")
    for part in ("timing", "sprt"):
        seal(connection, part)


def _delete(store: Store, connection: sqlite3.Connection, games: Sequence[tuple[int]]) -> None:
    """Delete games, by their numbers, with all that is stored of their moves."""
    for table, key in (*((table, "game") for table in _OF_GAMES), ("game", "id")):
        if store.has(table):
            connection.executemany(f"DELETE FROM {table} WHERE {key} = ?", games)
    for part, deleted in (("game", [game for (game,) in games]), ("audit", None), ("choice", None)):
        seal(connection, part, deleted)
