"""The limits of remote agents, where an agent comes from, and the watchdog that kills a group that takes too much."""

from __future__ import annotations

import functools
import os
import stat
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agents.agent import Limits
from agents.remote.failure import CROWD, MEMORY, Failure
from agents.remote.launch import families


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits of a remote agent's process."""

    patience: float = 60.0
    """Seconds to start, and for a move where the run has no limit of its own."""
    margin: float = 0.1
    """Seconds past a limit before the process is stopped."""
    memory: int = 1024
    """Megabytes of data."""
    sandbox: bool = False
    """Whether it is kept from the network and from all files but its own."""
    debug: str = ""
    """A file that the conversation with it is added to; empty for none."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a remote agent comes from: all that it takes to start it."""

    protocol: str
    """A row of `agents.remote.agent.PROTOCOLS`."""
    words: tuple[str, ...]
    """The command; of an agent in Python its file and the name in it, or a spec alone."""
    folder: str
    """Where it runs, an absolute path."""
    options: tuple[tuple[str, object], ...] = ()
    """Options of an engine, parameters of an agent in Python."""
    environment: tuple[tuple[str, str], ...] = ()
    """Its own variables, beside the few that every agent gets."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Its own limits, beside the run's."""
    files: tuple[str, ...] = ()
    """What it may read of its folder in a sandbox; empty: the whole folder."""


PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(groups: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the number of processes and threads of each group, and the bytes of memory that they hold.

    The offspring of a group counts as well, whatever group it has joined. Processes that have ended, and that nobody
    has waited for, count from MOST_ENDED on.
    """
    found = {}
    for leader, family in families(groups).items():
        running = {number: fields for number, fields in family.items() if fields[0] != b"Z"}
        ended = len(family) - len(running)
        threads = sum(int(fields[17]) for fields in running.values()) + (ended if ended > MOST_ENDED else 0)
        memory = sum(int(fields[21]) for fields in running.values()) * _PAGE
        found[leader] = threads, memory + _nameless(running)
    return found


def _nameless(processes: Collection[int]) -> int:
    """Return the bytes of the files without a name that processes hold open, as memfds, as far as they map none."""
    files = {}
    for number in processes:
        with suppress(OSError):  # it has ended meanwhile, or belongs to somebody else
            for descriptor in os.listdir(f"/proc/{number}/fd"):  # noqa: PTH208  as in launch
                status = os.stat(f"/proc/{number}/fd/{descriptor}")  # noqa: PTH116  likewise
                if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                    files[status.st_dev, status.st_ino] = status.st_blocks * 512
    return max(0, sum(files.values()) - sum(map(_mapped, processes))) if files else 0


def _mapped(number: int) -> int:
    """Return the bytes of shared memory that a process has mapped, which its memory holds already."""
    with suppress(OSError):
        for line in (PROC / str(number) / "status").read_bytes().splitlines():
            if line.startswith(b"RssShmem:"):
                return int(line.split()[1]) << 10
    return 0


MOST_ENDED = 512
MOST_PROCESSES = 32
"""Processes and threads that a group may have. A control group counts what has ended as well, and bounds their sum."""
_INTERVAL = 0.1
"""Seconds between two looks, unless fifty times the processor time of a look is more."""


class Group(Protocol):
    """A process group that is watched, by the process that leads it."""

    pid: int
    most_memory: int
    """Bytes that its group may hold."""

    def exceeded(self) -> Failure | None:
        """Return how it reached a limit that the kernel keeps."""

    def condemn(self, verdict: Failure) -> None:
        """Kill the group, and raise the verdict where its answer is awaited."""


_groups: dict[int, Group] = {}
_lock = threading.RLock()
"""Held while a group is killed: its number in the table is still its own."""
_any_group = threading.Event()


def watch(group: Group) -> None:
    """Watch a group from now on."""
    _begin()
    with _lock:
        _groups[group.pid] = group
        _any_group.set()


def leave(group: Group) -> None:
    """Stop watching a group, because its number may soon be another's."""
    with _lock:
        _groups.pop(group.pid, None)


def look() -> None:
    """Count what all groups use, and condemn those that use too much."""
    with _lock, suppress(OSError):  # such as too many open files; the next look may succeed
        for pid, (processes, memory) in usage([*_groups]).items():
            group = _groups.get(pid)
            if group is None:  # its owner was garbage-collected meanwhile
                continue
            if (verdict := group.exceeded()) is not None:
                group.condemn(verdict)
            elif processes > MOST_PROCESSES:
                detail = f"has {processes} processes and threads, allowed are {MOST_PROCESSES}"
                group.condemn(Failure(CROWD, detail))
            elif memory > group.most_memory:
                detail = f"its processes hold {memory >> 20} MB, allowed are {group.most_memory >> 20}"
                group.condemn(Failure(MEMORY, detail))
        if not _groups:
            _any_group.clear()


@functools.cache
def _begin() -> None:
    threading.Thread(target=_rounds, daemon=True).start()


def _rounds() -> None:
    took = 0.0
    while _any_group.wait():
        time.sleep(max(_INTERVAL, 50 * took))
        began = time.thread_time()  # the clock would count what other threads and programs take, too
        look()
        took = time.thread_time() - began
