"""The record of a run: one SQLite file, complete up to the last finished game whenever it is killed.

Text in the file counts columns from 1, as everywhere in text; so do the `column` fields. Results are "1-0" (first
player won), "0-1" and "1/2-1/2".
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from agents.board import Outcome
from agents.errors import InputError
from agents.registry import Spec
from arena.match import GameRecord
from arena.schedule import Job

APPLICATION_ID = 0x43344152  # "C4AR"
VERSION = 1
RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}

SCHEMA = """
CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), created TEXT NOT NULL, plan TEXT NOT NULL,
    seed INTEGER NOT NULL, planned INTEGER NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL) STRICT;
CREATE TABLE agent (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, kind TEXT NOT NULL,
    parameters TEXT NOT NULL) STRICT;
CREATE TABLE opening (id INTEGER PRIMARY KEY, moves TEXT NOT NULL, value INTEGER) STRICT;
CREATE TABLE game (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL REFERENCES agent, second INTEGER NOT NULL REFERENCES agent,
    opening INTEGER NOT NULL REFERENCES opening, moves TEXT NOT NULL, result TEXT NOT NULL
    CHECK (result IN ('1-0', '0-1', '1/2-1/2')), termination TEXT NOT NULL, detail TEXT NOT NULL,
    started TEXT NOT NULL, seconds REAL NOT NULL) STRICT;
CREATE TABLE move (game INTEGER NOT NULL REFERENCES game, ply INTEGER NOT NULL, column INTEGER NOT NULL,
    depth INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, score INTEGER,
    PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID;
CREATE TABLE search (game INTEGER NOT NULL, ply INTEGER NOT NULL, depth INTEGER NOT NULL, nodes INTEGER NOT NULL,
    seconds REAL NOT NULL, score INTEGER, column INTEGER NOT NULL, PRIMARY KEY (game, ply, depth),
    FOREIGN KEY (game, ply) REFERENCES move) STRICT, WITHOUT ROWID;
"""


class Store:
    """One run's file. Make one with `create`, or open one with `resume` to add games or `read` to look."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None = None) -> None:
        self.path = path
        self.connection = connection
        self._lock = lock

    @classmethod
    def create(
        cls, path: Path, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[tuple[str, Spec]],
        openings: Sequence[tuple[str, int | None]],
    ) -> Store:  # fmt: skip
        """Begin a run's file. `openings` are moves and, where known, value. Raises InputError if it cannot be made."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            raise InputError(f"{path} exists; --resume {path} continues it, --out names another") from None
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None
        with _plainly(path):
            lock = _locked(path)
            connection = _connect(path, "rw")
            connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA application_id = {APPLICATION_ID};{SCHEMA}")
            with connection:
                connection.execute(
                    "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?)",
                    (_now(), json.dumps(plan), seed, planned, json.dumps(_versions()), json.dumps(_machine())),
                )
                connection.executemany(
                    "INSERT INTO agent (name, spec, kind, parameters) VALUES (?, ?, ?, ?)",
                    [(name, spec.text, spec.kind, json.dumps(spec.resolved(), default=str)) for name, spec in agents],
                )
                connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            return cls(path, connection, lock)

    @classmethod
    def resume(cls, path: Path) -> Store:
        """Open a run's file to add games. Raises InputError if it is none, or another run is writing it."""
        _must_exist(path)
        with _plainly(path):
            lock = _locked(path)
            connection = _connect(path, "rw")
            _recognise(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            return cls(path, connection, lock)

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a run's file to look at it, also while it is being written. Raises InputError if it is none."""
        _must_exist(path)
        with _plainly(path):
            connection = _connect(path, "ro")
            _recognise(path, connection)
            return cls(path, connection)

    def add(self, job: Job, record: GameRecord) -> None:
        """Store a finished game with all its searches, in one transaction."""
        started = datetime.fromtimestamp(record.started, UTC).isoformat(timespec="milliseconds")
        with _plainly(self.path), self.connection:
            game = self.connection.execute(
                "INSERT INTO game (key, first, second, opening, moves, result, termination, detail, started, seconds)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    record.key, job.first + 1, job.second + 1, job.opening + 1, record.moves, RESULTS[record.outcome],
                    record.termination.value, record.detail, started, record.seconds,
                ),  # fmt: skip
            ).lastrowid
            self.connection.executemany(
                "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game, d.ply, d.column + 1, d.depth, d.nodes, d.seconds, d.score) for d in record.decisions],
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO search VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (game, d.ply, depth, nodes, seconds, score, column + 1)
                    for d in record.decisions
                    for depth, nodes, seconds, score, column in (
                        [(i.depth, i.nodes, i.seconds, i.score, i.column) for i in d.iterations]
                        or [(d.depth, d.nodes, d.seconds, d.score, d.column)]
                    )
                ],
            )

    def plan(self) -> dict[str, Any]:
        """Return what the run was asked for."""
        return dict(json.loads(self._one("SELECT plan FROM run")))

    def planned(self) -> int:
        """Return the number of games that the plan holds."""
        return int(self._one("SELECT planned FROM run"))

    def openings(self) -> list[str]:
        """Return the moves of the openings, in their order."""
        return [row[0] for row in self.connection.execute("SELECT moves FROM opening ORDER BY id")]

    def played(self) -> set[str]:
        """Return the keys of the games that are stored."""
        return {row[0] for row in self.connection.execute("SELECT key FROM game")}

    def _one(self, query: str) -> Any:  # noqa: ANN401  a value of SQL
        return self.connection.execute(query).fetchone()[0]

    def close(self) -> None:
        """Fold the log into the file, so that the run is this one file, and let others write."""
        if self._lock is not None:
            with suppress(sqlite3.Error):
                self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=10.0)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _recognise(path: Path, connection: sqlite3.Connection) -> None:
    application, version_found = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _MARKS)
    if application != APPLICATION_ID:
        raise InputError(f"{path} is not the record of a run")
    if version_found != VERSION:
        raise InputError(f"{path} was written by another version (format {version_found}, this one reads {VERSION})")


_MARKS = ("application_id", "user_version")


def _must_exist(path: Path) -> None:
    if not path.is_file():
        near = sorted(str(each) for each in path.parent.glob("*.sqlite"))[:3] if path.parent.is_dir() else []
        raise InputError(f"there is no file {path}" + (f"; there is {', '.join(near)}" if near else ""))


@contextmanager
def _plainly(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one line; what is stored stays stored."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "not a database" in text:
            raise InputError(f"{path} is not the record of a run") from error
        raise InputError(f"{path}: {text}") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _locked(path: Path) -> int | None:
    """Return a descriptor that holds the file against another writer, until it is closed or the process dies."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where SQLite's own locks must do
        return None
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise InputError(f"{path} is being written by another run") from None
    return descriptor


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in ("connect4-arena", "numba", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _machine() -> dict[str, Any]:
    return {"system": platform.system(), "machine": platform.machine(), "processors": os.cpu_count()}
