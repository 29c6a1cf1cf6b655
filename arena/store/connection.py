"""An SQLite file with one writing process and any number of readers, and the lock that refuses a second writer.

Every error of SQLite or the system becomes an InputError of one line.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
import socket
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from agents.errors import InputError, no_file

try:
    import fcntl
except ImportError:  # Windows, where SQLite's own locks must do
    fcntl = None  # type: ignore[assignment]

SUFFIX = "-lock"
CHECKPOINT = 1.0
"""Seconds between two checkpoints of a file that is being written: a copy of it lacks at most the last ones."""
PIECE = 10_000
"""Rows to fetch at a time."""
Columns = dict[str, list[Any]]
"""The result of a query, by column name."""
FOLDER = Path("results")
"""The default folder of stored runs."""
LATEST = "latest"
"""The name of the newest stored run."""


class TakenError(InputError):
    """Raised if another run holds the file."""


class Lock:
    """Excludes other writers of a run's file until `release` or the end of the process; makes the file's folder.

    The lock is on a second file beside the run's, which names the holder. It must not be on the database itself: when
    a process closes a descriptor of a file, it drops all its POSIX locks on that file, including SQLite's, and another
    process could then mistake the write-ahead log for a dead process's.

    `release` removes the lock file; a file left by a killed process holds no lock. Raises TakenError if another run, in
    any process, holds the file, and InputError if the file system cannot lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = Path(f"{os.path.realpath(path)}{SUFFIX}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {path.parent}: {error.strerror}") from None
        self._descriptor: int | None = None if fcntl is None else self._take()

    def _take(self) -> int:
        while True:
            try:
                descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise InputError(f"{self.path} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_mine(descriptor):
                    _sign(descriptor)
                    return descriptor
            except BlockingIOError:
                holder = _holder(descriptor)
                os.close(descriptor)
                raise TakenError(f"{self.path} is being written by another run{holder}") from None
            except OSError as error:
                self._drop(descriptor)
                if error.errno in {errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL}:
                    raise InputError(
                        f"{self.path} cannot be written: its file system has no locks ({error.strerror}), "
                        "so that two runs could write it at once; name a file on another"
                    ) from None
                raise InputError(f"{self.path} cannot be written: {self.file.name}: {error.strerror}") from None
            except BaseException:
                self._drop(descriptor)
                raise
            os.close(descriptor)  # its holder has removed the file in between

    def _is_mine(self, descriptor: int) -> bool:
        """Return whether the open file is still the one at the path."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(descriptor), self.file.stat())
        return False

    def _drop(self, descriptor: int) -> None:
        if self._is_mine(descriptor):
            self.file.unlink(missing_ok=True)
        os.close(descriptor)

    def release(self) -> None:
        """Let others write, and remove the file."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            with suppress(OSError):
                self._drop(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _sign(descriptor: int) -> None:
    """Write the holder's process, host, start and command into the lock."""
    owner = {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(sys.argv),
    }
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{json.dumps(owner)}\n".encode(), 0)


def _holder(descriptor: int) -> str:
    """Return the holder that a lock file names, in parentheses for a message, or an empty text."""
    try:
        owner = json.loads(os.pread(descriptor, 1 << 16, 0))
        where = "" if owner["host"] == socket.gethostname() else f" on {owner['host']}"
        return f" (process {owner['process']}{where}, since {owner['since']})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""


class Database:
    """An open file: a failed query raises an error of one line, and `close` leaves no other files beside it."""

    def __init__(self, path: Path, lock: Lock | None = None) -> None:
        """Open the file to read or, with its lock, to write; `close` releases the lock."""
        self.path = path
        self._lock = lock
        self._checkpoints: Checkpoints | None = None
        try:
            with as_input_error(path):
                self.connection = connect(path, write=lock is not None)
        except BaseException:
            self._release()
            raise

    def use_log(self) -> None:
        """Switch to a write-ahead log, so that others can read while this process writes; a thread checkpoints it.

        The mode changes without a journal on disk, here and in `close`: it is one write of one page, and the journal of
        a killed process would exclude readers.
        """
        with as_input_error(self.path):
            if self.connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                self.connection.execute("PRAGMA journal_mode = MEMORY")
                self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
        self._checkpoints = Checkpoints(self.path)

    def recover(self) -> None:
        """Complete the file of a killed process, or a copy of one, which a read-only connection cannot do itself.

        An unfinished write is rolled back, and a write-ahead log becomes part of the file. A file in a folder without
        write permission is read from memory, and a file that another process writes is read with its log.
        """
        is_logged = False
        with as_input_error(self.path):
            try:
                is_logged = self.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
                self.connection.execute("SELECT count(*) FROM sqlite_schema")
                if not is_logged:
                    return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}:
                    return  # the first query raises the error
            self.connection.close()
            try:
                self._fold()
            except TakenError:
                if not is_logged:
                    raise
            except (InputError, sqlite3.Error):
                pass  # the folder or the file is read-only
            self.connection = connect(self.path, write=False)
            try:
                self.connection.execute("SELECT count(*) FROM sqlite_schema")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}:
                    self._read_from_memory()

    def _fold(self) -> None:
        """Roll back an unfinished write and merge the log into the file. Raises InputError without the lock."""
        with Lock(self.path), closing(connect(self.path, write=True)) as file:
            file.execute("SELECT count(*) FROM sqlite_schema")
            file.execute("PRAGMA busy_timeout = 0")
            file.execute("PRAGMA wal_checkpoint(PASSIVE)")
            file.execute("PRAGMA journal_mode = MEMORY")  # fails while others read, who then use the log

    def _read_from_memory(self) -> None:
        """Replace the connection by one to a copy in memory of the file and its log."""
        self.connection.close()
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            twin = Path(folder, "run.sqlite")
            for suffix in ("", "-wal", "-journal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{os.path.realpath(self.path)}{suffix}", f"{twin}{suffix}")
            self.connection = sqlite3.connect(":memory:")
            with closing(connect(twin, write=True)) as file:
                file.backup(self.connection)

    def select(self, query: str, *values: object) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the column names and the rows of a query. Raises InputError if the file is damaged."""
        with as_input_error(self.path):
            cursor = self.connection.execute(query, values)
            return [column[0] for column in cursor.description], cursor.fetchall()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises InputError if the file is damaged."""
        return self.select(query, *values)[1]

    def pieces(self, query: str, *values: object, size: int = PIECE) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query, at most `size` at a time."""
        with as_input_error(self.path):
            cursor = self.connection.execute(query, values)
            while rows := cursor.fetchmany(size):
                yield rows

    def columns(self, query: str, *values: object) -> Columns:
        """Return the columns of a query; equal texts share one object."""
        with as_input_error(self.path):
            cursor = self.connection.execute(query, values)
            columns: list[list[Any]] = [[] for _ in cursor.description]
            same: dict[Any, Any] = {}
            while rows := cursor.fetchmany(PIECE):
                for column, entries in zip(columns, zip(*rows, strict=True), strict=True):
                    is_text = isinstance(entries[0], str)
                    column.extend([same.setdefault(entry, entry) for entry in entries] if is_text else entries)
            return dict(zip((column[0] for column in cursor.description), columns, strict=True))

    def value(self, query: str, *values: object) -> Any:  # noqa: ANN401  a value of SQL
        """Return the first value of a query. Raises InputError if there is none."""
        rows = self.rows(query, *values)
        if not rows:
            raise InputError(f"{self.path} is damaged: nothing found by {query}")
        return rows[0][0]

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction: commit at its end, or roll back if it raises. Raises InputError."""
        with as_input_error(self.path), self.connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def has(self, table: str) -> bool:
        """Return whether the table exists."""
        return table in {name for (name,) in self.select("SELECT name FROM sqlite_schema")[1]}

    def has_column(self, table: str, column: str) -> bool:
        """Return whether the table exists and has the column."""
        return (column,) in self.rows("SELECT name FROM pragma_table_info(?)", table)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries in the block see the same state, even while the file is being written; blocks may nest."""
        with as_input_error(self.path):
            if self.connection.in_transaction:
                yield
                return
            with self.connection:
                self.connection.execute("BEGIN")
                yield

    def close(self) -> None:
        """Merge the log into the file, so that one file remains, and release the lock.

        If the file was deleted meanwhile, as a process agent without a sandbox can do, it is written again.
        """
        self._end_checkpoints()
        try:
            if self._lock is not None:
                with suppress(sqlite3.Error, UnicodeDecodeError):
                    if not self.path.exists():
                        with closing(sqlite3.connect(self.path)) as again:
                            self.connection.backup(again)
                            again.execute("PRAGMA journal_mode = MEMORY")
                    self.connection.execute("PRAGMA journal_mode = MEMORY")
            self.connection.close()
        finally:
            self._release()

    def _end_checkpoints(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.end()
            self._checkpoints = None

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def discard(self) -> None:
        """Close and remove the file."""
        self._end_checkpoints()
        try:
            self.connection.close()
            remove(self.path)
        finally:
            self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Checkpoints:
    """A thread that copies a file's write-ahead log into the file, so that a copy of the file alone has its rows.

    It has its own connection and blocks neither readers nor the writer. A full disk ends nothing here: the log keeps
    what could not be copied.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._repeat, name="checkpoints", daemon=True)
        self._thread.start()

    def _repeat(self) -> None:
        try:
            with closing(connect(self._path, write=True)) as connection:
                connection.execute("PRAGMA synchronous = NORMAL")
                while not self._ended.wait(CHECKPOINT):
                    with suppress(sqlite3.Error):
                        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error:
            return  # the file was removed before the thread began; the writer reports what stops it

    def end(self) -> None:
        """Stop, and close the connection."""
        self._ended.set()
        self._thread.join()


