"""Digests of the stored rows, by which a reader notices a changed bit in them; one function computes, one compares.

A row of the table `digest` covers all rows of a part with the same key, the value of their first column. Whatever
writes rows seals them in the same transaction.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter

PARTS = {
    "run": ("run",),
    "agent": ("agent",),
    "opening": ("opening",),
    "game": ("game", "move", "iteration", "fault", "extra"),
    "sprt": ("sprt",),
    "session": ("session",),
    "load": ("load",),
    "audit": ("audit",),
    "timing": ("timing",),
    "choice": ("choice",),
}
"""The tables of each part; one digest covers a game with its moves, depths, fault and extra data."""
_IN_JSON = "SELECT value FROM json_each(?)"


def seal(connection: sqlite3.Connection, part: str, games: Collection[int] | None = None) -> None:
    """Store the digests of a part, or of these games in it, within the caller's transaction."""
    keys, values = (None, ()) if games is None else (_IN_JSON, (json.dumps([*games]),))
    which = "" if keys is None else f" AND key IN ({keys})"
    connection.execute(f"DELETE FROM digest WHERE part = ?{which}", (part, *values))
    connection.executemany(
        "INSERT INTO digest VALUES (?, ?, ?)",
        [(part, key, digest) for key, digest in _digests(connection, part, keys, values).items()],
    )


def changed(
    connection: sqlite3.Connection, games: str | None, values: tuple[object, ...]
) -> Iterator[tuple[str, object]]:
    """Yield part and key of the rows that differ from their digests, in the order of PARTS.

    games, values: a query of the numbers of the games to compare, and the values to bind in it; None for all games.
    """
    for part in PARTS:
        keys, bound = (games, values) if part in {"game", "audit"} else (None, ())
        which = "" if keys is None else f" AND key IN ({keys})"
        stored = dict(connection.execute(f"SELECT key, digest FROM digest WHERE part = ?{which}", (part, *bound)))
        computed = _digests(connection, part, keys, bound)
        if stored != computed:
            yield from ((part, key) for key in {**stored, **computed} if stored.get(key) != computed.get(key))


def _digests(
    connection: sqlite3.Connection, part: str, keys: str | None, values: tuple[object, ...]
) -> dict[object, int]:
    """Return the digests of a part by key, also of games that a view hides; `keys` is a query of keys, None for all.

    `ascii` writes a row alike in every version of Python.
    """
    digests: dict[object, int] = {}
    for table in PARTS[part]:
        columns = connection.execute("SELECT name, pk FROM pragma_table_info(?, 'main')", (table,)).fetchall()
        if columns:
            names = [f'"{name}"' for name, _ in columns]
            order = ", ".join(f'"{name}"' for name, place in sorted(columns, key=itemgetter(1)) if place) or "rowid"
            which = "" if keys is None else f"WHERE {names[0]} IN ({keys})"
            rows = connection.execute(f"SELECT {', '.join(names)} FROM main.{table} {which} ORDER BY {order}", values)
            for key, group in groupby(rows, itemgetter(0)):
                digests[key] = zlib.crc32(ascii([*group]).encode(), digests.get(key, 0))
    return digests
