"""Games of several runs in one file: each part is attached in its turn, and copied by SQLite in pieces."""

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
"""Games that are copied in one transaction, between which Ctrl-C is heard."""
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
"""The columns of each table whose rows are copied, the first of which is the number of the game."""
_AUDITED = "ply, value, after, legal, keeping, score, after_score, best"

_MAPS = """
DROP TABLE IF EXISTS temp.place;
DROP TABLE IF EXISTS temp.number;
CREATE TEMP TABLE place (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
CREATE TEMP TABLE number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO place SELECT two.id, one.id FROM part.agent AS two JOIN agent AS one USING (name);
"""
"""The numbers here of the attached file's agents, and those that the games to be copied get."""
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
    """Yield a run's file, or in its place a copy of this format that vanishes. Raises InputError where it is no run."""
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
    """Copy what a run holds beyond what is there already; `progress` gets the number of games of each piece.

    Returns how many of its games were there, and how many of those went otherwise. Its agents and openings must be
    among those of `store`: agents by their names, openings by their numbers. Raises InputError.
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
    """Return all that is stored of each agent, by name."""
    rows = store.rows(f"SELECT {', '.join(_AGENT)} FROM agent ORDER BY id")
    return {row[0]: dict(zip(_AGENT, row, strict=True)) for row in rows}


def openings(store: Store) -> list[tuple[str, int | None]]:
    """Return moves and, where known, value of each opening."""
    return [(str(moves), value) for moves, value in store.rows("SELECT moves, value FROM opening ORDER BY id")]


def set_origin(
    store: Store, agents: Sequence[Mapping[str, Any]], versions: Mapping[str, Any], machine: Mapping[str, Any]
) -> None:
    """Store the agents of the new file, as `agents` returns them, and with what and on what the parts were played."""
    with store.transaction() as connection:
        connection.execute("UPDATE run SET versions = ?, machine = ?", (json.dumps(versions), json.dumps(machine)))
        marks = ", ".join(f":{name}" for name in _AGENT)
        connection.executemany(f"INSERT INTO agent ({', '.join(_AGENT)}) VALUES ({marks})", agents)


def set_sessions(store: Store, made: Sequence[Mapping[str, Any]]) -> None:
    """Give the new file the sessions and loads of all parts, which were `made` so.

    It has no sessions where a part does not know what data its agents had.
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
    """Copy the games whose numbers in the attached file are in a range, ends included, with all that is known of them.

    What an audit has found out holds for all games with the same moves; what it says by distance is kept rather.
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