def claim(path: Path) -> Lock:
    """Lock a file for a new run, and make the file, empty, and its parent folders. Raises InputError.

    A file of a killed run that stored nothing is used again. Journals that SQLite left beside an earlier file of this
    name are removed, because SQLite would apply them to the new one.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} cannot be written: it is no file")
    with ExitStack() as undo, as_input_error(path):
        lock = undo.enter_context(Lock(path))
        if path.exists() and not _is_empty(path):
            raise TakenError(f"{path} exists; --resume {path} continues it, --out names another")
        remove(path, beside=True)
        path.touch()
        undo.pop_all()
    return lock


def claim_new() -> Lock:
    """Claim a new file in the folder, named after the time. Raises InputError."""
    stem = datetime.now().astimezone().strftime("run-%Y%m%d-%H%M%S")
    for number in itertools.count(1):
        with suppress(TakenError):  # another run started in the same second
            return claim(FOLDER / (f"{stem}-{number}.sqlite" if number > 1 else f"{stem}.sqlite"))
    raise AssertionError


def remove(path: Path, *, beside: bool = False) -> None:
    """Remove a database and SQLite's files beside it, or with `beside` only the latter."""
    for suffix in ("-wal", "-shm", "-journal", *([] if beside else [""])):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_empty(path: Path) -> bool:
    """Return whether a file has no tables; the caller holds its lock."""
    try:
        with closing(connect(path, write=True)) as connection:  # this rolls back an unfinished write
            return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_schema").fetchone()[0])
    except sqlite3.Error:
        return False


