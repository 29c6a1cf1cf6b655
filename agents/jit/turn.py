"""Processes that want the same kernel take turns: one compiles it, the others find it on disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 120.0
"""Seconds after which a process compiles what another, which may have been stopped, still has not."""
_PAUSE = 0.01
_HELD: list[Path] = []


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a file's lock, which ends with its process; where there is none to be had, go on without.

    In one process only who has numba's own lock for compiling may ask, so that no two threads wait for each other. Who
    holds one gets no other, as for a kernel that is compiled because another calls it: whoever waits holds nothing.
    """
    if _HELD:
        yield
        return
    try:
        import fcntl

        file = path.open("ab")
    except (ImportError, OSError):  # Windows, or nothing can be kept
        yield
        return
    with file:
        end = time.monotonic() + PATIENCE
        with suppress(OSError):  # a file system without locks
            while time.monotonic() < end:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(_PAUSE)
        _HELD.append(path)
        try:
            yield
        finally:
            _HELD.remove(path)
