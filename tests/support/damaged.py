"""Stored runs with one wrong cell: any table, column and row, and a value that no run writes there."""

import itertools
import random
import re
import shutil
import signal
import sqlite3
from contextlib import closing, contextmanager

VALUES = (
    None, "", "text", "x" * 10_000, "9" * 30, "1,2,,3", "{", "[]", "null", '{"a": [1]}', '{"rules": 5}', "\x1b]0;x\x07",
    b"\xff\xfe", -1, 0, 1, 3, 99, 10**12, -(10**12), 2**63 - 1, -(2**63), 1.5, 1e308, float("inf"),
)  # fmt: skip
"""What stands in a cell instead: nothing, texts, JSON of another shape, bytes, numbers of any size."""
COMMANDS = (
    "show RUN", "show RUN --json", "show RUN --table faults", "show RUN --table blunders", "games RUN",
    "games RUN --json", "games RUN --faults", "replay RUN 5", "replay RUN 6 --json", "list FOLDER",
    "list FOLDER --json", "rate RUN",
    "rate RUN --json", "report RUN --out FOLDER/page.html", "diff RUN WHOLE", "diff WHOLE RUN --json",
    "audit RUN",
    "elo RUN",
    *(f"show RUN --style csv --table {name}" for name in (
        "standings", "crosstable", "effort", "phases", "pairings", "audit", "ranges", "agents", "openings",
        "games", "moves", "searches",
    )),
)  # fmt: skip
"""What reads a run, with the damaged run's file, a sound one's and a folder of their own to fill in."""
TIME = 20
"""Seconds that a command may take; no run here takes one."""


def loosened(path):
    """Take from a run's file what keeps wrong values out: types, checks, keys of other tables; return the path."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA writable_schema = 1")
        for name, sql in file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall():
            loose = re.sub(r" NOT NULL| STRICT(?:,( WITHOUT ROWID))?", r"\1", sql)
            file.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loose, name))
        file.commit()
    return path


def cells(path):
    """Return every table with its columns and rows."""
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = []
        for table in tables:
            columns = [each[1] for each in file.execute(f"PRAGMA table_xinfo({table})") if each[6] == 0]
            found.append((table, columns, file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))
        return found


def damages(path, seed):
    """Yield wrong cells without end: a table, a column, the place of a row, and its value."""
    chance, known = random.Random(seed), [each for each in cells(path) if each[2]]
    while True:
        table, columns, rows = chance.choice(known)
        yield table, chance.choice(columns), chance.randrange(rows), chance.choice(VALUES)


def every_damage(path):
    """Yield every column of every table with each wrong value, in its first row."""
    for table, columns, rows in cells(path):
        for column, value in itertools.product(columns if rows else (), VALUES):
            yield table, column, 0, value


def damage(source, path, table, column, row, value):
    """Write a copy of a loosened run with that cell; return whether the database takes it."""
    shutil.copy(source, path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA ignore_check_constraints = 1")
        keys = [each[1] for each in file.execute(f"PRAGMA table_xinfo({table})") if each[5]] or ["rowid"]
        key = ", ".join(keys)
        [found] = file.execute(f"SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {row}").fetchall()
        where = " AND ".join(f"{name} = ?" for name in keys)
        try:
            file.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *found))
        except sqlite3.Error:  # a key that there is, or bytes where a column is made of it
            return False
        file.commit()
    return True


def words(command, run, whole, folder):
    """Return a command of COMMANDS with its files filled in."""
    places = {"RUN": run, "WHOLE": whole, "FOLDER": folder}
    return [str(places.get(word, word)).replace("FOLDER/", f"{folder}/") for word in command.split()]


@contextmanager
def at_most(seconds):
    """Raise TimeoutError in the block when it takes longer."""

    def late(*_):
        raise TimeoutError(f"takes more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
