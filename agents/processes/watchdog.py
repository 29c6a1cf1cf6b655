"""The watchdog: a thread that kills a process group above its limits of memory and processes."""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from typing import Protocol

from agents.failure import CROWD, MEMORY, Failure
from agents.processes.pause import offspring, stat

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(leader: int) -> tuple[int, int]:
    """Return the processes and threads of a leader and all below it, and the bytes of memory that they hold.

    Zombies (ended, but not waited for) count only where there are more than MOST_ENDED.
    """
    family = [fields for number in [leader, *offspring(leader)] if (fields := stat(number))]
    running = [fields for fields in family if fields[0] != b"Z"]
    ended = len(family) - len(running)
    threads = sum(int(fields[_THREADS]) for fields in running) + (ended if ended > MOST_ENDED else 0)
    return threads, sum(int(fields[_PAGES]) for fields in running) * _PAGE


_THREADS, _PAGES = 17, 21
MOST_ENDED = 512
MOST_PROCESSES = 32
"""Processes and threads that an agent may have."""
_INTERVAL = 0.1
"""Seconds between two checks, or fifty times the processor time of a check if that is more."""


class Group(Protocol):
    """The leader of a watched process group."""

    pid: int
    most_memory: int
    """Bytes that its group may hold."""

    def condemn(self, verdict: Failure) -> None:
        """Kill the group; a caller that waits for an answer raises the verdict."""


_groups: dict[int, Group] = {}
_lock = threading.RLock()
"""Held while a group is killed, so that its id in the table still belongs to it."""
_any_group = threading.Event()


def watch(group: Group) -> None:
    """Watch a group from now on."""
    _begin()
    with _lock:
        _groups[group.pid] = group
        _any_group.set()


def leave(group: Group) -> None:
    """Stop watching a group; another process may soon get its id."""
    with _lock:
        _groups.pop(group.pid, None)


def look() -> None:
    """Measure the usage of all groups, and condemn those above their limits."""
    with _lock:
        for pid, group in [*_groups.items()]:
            processes, memory = usage(pid)
            if processes > MOST_PROCESSES:
                detail = f"has {processes} processes and threads, allowed are {MOST_PROCESSES}"
                group.condemn(Failure(CROWD, detail))
            elif memory > group.most_memory:
                detail = f"its processes hold {memory >> 20} MB, allowed are {group.most_memory >> 20}"
                group.condemn(Failure(MEMORY, detail))
        if not _groups:
            _any_group.clear()


def in_force() -> str:
    """Return a phrase that says how this machine limits memory and processes."""
    if sys.platform == "linux":
        return "memory and processes counted ten times a second"
    return "neither memory nor processes limited on this system"


@functools.cache
def _begin() -> None:
    threading.Thread(target=_rounds, daemon=True).start()


def _rounds() -> None:
    took = 0.0
    while _any_group.wait():
        time.sleep(max(_INTERVAL, 50 * took))
        began = time.thread_time()  # wall-clock time would include other threads and programs
        look()
        took = time.thread_time() - began
