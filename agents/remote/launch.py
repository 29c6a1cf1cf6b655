"""The first steps of a remote agent's process: limits, a guard, and then the program itself.

A bare interpreter runs this file (`python -I -S launch.py GUARD MEGABYTES GROUPS FOLDER VARIABLES COMMAND…`), as the
leader of a session and a process group. The file imports nothing of this package. It starts in the root folder with
the arena's environment, so that the agent's files and variables do not affect it. GROUPS are the folders of the control
group, separated by colons. VARIABLES is a descriptor with the agent's variables, names and values in turn, each ended
by a NUL; or `-` where a sandbox sets them.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

FILE_BYTES = 16 << 20
CANNOT_START = 127
MARK = "CONNECT4_ARENA_PROCESS"
"""The variable by which a guard knows the offspring of a program outside a sandbox, whatever session it is in."""


def main() -> None:
    """Confine this process and become the program."""
    guard, megabytes, together, folder, variables, *command = sys.argv[1:]
    groups = [each for each in together.split(":") if each]
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    mark = os.urandom(8).hex()
    watch(int(guard), groups, mark)
    join(groups)
    adopt()
    confine(int(megabytes) << 20)
    own = {} if variables == "-" else read_variables(int(variables)) | {MARK: mark}
    try:
        os.chdir(folder)
        os.execvpe(command[0], command, os.environ | own)  # noqa: S606  the purpose of this file
    except OSError as error:
        sys.stderr.write(f"{error.filename or command[0]}: {error.strerror}\n")
        os._exit(CANNOT_START)


def watch(guard: int, groups: list[str], mark: str) -> None:
    """Start a guard process that kills this process and its offspring when the other end of the pipe closes.

    A byte on the pipe ends the guard. The guard is an orphan, so that the program can wait for its own children.
    Without control groups it notes the offspring every second: a program may end first, when its input closes, and
    what left its session is then nobody's child. What began since then still carries the mark in its environment.
    """
    group = os.getpid()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, guard)
            os.closerange(guard + 1, 4096)
            offspring: dict[int, list[bytes]] = {}
            while not groups and not select.select([guard], [], [], _SECONDS_TO_LOOK)[0]:
                offspring = families([group])[group] or offspring
            if not os.read(guard, 1):
                kill(group, offspring)
                kill_marked(mark)
                finish(groups)
        os._exit(0)
    os.wait()
    os.close(guard)


def join(groups: Iterable[str]) -> None:
    """Enter control groups; later child processes are in them, too. Where the kernel refuses, the watchdog counts."""
    for folder in groups:
        # `tasks`, of version 1, moves one thread at once; moving a process may take tens of milliseconds.
        for file in ("tasks", "cgroup.procs"):
            with suppress(OSError), open(f"{folder}/{file}", "w") as members:  # noqa: PTH123  no pathlib here
                members.write("0")
                break


def finish(groups: Iterable[str]) -> None:
    """Kill the processes of control groups, remove the groups, and remove the parent groups that become empty."""
    for folder in groups:
        for file, word in (("pids.max", "0"), ("cgroup.kill", "1")):  # stop forks; then kill all, in version 2
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
    """Try to remove a control group; return whether it is gone."""
    try:
        os.rmdir(folder)  # noqa: PTH106  no pathlib here
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


_SECONDS_TO_DIE, _SECONDS_TO_LOOK = 1.0, 1.0


def adopt() -> None:
    """Make orphans among the program's offspring its own children, so that they are counted and killed with it.

    Otherwise a process that leaves the group (`setsid`, `setpgid`) would escape when its parent ends.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


_PR_SET_CHILD_SUBREAPER = 36
_BEGUN = 19
"""The field with the start time of a process: ids are used again, id and start time together are unique."""


def families(leaders: Iterable[int]) -> dict[int, dict[int, list[bytes]]]:
    """Return, for each leader, the processes of its group and all their offspring: the fields of /proc/ID/stat, by id.

    The first field is the state. Without /proc (only Linux has it) the processes are empty.
    """
    known: dict[int, list[bytes]] = {}
    children: dict[int, list[int]] = {}
    groups: dict[int, list[int]] = {}
    with suppress(FileNotFoundError):
        for entry in os.listdir("/proc"):  # noqa: PTH208  half the time of iterdir
            if entry.isdigit():
                with suppress(OSError, IndexError):  # the process has ended meanwhile
                    fields = stat_line(entry).rpartition(b")")[2].split()
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
    """Return the start time of a process in ticks since the system started. Raises OSError if it has ended."""
    return int(stat_line(str(process)).rpartition(b")")[2].split()[_BEGUN])


def stat_line(entry: str) -> bytes:
    """Return the line of /proc/ID/stat; use os.open, because `open` is gone while the interpreter shuts down."""
    descriptor = os.open(f"/proc/{entry}/stat", os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def kill(leader: int, before: dict[int, list[bytes]] | None = None) -> None:
    """Stop a process, its group and all their offspring, so that none can fork; then kill them.

    before: an earlier result of `families`. Its processes that still run are killed even if their parent has ended.
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


def kill_marked(mark: str) -> None:
    """Kill the processes that carry a mark in their environment, until there is none. Only Linux tells environments."""
    variable, until = f"{MARK}={mark}".encode(), time.monotonic() + _SECONDS_TO_DIE
    survivors = True
    while survivors and time.monotonic() < until:
        survivors = False
        with suppress(FileNotFoundError):
            for entry in os.listdir("/proc"):  # noqa: PTH208  half the time of iterdir
                with suppress(OSError, ValueError):  # it is another user's, or has ended, or is no process
                    with open(f"/proc/{int(entry)}/environ", "rb") as file:  # noqa: PTH123  no pathlib here
                        marked = variable in file.read().split(b"\0")
                    if marked:
                        os.kill(int(entry), signal.SIGKILL)
                        survivors = True
        time.sleep(0.001)


def read_variables(descriptor: int) -> dict[str, str]:
    """Read the variables from a descriptor, and close it."""
    with open(descriptor, "rb") as file:
        words = [os.fsdecode(word) for word in file.read().split(b"\0")]
    return dict(zip(words[::2], words[1::2], strict=False))


def confine(memory: int) -> None:
    """Set limits that no child can raise: the bytes of data of each process, the bytes of a file, no core dumps."""
    kinds = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE_BYTES, resource.RLIMIT_DATA: memory}
    for kind, most in kinds.items():
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    main()
