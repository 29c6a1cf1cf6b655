"""Changes of a stored run: more agents, more openings, and superseded games."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.records import Job
from arena.store.run_file import NewAgent, Store, add_agents
from arena.store.schema import DECISION_COLUMNS, GAME_COLUMNS, SESSIONS, SUPERSEDED

_SUPERSEDED = {
    "superseded": ("game", GAME_COLUMNS, "id"),
    "superseded_move": ("move", DECISION_COLUMNS, "game"),
    "superseded_iteration": ("iteration", DECISION_COLUMNS, "game"),
}
"""For each table of superseded games: the table that they come from, its columns, and its column of game numbers."""


def grow(
    store: Store, plan: Mapping[str, Any], planned: int, agents: Sequence[NewAgent],
    openings: Sequence[tuple[str, int | None]], command: str, digests: Mapping[int, str | None],
    replayed: Sequence[int], objects: Mapping[int, tuple[str, str]],
) -> None:  # fmt: skip
    """Extend a stored run in one transaction. Raises InputError.

    plan, planned, command: the new plan, its number of games, and the command line. agents, openings: the ones to
    append. digests: the agents' current digests, by place. replayed: the places of agents with superseded games.
    objects: the current kinds and parameters of objects, by place.
    """
    with store.transaction() as connection:
        connection.execute(
            "UPDATE run SET plan = ?, planned = ?,"
            " command = CASE WHEN ? = '' THEN command WHEN command = '' THEN ? ELSE command || ' && ' || ? END",
            (json.dumps(plan), planned, command, command, command),
        )
        add_agents(connection, agents)
        connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
        _digest(connection, digests)
        connection.executemany(
            "UPDATE agent SET kind = ?, parameters = ? WHERE id = ?",
            [(*described, place + 1) for place, described in objects.items()],
        )
        if replayed:
            _supersede_agents(connection, [place + 1 for place in replayed])


def add_sessions(store: Store, digests: Mapping[int, str | None]) -> None:
    """Add the table of sessions to a file of an earlier version, and set digests, by place, that cover agents' data."""
    with store.transaction() as connection:
        for statement in SESSIONS:
            connection.execute(statement)
        _digest(connection, digests)


def _digest(connection: sqlite3.Connection, digests: Mapping[int, str | None]) -> None:
    connection.executemany(
        "UPDATE agent SET digest = ? WHERE id = ?", [(digest, place + 1) for place, digest in digests.items()]
    )


def supersede(store: Store, jobs: Iterable[Job]) -> None:
    """Move the games of these jobs to the tables of superseded games in one transaction. Raises InputError."""
    query = "SELECT id FROM game WHERE (first, second, opening) = (?, ?, ?)"
    with store.transaction() as connection:
        games = [connection.execute(query, (job.first + 1, job.second + 1, job.opening + 1)).fetchone() for job in jobs]
        _supersede(connection, games)


def _supersede_agents(connection: sqlite3.Connection, agents: Sequence[int]) -> None:
    """Supersede the games of these agents, and delete the measurements that they invalidate."""
    marks = ", ".join("?" * len(agents))
    games = f"SELECT id FROM game WHERE first IN ({marks}) OR second IN ({marks})"
    _supersede(connection, connection.execute(games, [*agents, *agents]).fetchall())
    if connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'timing'").fetchone()[0]:
        connection.execute(f"DELETE FROM timing WHERE agent IN ({marks})", agents)
    connection.execute("DELETE FROM sprt")


def _supersede(connection: sqlite3.Connection, games: Sequence[tuple[int]]) -> None:
    """Move games, by their numbers, to the tables of superseded games."""
    for statement in SUPERSEDED.split(";"):
        connection.execute(statement)
    connection.execute("CREATE TEMP TABLE leaving (id INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO leaving VALUES (?)", games)
    for target, (table, columns, _) in _SUPERSEDED.items():
        connection.execute(f"INSERT INTO {target} ({columns}) SELECT {columns} FROM {table} WHERE {_leaving(target)}")
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    connection.execute("DROP TABLE IF EXISTS inside")  # of earlier versions, and it refers to moves
    for table in ("audit", "fault", "extra"):
        if table in there:
            connection.execute(f"DELETE FROM {table} WHERE game IN (SELECT id FROM leaving)")
    for target, (table, _, _) in reversed(_SUPERSEDED.items()):
        connection.execute(f"DELETE FROM {table} WHERE {_leaving(target)}")
    connection.execute("DROP TABLE leaving")


def _leaving(target: str) -> str:
    return f"{_SUPERSEDED[target][2]} IN (SELECT id FROM leaving)"
