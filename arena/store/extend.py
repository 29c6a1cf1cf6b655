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
_IN_JSON = "(SELECT value FROM json_each(?))"


def grow(
    store: Store, plan: Mapping[str, Any], planned: int, command: str, agents: Sequence[NewAgent],
    openings: Sequence[tuple[str, int | None]], code: Mapping[int, tuple[str, str, str | None]],
    replayed: Collection[int],
) -> None:  # fmt: skip
    """Extend a stored run in one transaction. Raises InputError.

    plan, planned, command: the new plan, its number of games, and the command line. agents, openings: the ones to
    append. code: the new kind, parameters and digest of agents, by place. replayed: the places of agents whose games
    are deleted, with the measurements that they invalidate.
    """
    commands = [text for text in (store.value("SELECT command FROM run"), command) if text]
    with store.transaction() as connection:
        connection.execute(
            "UPDATE run SET plan = ?, planned = ?, command = ?", (json.dumps(plan), planned, " && ".join(commands))
        )
        add_agents(connection, agents)
        connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
        connection.executemany(
            "UPDATE agent SET kind = ?, parameters = ?, digest = ? WHERE id = ?",
            [(*columns, place + 1) for place, columns in code.items()],
        )
        if replayed:
            ids = json.dumps([place + 1 for place in replayed])
            _delete(store, connection, f"first IN {_IN_JSON} OR second IN {_IN_JSON}", ids, ids)
            if store.has("timing"):
                connection.execute(f"DELETE FROM timing WHERE agent IN {_IN_JSON}", (ids,))
            connection.execute("DELETE FROM sprt")
        for part in ("run", "agent", "opening", "timing", "sprt"):
            seal(connection, part)


def delete_games(store: Store, jobs: Iterable[Job]) -> None:
    """Delete the games of these jobs in one transaction. Raises InputError."""
    keys = json.dumps([f"{job.first}-{job.second}-{job.opening}" for job in jobs])
    with store.transaction() as connection:
        _delete(store, connection, f"key IN {_IN_JSON}", keys)


def _delete(store: Store, connection: sqlite3.Connection, condition: str, *values: str) -> None:
    """Delete the games that a condition of SQL selects, with all that is stored of their moves."""
    games = connection.execute(f"SELECT id FROM game WHERE {condition}", values).fetchall()
    for table in filter(store.has, _OF_GAMES):
        connection.executemany(f"DELETE FROM {table} WHERE game = ?", games)
    connection.executemany("DELETE FROM game WHERE id = ?", games)
    seal(connection, "game", [game for (game,) in games])
    for part in ("audit", "choice"):
        seal(connection, part)
