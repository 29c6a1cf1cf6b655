"""The first steps of a remote agent's process: limits, a guard, and then the program itself.

A bare interpreter runs it by its path (`python -I -S launch.py GUARD MEGABYTES FOLDER VARIABLES COMMAND…`), as the
leader of a session and a process group. It imports nothing of this package. Its folder is the root and its environment
is the arena's, so that nothing of the agent's acts on it. VARIABLES is a descriptor with the
agent's own variables, NAME and value by turns, each ended by a NUL; or `-` where a sandbox sets them.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress

FILE_BYTES = 16 << 20
CANNOT_START = 127


def main() -> None:
    """Confine this process and become the program."""
    guard, megabytes, folder, variables, *command = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch(int(guard))
    confine(int(megabytes) << 20)
    own = {} if variables == "-" else read(int(variables))
    try:
        os.chdir(folder)
        os.execvpe(command[0], command, os.environ | own)  # noqa: S606  that is its task
    except OSError as error:
        sys.stderr.write(f"{error.filename or command[0]}: {error.strerror}\n")
        os._exit(CANNOT_START)


def watch(guard: int) -> None:
    """Leave a process behind that kills this group when the other end of the pipe is closed.

    A byte on the pipe dismisses it. It is an orphan, so that the program may wait for its own children.
    """
    group = os.getpid()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, guard)
            os.closerange(guard + 1, 4096)
            if not os.read(guard, 1):
                with suppress(OSError):
                    os.killpg(group, signal.SIGKILL)
        os._exit(0)
    os.wait()
    os.close(guard)


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
