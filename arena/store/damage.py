"""Finds damage in a stored run's file: the first cell with a value that no run writes.

Queries trust a file, because checking every cell takes longer than most tables do. If a job fails with an unexpected
error, its callers check the file, and report the damaged cell in place of the error.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.store.connection import connect
from arena.store.run_file import Store
from arena.store.schema import AUDIT, EXTRA, LOAD, RESULTS, SCHEMA, SESSIONS, SUPERSEDED, TIMING, plan_of

_SHOWN = 40
"""The letters of a wrong value that a message shows."""
_MOST = 1 << 53
"""The largest valid count: up to here a float holds every whole number exactly."""
_PLIES = 64
_LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999."""


def found(since: float) -> str | None:
    """Return a line about the damage of a file opened since then, the last one first; None if no file is damaged.

    Call this after a job has failed with another error than InputError. since: the start of the job on the monotonic
    clock; files opened before it cannot be the cause.
    """
    files = [path for path, opened in Store.opened.items() if opened >= since]
    return next(filter(None, map(find, reversed(files))), None)


def find(path: Path) -> str | None:
    """Return a line about the first wrong cell of a run's file; None if there is none, or no file."""
    if not path.is_file():
        return None
    try:
        with closing(connect(path, write=False)) as file:
            for place, column, value in _wrong(file):
                shown = f"{value!r:.{_SHOWN}}{'…' * (len(repr(value)) > _SHOWN)}"
                return f"{path} is damaged: {place}: {column} is {shown}"
            for table, _, parent, _ in file.execute("PRAGMA foreign_key_check"):
                return f"{path} is damaged: table {table} names rows that are not in table {parent}"
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return f"{path} is damaged: {error}"
    return None


def _wrong(file: sqlite3.Connection) -> Iterator[tuple[str, str, object]]:
    """Yield the wrong cells: table and row in words, the column, and the value."""
    rules = STANDARD
    for table, columns in _columns().items():
        there = {name: bool(key) for _, name, _, _, _, key in file.execute(f"PRAGMA table_info({table})")}
        known = [name for name in columns if name in there]
        keys = [name for name in known if there[name]]
        for row in file.execute(f"SELECT {', '.join(known)} FROM {table}") if known else ():
            cells = dict(zip(known, row, strict=True))
            for name, value in cells.items():
                if not _is_sound(name, value, *columns[name], rules):
                    place = ", ".join(f"{key} {cells[key]!r:.{_SHOWN}}" for key in keys if key != name)
                    yield f"table {table}{place and f', {place}'}", name, value
            if table == "run":
                rules = Rules(**plan_of(cells["plan"])["rules"])


def _columns() -> dict[str, dict[str, tuple[str, bool]]]:
    """Return the type of every column of every table, and whether it may be NULL; the table `run` comes first."""
    with closing(sqlite3.connect(":memory:")) as file:
        file.executescript(";".join([SCHEMA, AUDIT, EXTRA, SUPERSEDED, TIMING, SESSIONS[0], LOAD]))
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            table: {
                name: (kind, not (filled or key))
                for _, name, kind, filled, _, key in file.execute(f"PRAGMA table_info({table})")
            }
            for table in tables
        }


def _is_sound(column: str, value: object, kind: str, empty: bool, rules: Rules) -> bool:
    """Return whether a run on this board may write this value into a column of this type."""
    if value is None:
        return empty
    if kind != "TEXT":
        low, high = _NUMBERS.get(column, (0, _MOST))
        return isinstance(value, int if kind == "INTEGER" else int | float) and low <= value <= high
    try:
        return isinstance(value, str) and (column not in _TEXTS or _TEXTS[column](value, rules) is not False)
    except (InputError, ValueError, TypeError, KeyError, RecursionError):
        return False


def _board(text: str, rules: Rules) -> object:
    return Board.from_moves(text, rules)


def _object(text: str, _: Rules) -> bool:
    return isinstance(json.loads(text), dict)


def _moment(text: str, _: Rules) -> object:
    return datetime.fromisoformat(text)


def _numbers(text: str, _: Rules) -> list[int]:
    return [int(word) for word in text.split()]


_NUMBERS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("score", "after_score", "llr", "lower", "upper"), (-_MOST, _MOST)),
    **dict.fromkeys(("value", "after"), (-_PLIES, _PLIES)),
    **dict.fromkeys(("ply", "depth", "column", "legal", "keeping", "best"), (0, _PLIES)),
    "seed": (-math.inf, math.inf),
    "moment": (0, _LATEST),
}
"""The lowest and the highest value of columns of numbers; all others have 0 and _MOST."""
_TEXTS: dict[str, Callable[[str, Rules], object]] = {
    **dict.fromkeys(("moves", "position"), _board),
    **dict.fromkeys(("parameters", "versions", "machine", "extra"), _object),
    **dict.fromkeys(("created", "begun"), _moment),
    "keepers": _numbers,
    "plan": lambda text, _: Rules(**plan_of(text)["rules"]),
    "result": lambda text, _: text in RESULTS.values(),
}
"""The checks of columns of text: each raises, or returns False, for a text that no run writes."""
