"""The lock of a run's file: a file beside it that says whose it is, so that one process at a time writes the run.

It is never a lock on the database itself. A process that closes a descriptor of a file drops every POSIX lock that it
holds on that file, SQLite's own among them; another process could then take the write-ahead log for a dead one's.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from agents.errors import InputError

try:
    import fcntl
except ImportError:  # Windows, where SQLite's own locks must do
    fcntl = None  # type: ignore[assignment]

SUFFIX = "-lock"


class TakenError(InputError):
    """A file is another run's."""


class Lock:
    """Keeps other writers off a run's file, whose folder is made, until `release` or until the process dies.

    The file beside it is removed by `release`; one that a killed process left behind holds nothing. Raises TakenError
    where another run holds the file, in this process or any other, and InputError where the file system cannot lock.
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
            os.close(descriptor)  # who held it has removed it in between

    def _is_mine(self, descriptor: int) -> bool:
        """Return whether the file that is open here is still the one that others find."""
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
    """Write whose the lock is."""
    owner = {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(sys.argv),
    }
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{json.dumps(owner)}\n".encode(), 0)


def _holder(descriptor: int) -> str:
    """Return who holds a lock, as a message says it in parentheses; nothing where it does not say."""
    try:
        owner = json.loads(os.pread(descriptor, 1 << 16, 0))
        where = "" if owner["host"] == socket.gethostname() else f" on {owner['host']}"
        return f" (process {owner['process']}{where}, since {owner['since']})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""
