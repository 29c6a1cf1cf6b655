"""Control groups: the kernel limits the memory and the tasks of a remote agent and all its descendants.

Version 2 needs a delegated group with the controllers `memory` and `pids`, as in a container or in `systemd-run --user
--scope -p Delegate=yes`. Version 1 needs permission to write to the hierarchies of both, which root has. Groups nest:
the group that this process runs in, a group for this process, a group for each agent. So outer limits stay in force.
"""

from __future__ import annotations

import functools
import itertools
import os
import sys
from contextlib import suppress
from pathlib import Path

from agents.remote.failure import CROWD, MEMORY, Failure
from agents.remote.launch import begun, finish

_NEEDED = {"memory", "pids"}
_OWN = "arena-itself"
"""The group that holds this process in version 2, where a group that contains groups may hold no processes."""
_numbers = itertools.count()


def in_force() -> str:
    """Return a phrase that says how this machine limits memory and processes."""
    if places():
        return "memory and processes limited by control groups"
    if sys.platform == "linux":
        return "memory and processes counted ten times a second, as no control groups can be had"
    return "neither memory nor processes limited on this system"


class ControlGroup:
    """The group of one agent: a folder in each hierarchy, or none where the system has no control groups."""

    def __init__(self, memory: int, tasks: int) -> None:
        """Make a group for so many bytes of memory and so many processes and threads."""
        self.memory, self.tasks = memory, tasks
        self.folders: tuple[Path, ...] = ()
        with suppress(OSError):  # the watchdog's limits hold without a group
            self.folders = _made(places(), memory, tasks)

    def exceeded(self) -> Failure | None:
        """Return a failure if the kernel has killed a process for its memory or refused a new process."""
        for folder in self.folders:
            if _count(folder, ("memory.events", "memory.oom_control"), "oom_kill"):
                return Failure(MEMORY, f"all that it began needs more than {self.memory >> 20} MB")
            if _count(folder, ("pids.events",), "max"):
                return Failure(CROWD, f"it began more than {self.tasks} processes and threads")
        return None

    def remove(self) -> None:
        """Kill its processes and remove it, and the group of this process when that becomes empty."""
        finish(map(str, self.folders))


def _made(places: tuple[Path, ...], memory: int, tasks: int) -> tuple[Path, ...]:
    """Make a group with these limits in each place, and return the folders. Raises OSError."""
    limits = {
        "memory.max": memory,
        "memory.swap.max": 0,
        "memory.oom.group": 1,
        "memory.limit_in_bytes": memory,
        "memory.memsw.limit_in_bytes": memory,
        "pids.max": tasks,
    }
    found = tuple(place / _name(os.getpid()) / str(next(_numbers)) for place in places)
    try:
        for folder in found:
            try:
                _make(folder)
            except FileNotFoundError:  # the last agent of this process has just removed the group around it
                _make(folder)
            for file, limit in limits.items():
                if (folder / file).exists():
                    (folder / file).write_text(str(limit))
    except OSError:
        finish(map(str, found))
        raise
    return found


def _make(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    if (folder.parent / "cgroup.subtree_control").exists():
        _enable(folder.parent)
    folder.mkdir(exist_ok=True)


def _count(folder: Path, files: tuple[str, ...], name: str) -> int:
    """Return the number in the first line `NAME NUMBER` of the files, or 0."""
    for file in files:
        with suppress(OSError):
            for line in (folder / file).read_text().splitlines():
                if line.startswith(f"{name} "):
                    return int(line.split()[1])
    return 0


@functools.cache
def places() -> tuple[Path, ...]:
    """Return the folders in which this process may make groups: one in version 2, two in version 1, else none.

    Groups that dead processes left there are removed first.
    """
    own = _own()
    for kinds in ("",), ("memory", "pids"):
        try:
            found = tuple(_opened(own[kind]) for kind in kinds)
            _clean(found)
            finish(map(str, _made(found, 1 << 30, 100)))  # raises where a limit cannot be set
        except (OSError, KeyError):
            continue
        return found
    return ()


def _own() -> dict[str, Path]:
    """Return the folder of this process's group in each hierarchy, by controller; version 2 has the key ""."""
    paths = {}
    found = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            paths.update(dict.fromkeys(controllers.split(","), path))
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            head, _, tail = line.partition(" - ")
            kind, _, options = tail.split(" ", 2)
            root, point = head.split()[3:5]
            names = [""] if kind == "cgroup2" else options.split(",") if kind == "cgroup" else []
            for name in names:
                path = paths.get(name, "/..")
                if ".." not in path and Path(path).is_relative_to(root):
                    found[name] = Path(point) / Path(path).relative_to(root)
    return found


def _opened(folder: Path) -> Path:
    """Return the folder in which groups can be made, for a process in the group `folder`. Raises OSError."""
    if not (folder / "cgroup.subtree_control").exists():  # version 1
        return folder.resolve(strict=True)
    folder = folder.parent if folder.name == _OWN else folder
    if not os.access(folder / "cgroup.procs", os.W_OK):
        raise PermissionError
    try:
        _enable(folder)
    except OSError:
        _step_aside(folder)
        _enable(folder)
    return folder


def _enable(folder: Path) -> None:
    """Let the groups inside a group of version 2 have limits. Raises OSError, also while it holds processes."""
    file = folder / "cgroup.subtree_control"
    if not set(file.read_text().split()) >= _NEEDED:
        file.write_text(" ".join(f"+{each}" for each in sorted(_NEEDED)))


def _step_aside(folder: Path) -> None:
    """Move the processes of a version 2 group into a group inside it. Raises OSError if it holds foreign processes."""
    if not set((folder / "cgroup.controllers").read_text().split()) >= _NEEDED:
        raise PermissionError
    members = [int(line) for line in (folder / "cgroup.procs").read_text().split()]
    if not all(member and os.getpgid(member) == os.getpgrp() for member in members):
        raise PermissionError
    (folder / _OWN).mkdir(exist_ok=True)
    for member in members:
        with suppress(ProcessLookupError):
            (folder / _OWN / "cgroup.procs").write_text(str(member))


def _name(process: int) -> str:
    """Return the unique name of a process's group. Raises OSError if there is no such process."""
    return f"arena-{os.stat('/proc/self/ns/pid').st_ino}-{process}-{begun(process)}"  # noqa: PTH116  no such file


def _clean(folders: tuple[Path, ...]) -> None:
    """Remove the groups of processes that run no more."""
    here = _name(os.getpid()).rpartition("-")[0].rpartition("-")[0]
    for left in itertools.chain.from_iterable(folder.glob(f"{here}-*-*") for folder in folders):
        with suppress(OSError):
            if _name(int(left.name.split("-")[2])) == left.name:
                continue
        with suppress(OSError):
            finish([str(path) for path in left.iterdir() if path.is_dir()])
            left.rmdir()
