"""Control groups: the kernel bounds the memory and the tasks of a remote agent and of all that it begins.

Version 2 needs a group of our own with the controllers `memory` and `pids`, as in a container or in `systemd-run --user
--scope -p Delegate=yes`. Version 1 needs the right to write to the hierarchies of both, as root has. Each agent has a
group in a group of the process that starts it, inside the one in which that process runs, so that outer limits hold.
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
"""The group for our own processes in version 2, where a group with groups in it has no processes."""
_numbers = itertools.count()


def in_force() -> str:
    """Return in a few words what keeps the limits of memory and processes on this machine."""
    if places():
        return "memory and processes limited by control groups"
    if sys.platform == "linux":
        return "memory and processes counted ten times a second, as no control groups can be had"
    return "neither memory nor processes limited on this system"


class ControlGroup:
    """The group of one agent: a folder for each hierarchy, or none where no groups can be had."""

    def __init__(self, memory: int, tasks: int) -> None:
        """Make it, for so many bytes and so many processes and threads."""
        self.memory, self.tasks = memory, tasks
        self.folders: tuple[Path, ...] = ()
        with suppress(OSError):  # what is counted holds without it
            self.folders = _made(places(), memory, tasks)

    def exceeded(self) -> Failure | None:
        """Return a failure if the kernel has killed a process for its memory or refused to begin another one."""
        for folder in self.folders:
            if _count(folder, ("memory.events", "memory.oom_control"), "oom_kill"):
                return Failure(MEMORY, f"all that it began needs more than {self.memory >> 20} MB")
            if _count(folder, ("pids.events",), "max"):
                return Failure(CROWD, f"it began more than {self.tasks} processes and threads")
        return None

    def remove(self) -> None:
        """Kill all that is in it, and remove it; also the one around it when it is the last one there."""
        finish(map(str, self.folders))


def _made(places: tuple[Path, ...], memory: int, tasks: int) -> tuple[Path, ...]:
    """Return a new group's folder in each place, with its limits. Raises OSError."""
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
    """Return how often the kernel did what a line `NAME NUMBER` counts."""
    for file in files:
        with suppress(OSError):
            for line in (folder / file).read_text().splitlines():
                if line.startswith(f"{name} "):
                    return int(line.split()[1])
    return 0


@functools.cache
def places() -> tuple[Path, ...]:
    """Return the folders in which this process may make groups: one, two in version 1, none where it may not.

    What dead processes left there is removed first.
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
    """Return the folder of this process's group in each hierarchy, by its controllers; that of version 2 by ""."""
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
    """Return the folder in which groups may be made beside the process that is in this one. Raises OSError."""
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
    """Let the groups in a group of version 2 have limits. Raises OSError, also while processes are in it."""
    file = folder / "cgroup.subtree_control"
    if not set(file.read_text().split()) >= _NEEDED:
        file.write_text(" ".join(f"+{each}" for each in sorted(_NEEDED)))


def _step_aside(folder: Path) -> None:
    """Move the processes of a group of version 2 into one within it. Raises OSError where others' are among them."""
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
    """Return the name of a process's group, which no other process ever has. Raises OSError where there is none."""
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