def must_exist(path: Path) -> None:
    """Raise InputError if there is no such file; the message suggests runs with similar names."""
    if path.is_file():
        return
    if path.is_dir():
        inside = ", ".join(str(run) for run in sorted(path.glob("*.sqlite"))[-3:])
        raise InputError(f"{path} is a folder" + (f"; in it are {inside}" if inside else ""))
    files = dict.fromkeys([*sorted(FOLDER.rglob("*.sqlite"), reverse=True), *sorted(path.parent.glob("*"))])
    raise no_file(path, [LATEST, *(str(file) for file in files if file.is_file() and _is_run(file))])


def _is_run(path: Path) -> bool:
    """Return whether a file is the record of a run."""
    with suppress(InputError), Database(path) as database:
        return database.has("run")
    return False


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open an existing file. A killed process loses no commits; a power failure may lose the last ones."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={'rw' if write else 'ro'}", uri=True, timeout=10.0)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def as_input_error(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and of the system to InputError."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "not a database" in text:
            raise InputError(f"{path} is not the record of a run") from error
        damaged = " is damaged" if "malformed" in text or "Could not decode" in text else ""
        raise InputError(f"{path}{damaged}: {text}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is damaged: {error}") from error
    except BrokenPipeError:  # of what is printed while the file is open
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
