"""The processes below an agent's process, and their stop between its moves.

What a sandbox leaves running does not think on the opponent's time. The leader is bubblewrap and does not stop; what an
agent starts cannot leave its sandbox.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

PATIENCE = 0.05
"""Seconds after which a process that does not stop, because it waits for a device, is left to stop by itself."""
LONGEST = 1.0
"""Seconds after which new processes are no longer looked for."""


def pause(leader: int) -> list[int]:
    """Stop all processes below a leader, and return them.

    A process that is to stop cannot fork any more, but one that already ends can hand over its children unseen. So the
    work is done when two looks in a row see the same processes, all of them stopped or ended.
    """
    stopped: list[int] = []
    before: dict[int, bytes] = {}
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < LONGEST:
        states = {number: (stat(number) or [b""])[0] for number in offspring(leader)}
        for number in states.keys() - stopped:
            with suppress(OSError):  # it has ended meanwhile
                os.kill(number, signal.SIGSTOP)
            stopped.append(number)
        if states.keys() == before.keys() and (passed > PATIENCE or not {*states.values()} - {b"T", b"t", b"Z"}):
            break
        before = states
    return stopped


def resume(stopped: list[int]) -> None:
    """Let processes go on. Their ids are still theirs: a stopped process ends only where it is killed."""
    for number in stopped:
        with suppress(OSError):
            os.kill(number, signal.SIGCONT)


def offspring(leader: int) -> list[int]:
    """Return the processes below a leader, parents first; none where the system does not list children."""
    waiting, numbers = [leader], list[int]()
    while waiting:
        children = _children(waiting.pop())
        numbers += children
        waiting += children
    return numbers


def _children(process: int) -> list[int]:
    """Return the children of all threads of a process."""
    children: list[int] = []
    with suppress(OSError):  # it has ended meanwhile
        for thread in os.listdir(f"/proc/{process}/task"):  # noqa: PTH208  half the time of iterdir
            with suppress(OSError):  # so has a thread of it
                children += map(int, _read(f"/proc/{process}/task/{thread}/children").split())
    return children


def stat(process: int) -> list[bytes]:
    """Return the fields of /proc/ID/stat from the state on, or none where the process is gone."""
    with suppress(OSError):
        return _read(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return []


def _read(path: str) -> bytes:
    """Return the beginning of a file of /proc."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
