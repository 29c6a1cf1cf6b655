"""The limits and sources of remote agents, and the watchdog that kills a process group above its limits."""

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
    """Seconds to start, and for a move where the run has no time limit."""
    margin: float = 0.1
    """Seconds past a time limit before the process is killed."""
    memory: int = 1024
    """Megabytes of data."""
    sandbox: bool = False
    """Whether the process has no network, and no files but the system's and its own."""
    debug: str = ""
    """A file to append all lines sent and received to; empty for none."""


@dataclass(frozen=True, slots=True)
class Source:
    """Everything that is needed to start a remote agent."""

    protocol: str
    """A row of `agents.remote.agent.PROTOCOLS`."""
    words: tuple[str, ...]
    """The command; for an agent in Python a file and a name in it, or only a spec."""
    folder: str
    """The absolute path of the folder that the process runs in."""
    options: tuple[tuple[str, object], ...] = ()
    """Options of an engine, or parameters of an agent in Python."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables of this agent, added to those that every agent gets."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Limits of this agent, added to the run's."""
    files: tuple[str, ...] = ()
    """The paths of its folder that it may read in a sandbox; empty for the whole folder."""


PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(groups: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the number of processes and threads of each group, and the bytes of memory that they hold.

    The offspring of a group counts, too, in whatever group it is. Zombies (ended, but not waited for) count only where
    there are more than MOST_ENDED.
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
    """Return the bytes of nameless files, such as memfds, that processes hold open, less their mapped shared memory."""
    files = {}
    for number in processes:
        with suppress(OSError):  # the process has ended meanwhile, or belongs to another user
            for descriptor in os.listdir(f"/proc/{number}/fd"):  # noqa: PTH208  as in launch
                status = os.stat(f"/proc/{number}/fd/{descriptor}")  # noqa: PTH116  likewise
                if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                    files[status.st_dev, status.st_ino] = status.st_blocks * 512
    return max(0, sum(files.values()) - sum(map(_mapped, processes))) if files else 0


def _mapped(number: int) -> int:
    """Return the bytes of shared memory that a process has mapped; its resident memory includes them."""
    with suppress(OSError):
        for line in (PROC / str(number) / "status").read_bytes().splitlines():
            if line.startswith(b"RssShmem:"):
                return int(line.split()[1]) << 10
    return 0


MOST_ENDED = 512
MOST_PROCESSES = 32
"""Processes and threads that a group may have. A control group also counts ended processes, and bounds the sum."""
_INTERVAL = 0.1
"""Seconds between two checks, or fifty times the processor time of a check if that is more."""


class Group(Protocol):
    """The leader of a watched process group."""

    pid: int
    most_memory: int
    """Bytes that its group may hold."""

    def exceeded(self) -> Failure | None:
        """Return a failure if the group reached a limit of its control group."""

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
        began = time.thread_time()  # wall-clock time would include other threads and programs
        look()
        took = time.thread_time() - began
