"""Looks after strangers' groups, also while others think: one that takes too much of the machine is killed at once."""

from __future__ import annotations

import functools
import threading
import time
from contextlib import suppress
from typing import Protocol

from agents.remote import group
from agents.remote.failure import CROWD, MEMORY, Failure

MOST_PROCESSES = 32
"""Processes and threads in a stranger's group."""
_INTERVAL = 0.1
"""Seconds between two looks, or fifty times what a look takes."""


class Ward(Protocol):
    """A process that leads a group."""

    pid: int
    most_memory: int
    """Bytes that its group may hold."""

    def condemn(self, verdict: Failure) -> None:
        """Kill the group, for what it will be told."""


_wards: dict[int, Ward] = {}
_lock = threading.RLock()
"""Whoever holds it may kill: a number in the table is still that of the group."""
_somebody = threading.Event()


def watch(ward: Ward) -> None:
    """Look after a group from now on."""
    _begin()
    with _lock:
        _wards[ward.pid] = ward
        _somebody.set()


def leave(ward: Ward) -> None:
    """Look no longer after a group, which may end now and its number be another's."""
    with _lock:
        _wards.pop(ward.pid, None)


def look() -> None:
    """Count what all groups take, and condemn those that take too much."""
    with _lock, suppress(OSError):  # such as too many open files, of which there may be fewer at the next look
        for pid, (processes, memory) in group.usage([*_wards]).items():
            ward = _wards.get(pid)
            if ward is None:  # it was collected as garbage meanwhile
                continue
            if processes > MOST_PROCESSES:
                detail = f"has {processes} processes and threads, allowed are {MOST_PROCESSES}"
                ward.condemn(Failure(CROWD, detail))
            elif memory > ward.most_memory:
                detail = f"its processes hold {memory >> 20} MB, allowed are {ward.most_memory >> 20}"
                ward.condemn(Failure(MEMORY, detail))
        if not _wards:
            _somebody.clear()


@functools.cache
def _begin() -> None:
    threading.Thread(target=_rounds, daemon=True).start()


def _rounds() -> None:
    took = 0.0
    while _somebody.wait():
        time.sleep(max(_INTERVAL, 50 * took))
        began = time.perf_counter()
        look()
        took = time.perf_counter() - began
