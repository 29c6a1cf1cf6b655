"""Measurements of a stored run's games: the audit, searches timed alone, and search profiles."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from arena.records import Job
from arena.store.run_file import Store
from arena.store.schema import AUDIT, AUDIT_ADDITION, CHOICE, INSIDE, LOAD, TIMING

Row = tuple[Any, ...]


def finished_games(store: Store) -> list[Row]:
    """Return id, opening, moves, result and termination of every game, grouped by opening."""
    return store.rows("SELECT id, opening, moves, result, termination FROM game ORDER BY opening, id")


def unaudited_moves(store: Store, *, strong: bool) -> set[tuple[int, int]]:
    """Return game and ply of every unaudited move; with `strong`, also of moves that are audited without distances."""
    found = set(store.rows("SELECT game, ply FROM move"))
    if store.is_audited():
        found.difference_update(store.rows("SELECT game, ply FROM audit WHERE score IS NOT NULL OR NOT ?", strong))
    return found


def begin_audit(store: Store) -> None:
    """Make the table of audited moves, or update that of an earlier version."""
    with store.transaction() as connection:
        connection.execute(AUDIT)
        if "keepers" not in {name for _, name, *_ in connection.execute("PRAGMA table_info(audit)")}:
            connection.execute(AUDIT_ADDITION)


def add_audit(store: Store, rows: Iterable[Row]) -> None:
    """Store audited moves, rows of `arena.store.schema.AUDIT`, in one transaction."""
    with store.transaction() as connection:
        connection.executemany("INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def set_times(store: Store, rows: Iterable[Row]) -> None:
    """Replace the searches timed alone with these rows of `arena.store.schema.TIMING`."""
    with store.transaction() as connection:
        connection.execute(TIMING)
        connection.execute(LOAD)
        connection.execute("DELETE FROM timing")
        connection.execute("DELETE FROM load WHERE what = 'times'")
        connection.executemany("INSERT INTO timing VALUES (?, ?, ?, ?, ?)", rows)


def set_choices(store: Store, rows: Iterable[Row]) -> None:
    """Replace what agents choose in a sample of positions with these rows of `arena.store.schema.CHOICE`."""
    with store.transaction() as connection:
        connection.execute(CHOICE)
        connection.execute("DELETE FROM choice")
        connection.executemany("INSERT INTO choice VALUES (?, ?, ?, ?, ?)", rows)


def begin_profile(store: Store) -> None:
    """Make the table of search profiles if there is none."""
    store.update(INSIDE)


def unprofiled_games(store: Store, agents: Iterable[int]) -> list[int]:
    """Return the numbers of these agents' games without search profiles; agents are given by place."""
    players = json.dumps([place + 1 for place in agents])
    known = {game for (game,) in store.rows("SELECT game FROM inside")} if store.has("inside") else set()
    found = store.rows(
        "WITH player AS (SELECT value FROM json_each(?))"
        " SELECT id FROM game WHERE first IN player OR second IN player ORDER BY id",
        players,
    )
    return [game for (game,) in found if game not in known]


def add_profile(store: Store, rows: Iterable[Row]) -> None:
    """Store search profiles, rows of `arena.store.schema.INSIDE`, in one transaction."""
    with store.transaction() as connection:
        connection.executemany("INSERT INTO inside VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def game_record(store: Store, game: int) -> tuple[Job, str, str, str]:
    """Return the job, moves, result and termination of a game."""
    query = "SELECT first - 1, second - 1, opening - 1, moves, result, termination FROM game WHERE id = ?"
    [(*job, moves, result, termination)] = store.rows(query, game)
    return Job(*job), moves, result, termination


def nodes_of_moves(store: Store, game: int) -> list[tuple[int, int]]:
    """Return ply and nodes of each move of a game."""
    return store.rows("SELECT ply, nodes FROM move WHERE game = ? ORDER BY ply", game)


def nodes_of_depths(store: Store, game: int) -> list[tuple[int, int, int]]:
    """Return ply, depth and nodes of each completed depth in a game."""
    return store.rows("SELECT ply, depth, nodes FROM search WHERE game = ? AND depth > 0 ORDER BY ply, depth", game)


def moves_by_agent(store: Store) -> dict[int, int]:
    """Return the number of moves of each agent, by the agent's number."""
    mover = "CASE ply % 2 WHEN 0 THEN first ELSE second END"
    return dict(store.rows(f"SELECT {mover}, count(*) FROM move JOIN game ON id = game GROUP BY 1"))
