"""An SQLite file that one process writes and others may read; what goes wrong with it is said in one line."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from agents.errors import InputError, no_file

FOLDER = Path("results")
"""Where runs are stored unless another place is named."""
LATEST = "latest"
"""What stands for the newest of them."""


class Database:
    """An open file: queries, each in one line's error if it fails, and an end that leaves nothing beside the file."""

    def __init__(self, path: Path, *, write: bool) -> None:
        self.path = path
        self._lock: int | None = None
        with plainly(path):
            self._lock = lock(path) if write else None
            try:
                self.connection = connect(path, write=write)
            except BaseException:
                self._unlock()
                raise

    def select(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names and the rows of what a query finds. Raises InputError where the file is damaged."""
        with plainly(self.path):
            cursor = self.connection.execute(query)
            return [column[0] for column in cursor.description], cursor.fetchall()

    def value(self, query: str) -> Any:  # noqa: ANN401  a value of SQL
        """Return the one value that a query finds. Raises InputError where it finds nothing."""
        rows = self.select(query)[1]
        if not rows:
            raise InputError(f"{self.path} is damaged: nothing found by {query}")
        return rows[0][0]

    def update(self, statement: str, *values: object) -> None:
        """Change what is stored, in one transaction. Raises InputError."""
        with plainly(self.path), self.connection:
            self.connection.execute(statement, values)

    def has(self, table: str) -> bool:
        """Return whether there is such a table."""
        return table in {name for (name,) in self.select("SELECT name FROM sqlite_schema")[1]}

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries in the block see the same moment of a file that is being written; blocks may be nested."""
        with plainly(self.path):
            if self.connection.in_transaction:
                yield
                return
            with self.connection:
                self.connection.execute("BEGIN")
                yield

    def close(self) -> None:
        """Fold the log into the file, so that it stands alone, and let others write.

        A file that was deleted while it was written, as a stranger without a sandbox can, is written again.
        """
        if self._lock is not None:
            with suppress(sqlite3.Error):
                if not self.path.exists():
                    with closing(sqlite3.connect(self.path)) as again:
                        self.connection.backup(again)
                self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def discard(self) -> None:
        """Close and remove the file."""
        self.close()
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def claim(path: Path) -> None:
    """Make an empty file, and the directories above it, where there is none yet. Raises InputError.

    What SQLite keeps beside a file that is no longer there would be taken for this one's, and is removed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {path.parent}: {error.strerror}") from None
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        if not path.is_file():
            raise InputError(f"{path} cannot be written: it is no file") from None
        if not _is_empty(path):
            raise InputError(f"{path} exists; --resume {path} continues it, --out names another") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_empty(path: Path) -> bool:
    """Tell whether nothing was stored in a file before its making was interrupted; no other run makes it now."""
    held = lock(path)
    try:
        if path.stat().st_size == 0:
            return True
        connection = connect(path, write=False)
        try:
            return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return False
    finally:
        if held is not None:
            os.close(held)


def must_exist(path: Path) -> None:
    """Raise InputError where there is no such file; it names runs that are called alike, and none but runs."""
    if path.is_file():
        return
    if path.is_dir():
        inside = ", ".join(str(each) for each in sorted(path.glob("*.sqlite"))[-3:])
        raise InputError(f"{path} is a folder" + (f"; in it are {inside}" if inside else ""))
    files = dict.fromkeys([*sorted(FOLDER.rglob("*.sqlite"), reverse=True), *sorted(path.parent.glob("*"))])
    raise no_file(path, [LATEST, *(str(each) for each in files if each.is_file() and _is_run(each))])


def _is_run(path: Path) -> bool:
    """Tell whether a file is the record of a run."""
    with suppress(InputError), Database(path, write=False) as database:
        return database.has("run")
    return False


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open an existing file. A killed process loses nothing that was committed; a power failure may lose the last."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={'rw' if write else 'ro'}", uri=True, timeout=10.0)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        if write:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def lock(path: Path) -> int | None:
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


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into an InputError; what is stored stays stored."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        raise InputError(
            f"{path} is not the record of a run" if "not a database" in text else f"{path}: {text}"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
