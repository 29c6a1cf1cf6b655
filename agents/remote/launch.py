"""The first steps of a remote agent's process: limits, a guard, and then the program itself.

A bare interpreter runs it by its path (`python -I -S launch.py GUARD MEGABYTES GROUPS FOLDER VARIABLES COMMAND…`), as
the leader of a session and a process group. It imports nothing of this package. Its folder is the root and its
environment is the arena's, so that nothing of the agent's acts on it. GROUPS are the folders of its control group,
separated by colons. VARIABLES is a descriptor with the agent's own variables, NAME and value by turns, each ended by a
NUL; or `-` where a sandbox sets them.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

FILE_BYTES = 16 << 20
CANNOT_START = 127


def main() -> None:
    """Confine this process and become the program."""
    guard, megabytes, together, folder, variables, *command = sys.argv[1:]
    groups = [each for each in together.split(":") if each]
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch(int(guard), groups)
    join(groups)
    adopt()
    confine(int(megabytes) << 20)
    own = {} if variables == "-" else read(int(variables))
    try:
        os.chdir(folder)
        os.execvpe(command[0], command, os.environ | own)  # noqa: S606  that is its task
    except OSError as error:
        sys.stderr.write(f"{error.filename or command[0]}: {error.strerror}\n")
        os._exit(CANNOT_START)


def watch(guard: int, groups: list[str]) -> None:
    """Leave a process behind that kills this process and its offspring when the other end of the pipe is closed.

    A byte on the pipe dismisses it. It is an orphan, so that the program may wait for its own children.
    """
    group = os.getpid()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, guard)
            os.closerange(guard + 1, 4096)
            if not os.read(guard, 1):
                kill(group)
                finish(groups)
        os._exit(0)
    os.wait()
    os.close(guard)


def join(groups: Iterable[str]) -> None:
    """Enter a control group, with all that this process will begin; where the kernel refuses, what is counted holds."""
    for folder in groups:
        # `tasks`, of version 1, moves one thread at once; for a process the kernel may wait for tens of milliseconds.
        for file in ("tasks", "cgroup.procs"):
            with suppress(OSError), open(f"{folder}/{file}", "w") as members:  # noqa: PTH123  no pathlib here
                members.write("0")
                break


def finish(groups: Iterable[str]) -> None:
    """Kill all in control groups, and remove them, and the ones around them when these are empty."""
    for folder in groups:
        for file, word in (("pids.max", "0"), ("cgroup.kill", "1")):  # nothing forks away; only version 2 has the other
            with suppress(OSError), open(f"{folder}/{file}", "w") as control:  # noqa: PTH123  no pathlib here
                control.write(word)
        until = time.monotonic() + _SECONDS_TO_DIE
        while not _removed(folder) and time.monotonic() < until:
            with suppress(OSError), open(f"{folder}/cgroup.procs") as members:  # noqa: PTH123  no pathlib here
                for number in members.read().split():
                    with suppress(OSError):
                        os.kill(int(number), signal.SIGKILL)
            time.sleep(0.0005)
        with suppress(OSError):
            os.rmdir(os.path.dirname(folder))  # noqa: PTH106, PTH120  no pathlib here


def _removed(folder: str) -> bool:
    """Remove an empty control group, and return whether it is gone."""
    try:
        os.rmdir(folder)  # noqa: PTH106  no pathlib here
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


_SECONDS_TO_DIE = 1.0


def adopt() -> None:
    """Let orphans among the program's offspring become its own children, so that they are counted and killed with it.

    Otherwise a child that leaves the group (`setsid`, `setpgid`) and whose parent ends would be nobody's.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


_PR_SET_CHILD_SUBREAPER = 36
_BEGUN = 19
"""The field with the time at which a process began: with it a number is never another's."""


def families(leaders: Iterable[int]) -> dict[int, dict[int, list[bytes]]]:
    """Return each leader with its process group and all their offspring: the fields of /proc/NUMBER/stat, by number.

    The first field is the state. Only Linux reports them.
    """
    known: dict[int, list[bytes]] = {}
    children: dict[int, list[int]] = {}
    groups: dict[int, list[int]] = {}
    with suppress(FileNotFoundError):
        for entry in os.listdir("/proc"):  # noqa: PTH208  half the time of iterdir
            if entry.isdigit():
                with suppress(OSError, IndexError):  # it has ended meanwhile
                    fields = _stat(entry).rpartition(b")")[2].split()
                    children.setdefault(int(fields[1]), []).append(int(entry))
                    groups.setdefault(int(fields[2]), []).append(int(entry))
                    known[int(entry)] = fields
    found = {}
    for leader in leaders:
        family = dict.fromkeys([leader, *groups.get(leader, ())])
        waiting = list(family)
        while waiting:
            more = [child for child in children.get(waiting.pop(), ()) if child not in family]
            family.update(dict.fromkeys(more))
            waiting += more
        found[leader] = {number: known[number] for number in family if number in known}
    return found


def begun(process: int) -> int:
    """Return when a process began, in ticks since the system did. Raises OSError where it is gone."""
    return int(_stat(str(process)).rpartition(b")")[2].split()[_BEGUN])


def _stat(entry: str) -> bytes:
    """Return a process's line; without `open`, which a program that ends has no more when it kills its agents."""
    descriptor = os.open(f"/proc/{entry}/stat", os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def kill(leader: int, before: dict[int, list[bytes]] | None = None) -> None:
    """Kill a process, its group and all their offspring; first all of them are stopped, so that none forks away.

    before: an earlier answer of `families`. What is in it and still runs is killed, too, although its parent has ended.
    """
    known, stopped = before or {}, set[int]()
    while True:
        found = families([leader, *known])
        same = [each for each in known if each in found[each] and found[each][each][_BEGUN] == known[each][_BEGUN]]
        more = {number for each in (leader, *same) for number in found[each]} - stopped
        if not more:
            break
        for number in more:
            with suppress(OSError):
                os.kill(number, signal.SIGSTOP)
        stopped |= more
    for number in stopped:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    with suppress(OSError):
        os.killpg(leader, signal.SIGKILL)


def read(descriptor: int) -> dict[str, str]:
    """Return the variables that wait behind a descriptor, and close it."""
    with open(descriptor, "rb") as file:
        words = [os.fsdecode(word) for word in file.read().split(b"\0")]
    return dict(zip(words[::2], words[1::2], strict=False))


def confine(memory: int) -> None:
    """Set limits that no child can raise: bytes of data a process, of a file, and no core dumps."""
    kinds = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE_BYTES, resource.RLIMIT_DATA: memory}
    for kind, most in kinds.items():
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    main()
