"""Merges the games of several runs into one file: SQLite attaches each part in turn and copies it in pieces."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.store.connection import as_input_error
from arena.store.machine import Load, add_loads
from arena.store.run_file import Store, copy
from arena.store.schema import AUDIT, DECISION_COLUMNS, EXTRA, GAME_COLUMNS, INSIDE, SESSIONS, SUPERSEDED, VERSION

_PIECE = 5_000
"""Games copied in one transaction; Ctrl-C works between transactions."""
_AGENT = ("name", "spec", "kind", "parameters", "deterministic", "stranger", "author", "digest")
_COPIED = {
    "game": GAME_COLUMNS,
    "move": DECISION_COLUMNS,
    "iteration": DECISION_COLUMNS,
    "inside": "game, ply, depth, inner, leaves, table_cutoffs, cutoffs, probes, hits, minimal_nodes",
    "fault": "game, ply, position, traceback, output",
    "extra": "game, ply, extra",
    "superseded": GAME_COLUMNS,
    "superseded_move": DECISION_COLUMNS,
    "superseded_iteration": DECISION_COLUMNS,
}
"""The columns to copy of each table; the first one is the number of the game."""
_AUDITED = "ply, value, after, legal, keeping, score, after_score, best"

_MAPS = """
DROP TABLE IF EXISTS temp.place;
DROP TABLE IF EXISTS temp.number;
CREATE TEMP TABLE place (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
CREATE TEMP TABLE number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO place SELECT two.id, one.id FROM part.agent AS two JOIN agent AS one USING (name);
"""
"""The new numbers of the attached file's agents and of the games to copy."""
_SAME = "(one.first, one.second, one.opening) = (a.new, b.new, two.opening)"
_SEATS = "JOIN place AS a ON a.old = two.first JOIN place AS b ON b.old = two.second"
_DOUBLED = f"SELECT count(*), total(one.moves != two.moves) FROM part.game AS two {_SEATS} JOIN game AS one ON {_SAME}"
_NEW = f"""INSERT INTO number SELECT two.id, ? + row_number() OVER (ORDER BY two.id)
    FROM part.game AS two {_SEATS} WHERE NOT EXISTS (SELECT * FROM game AS one WHERE {_SAME})"""
_OLD = f"""INSERT INTO number SELECT two.id, ? + row_number() OVER (ORDER BY two.id)
    FROM part.superseded AS two {_SEATS}
    WHERE NOT EXISTS (SELECT * FROM game AS one WHERE {_SAME} AND (one.moment, one.moves) = (two.moment, two.moves))
    AND NOT EXISTS
        (SELECT * FROM superseded AS one WHERE {_SAME} AND (one.moment, one.moves) = (two.moment, two.moves))"""


@contextmanager
def up_to_date(path: Path) -> Iterator[Path]:
    """Yield a run's file, or a temporary copy in the current format. Raises InputError if it is no run."""
    with Store.read(path) as store:
        store.plan()
        old = store.value("PRAGMA user_version") < VERSION or not store.has_column("game", "round")
    if not old:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        new = Path(folder) / "part.sqlite"
        copy(path, new)
        Store.resume(new).close()
        yield new


def add(store: Store, part: Path, progress: Callable[[int], object]) -> tuple[int, int]:
    """Copy the games of a run that `store` does not have; call `progress` with the number of games of each piece.

    Returns how many of its games were there already, and how many of those had other moves. `store` must have all its
    agents (by name) and openings (by number). Raises InputError.
    """
    connection = store.connection
    with as_input_error(part):
        connection.execute("ATTACH ? AS part", (f"{part.resolve().as_uri()}?mode=ro",))
        try:
            return _add(store, progress)
        finally:
            connection.rollback()
            connection.execute("DETACH part")


def agents(store: Store) -> dict[str, dict[str, Any]]:
    """Return the stored columns of each agent, by name."""
    rows = store.rows(f"SELECT {', '.join(_AGENT)} FROM agent ORDER BY id")
    return {row[0]: dict(zip(_AGENT, row, strict=True)) for row in rows}


def openings(store: Store) -> list[tuple[str, int | None]]:
    """Return the moves and the value, if known, of each opening."""
    return [(str(moves), value) for moves, value in store.rows("SELECT moves, value FROM opening ORDER BY id")]


def set_origin(
    store: Store, agents: Sequence[Mapping[str, Any]], versions: Mapping[str, Any], machine: Mapping[str, Any]
) -> None:
    """Store the agents of the new file, in the form of `agents`, and the versions and machine of the parts."""
    with store.transaction() as connection:
        connection.execute("UPDATE run SET versions = ?, machine = ?", (json.dumps(versions), json.dumps(machine)))
        marks = ", ".join(f":{name}" for name in _AGENT)
        connection.executemany(f"INSERT INTO agent ({', '.join(_AGENT)}) VALUES ({marks})", agents)


def set_sessions(store: Store, made: Sequence[Mapping[str, Any]]) -> None:
    """Store the sessions and loads of all parts in the new file.

    made: the results of `arena.store.machine.made`. If a part has no sessions, the new file has none.
    """
    games = [each for part in made for each in part["loads"] if each["what"] == "games"]  # times are not merged
    add_loads(store, [(each["begun"], "games", Load.of(each)) for each in games])
    parts = [part["sessions"] for part in made]
    store.update("DROP TABLE session")
    if not all(parts):
        return
    with store.transaction() as connection:
        connection.execute(SESSIONS[0])
        connection.executemany(
            "INSERT INTO session (begun, command, versions, machine) VALUES (?, ?, ?, ?)",
            sorted(
                (each["begun"], each["command"] or "", json.dumps(each["versions"]), json.dumps(each["machine"]))
                for part in parts
                for each in part
            ),
        )


def _add(store: Store, progress: Callable[[int], object]) -> tuple[int, int]:
    connection = store.connection
    there = {name for (name,) in connection.execute("SELECT name FROM part.sqlite_schema WHERE type = 'table'")}
    with connection:
        connection.executescript(_MAPS)
        [(games, different)] = connection.execute(_DOUBLED)
        connection.execute(_NEW, (store.last(),))
        if "superseded" in there:
            connection.executescript(SUPERSEDED)
            [(last,)] = connection.execute("SELECT max(new) FROM number")
            connection.execute(_OLD, (max(last or 0, store.last()),))
        for table, definition in (("audit", AUDIT), ("inside", INSIDE), ("extra", EXTRA)):
            if table in there:
                connection.execute(definition)
    [(low, high)] = connection.execute("SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM part.game")
    if "superseded" in there:
        [(low, high)] = connection.execute(
            "SELECT min(?, coalesce(min(id), ?)), max(?, coalesce(max(id), ?)) FROM part.superseded",
            (low, low, high, high),
        )
    for start in range(low, high + 1, _PIECE):
        piece = (start, start + _PIECE - 1)
        with connection:
            _copy(connection, there, piece)
        progress(connection.execute("SELECT count(*) FROM part.game WHERE id BETWEEN ? AND ?", piece).fetchone()[0])
    return games, int(different)


def _copy(connection: sqlite3.Connection, there: set[str], piece: tuple[int, int]) -> None:
    """Copy games and all rows about them; `piece` is the range of their numbers in the attached file, ends included.

    The rows of an audit apply to all games with the same moves; rows with distances replace rows without.
    """
    for table, columns in _COPIED.items():
        if table in there:
            key, *rest = columns.split(", ")
            played = "first" in rest
            read = ["a.new", "b.new", *rest[2:]] if played else rest
            connection.execute(
                f"INSERT INTO {table} ({columns}) SELECT number.new, {', '.join(read)} FROM number"
                f" CROSS JOIN part.{table} AS two ON two.{key} = number.old {_SEATS if played else ''}"
                " WHERE number.old BETWEEN ? AND ?",
                piece,
            )
    if "audit" in there:
        known = {name for _, name, *_ in connection.execute("PRAGMA part.table_info(audit)")}
        connection.execute(
            f"INSERT OR REPLACE INTO audit SELECT one.id, {_AUDITED}, {'keepers' if 'keepers' in known else 'NULL'}"
            f" FROM part.game AS two {_SEATS} JOIN game AS one ON {_SAME} AND one.moves = two.moves"
            " JOIN part.audit AS found ON found.game = two.id WHERE two.id BETWEEN ? AND ? AND NOT EXISTS"
            " (SELECT * FROM main.audit AS had WHERE (had.game, had.ply) = (one.id, found.ply)"
            " AND (had.score IS NOT NULL OR found.score IS NULL))",
            piece,
        )
