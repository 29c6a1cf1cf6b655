"""The first steps of an agent's process: limits, a guard, and then the program itself.

A bare interpreter runs this file (`python -I -S launch.py GUARD MEGABYTES MARK FOLDER VARIABLES COMMAND…`), as leader
of a session and a process group. The file imports nothing of this package. It starts in the root folder with the
arena's environment, so that the agent's files and variables do not affect it. MARK is a word that the environment of
the program holds as the variable CONNECT4_ARENA_PROCESS; it is empty where a sandbox holds what the program starts.
VARIABLES is a descriptor with the agent's variables, names and values in turn, each ended by a NUL; or `-` where a
sandbox sets them.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from contextlib import suppress

FILE_BYTES = 16 << 20
OPEN_FILES = 64
"""Descriptors of a process in a sandbox."""
CANNOT_START = 127
MARK = "CONNECT4_ARENA_PROCESS"
_SECONDS_TO_DIE = 1.0


def main() -> None:
    """Confine this process and become the program."""
    guard, megabytes, mark, folder, variables, *command = sys.argv[1:]
    sandbox = variables == "-"
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch(int(guard), mark)
    confine(int(megabytes) << 20, sandbox=sandbox)
    environment = os.environ if sandbox else os.environ | read_variables(int(variables))
    try:
        os.chdir(folder)
        os.execvpe(command[0], command, environment)  # noqa: S606  the purpose of this file
    except OSError as error:
        sys.stderr.write(f"{error.filename or command[0]}: {error.strerror}\n")
        os._exit(CANNOT_START)


def watch(guard: int, mark: str) -> None:
    """Start a guard process that kills this process and what it starts when the other end of the pipe closes.

    A byte on the pipe ends the guard. The guard is an orphan, so that the program can wait for its own children.
    """
    group = os.getpid()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, guard)
            os.closerange(guard + 1, 4096)
            if not os.read(guard, 1):
                kill(group, mark)
        os._exit(0)
    os.wait()
    os.close(guard)


def kill(group: int, mark: str) -> None:
    """Kill a process group, and all processes that carry a mark, whatever group they are in, until there is none.

    Only Linux tells the environments of processes. An empty mark stands for none.
    """
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    variable, until = f"{MARK}={mark}".encode(), time.monotonic() + _SECONDS_TO_DIE
    marked = bool(mark) and os.path.exists("/proc/self/environ")  # noqa: PTH110  no pathlib here
    while marked and time.monotonic() < until:
        marked = False
        for entry in os.listdir("/proc"):  # noqa: PTH208  likewise
            with suppress(OSError, ValueError):  # it is another user's, or has ended, or is no process
                if variable in _read(f"/proc/{int(entry)}/environ").split(b"\0"):
                    os.kill(int(entry), signal.SIGKILL)
                    marked = True


def _read(path: str) -> bytes:
    """Return what a file of /proc holds; use os.open, because `open` is gone while the interpreter shuts down."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        content = os.read(descriptor, 1 << 16)
        while content and (more := os.read(descriptor, 1 << 16)):
            content += more
        return content
    finally:
        os.close(descriptor)


def read_variables(descriptor: int) -> dict[str, str]:
    """Read the variables from a descriptor, and close it."""
    with open(descriptor, "rb") as file:
        words = [os.fsdecode(word) for word in file.read().split(b"\0")]
    return dict(zip(words[::2], words[1::2], strict=False))


def confine(memory: int, *, sandbox: bool) -> None:
    """Set limits that no child can raise: bytes of data of a process, bytes of a file, no core dumps.

    In a sandbox also the number of open files; and where the system runs out of memory, it ends the sandbox first.
    """
    most = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE_BYTES, resource.RLIMIT_DATA: memory}
    if sandbox:
        most[resource.RLIMIT_NOFILE] = OPEN_FILES
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123  no pathlib here
            score.write("1000")
    for kind, limit in most.items():
        hard = resource.getrlimit(kind)[1]
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    main()
