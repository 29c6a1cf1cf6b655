"""Measurements of a stored run's games: the audit, searches timed alone, and tables of plugins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.store.digests import seal
from arena.store.run_file import Store
from arena.store.schema import AUDIT, AUDIT_ADDITION, CHOICE, LOAD, TIMING
from arena.store.validation import tables_of_runs

Row = tuple[Any, ...]


def finished_games(store: Store) -> list[Row]:
    """Return id, opening, moves, result and termination of every game, grouped by opening."""
    return store.rows("SELECT id, opening, moves, result, termination FROM game ORDER BY opening, id")


_AUDITED = (
    "INSERT OR REPLACE INTO audit (game, ply, value, after, legal, keeping, keepers) VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def unaudited_moves(store: Store) -> set[tuple[int, int]]:
    """Return game and ply of every unaudited move."""
    moves = set(store.rows("SELECT game, ply FROM move"))
    if store.is_audited():
        moves.difference_update(store.rows("SELECT game, ply FROM audit"))
    return moves


def begin_audit(store: Store) -> None:
    """Make the table of audited moves, or update that of an earlier version."""
    with store.transaction() as connection:
        connection.execute(AUDIT)
        if "keepers" not in {name for _, name, *_ in connection.execute("PRAGMA table_info(audit)")}:
            connection.execute(AUDIT_ADDITION)
            seal(connection, "audit")


def add_audit(store: Store, rows: Iterable[Row]) -> None:
    """Store audited moves, rows of `arena.store.schema.AUDIT`, in one transaction; older files have more columns."""
    added = [*rows]
    with store.transaction() as connection:
        connection.executemany(_AUDITED, added)
        seal(connection, "audit", {game for game, *_ in added})


def set_times(store: Store, rows: Iterable[Row]) -> None:
    """Replace the searches timed alone with these rows of `arena.store.schema.TIMING`."""
    with store.transaction() as connection:
        connection.execute(TIMING)
        connection.execute(LOAD)
        connection.execute("DELETE FROM timing")
        connection.execute("DELETE FROM load WHERE what = 'times'")
        connection.executemany("INSERT INTO timing VALUES (?, ?, ?, ?, ?)", rows)
        for part in ("timing", "load"):
            seal(connection, part)


def set_choices(store: Store, rows: Iterable[Row]) -> None:
    """Replace what agents choose in a sample of positions with these rows of `arena.store.schema.CHOICE`."""
    with store.transaction() as connection:
        connection.execute(CHOICE)
        connection.execute("DELETE FROM choice")
        connection.executemany("INSERT INTO choice VALUES (?, ?, ?, ?, ?)", rows)
        seal(connection, "choice")


def keep(run: Path, table: str, columns: str, rows: Iterable[Row]) -> None:
    """Replace the rows of a plugin's table in a run. Raises InputError.

    columns: their names and types as SQL, such as "agent TEXT, length REAL".
    """
    if table in tables_of_runs() or not table.isidentifier():
        raise InputError(f"{table!r} is no name for a table of a plugin")
    with Store.resume(run) as store, store.transaction() as connection:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.execute(f"CREATE TABLE {table} ({columns})")
        for row in rows:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
