"""What is laid down for every stranger of a run, and where one of them comes from; both plain values."""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agents.agent import Limits
from agents.remote.failure import CROWD, MEMORY, Failure


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits that a stranger lives under."""

    patience: float = 60.0
    """Seconds to start, and for a move where the run has no limit of its own."""
    margin: float = 0.1
    """Seconds past a limit before it is stopped."""
    memory: int = 1024
    """Megabytes of data."""
    sandbox: bool = False
    """Whether it sees no network and no files but its own."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a stranger comes from: all that it takes to start it."""

    protocol: str
    """A row of `agents.remote.agent.PROTOCOLS`."""
    words: tuple[str, ...]
    """The command; of an agent in Python its file and the name in it, or a spec alone."""
    folder: str
    """Where it runs, an absolute path."""
    options: tuple[tuple[str, object], ...] = ()
    """What it is told before it plays: options of an engine, parameters of an agent in Python."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that it gets beside the few that all get."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Its own, which hold beside the run's."""
    files: tuple[str, ...] = ()
    """All that it may read of its folder in a sandbox; nothing named is the whole folder."""


# What process groups take of the machine, as Linux tells it; elsewhere nobody counts.

PROC = Path("/proc")
COUNTED = (PROC / "self" / "stat").exists()
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(groups: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return for each group how many processes and threads it has, and the bytes of memory that they hold in all."""
    found = dict.fromkeys(groups, (0, 0))
    for entry in os.listdir(PROC) if COUNTED else ():  # noqa: PTH208  half the time of iterdir
        if entry.isdigit():
            with suppress(OSError, IndexError):  # it has ended meanwhile
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123  likewise
                    fields = file.read().rpartition(b")")[2].split()
                if (group := int(fields[2])) in found:
                    threads, memory = found[group]
                    found[group] = threads + int(fields[17]), memory + int(fields[21]) * _PAGE
    return found


# Looks after strangers' groups, also while others think: one that takes too much of the machine is killed at once.

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
        for pid, (processes, memory) in usage([*_wards]).items():
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
