"""Stop a sandbox between its agent's moves, so that what it leaves running does not think on the opponent's time.

Only the processes below the leader stop, and the leader is bubblewrap: what an agent starts cannot leave its sandbox.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from agents.remote.launch import families, stat_line

PATIENCE = 0.05
"""Seconds after which a process that does not stop, because it waits for a device, is left to stop by itself."""


def pause(leader: int) -> list[int]:
    """Stop all processes below a leader, and return them.

    A process that is to stop cannot fork any more, but one that already ends can hand over its children unseen. So the
    work is done when two looks in a row see the same processes, all of them stopped or ended.
    """
    stopped: list[int] = []
    before: dict[int, bytes] = {}
    until = time.perf_counter() + PATIENCE
    while time.perf_counter() < until:
        states = {number: _state(number) for number in _below(leader)}
        for number in states.keys() - stopped:
            with suppress(OSError):  # it has ended meanwhile
                os.kill(number, signal.SIGSTOP)
            stopped.append(number)
        if states == before and not {*states.values()} - {b"T", b"t", b"Z"}:
            break
        before = states
    return stopped


def _state(process: int) -> bytes:
    """Return the letter of a process's state, empty where it is gone."""
    with suppress(OSError):
        return stat_line(str(process)).rpartition(b")")[2][1:2]
    return b""


def resume(stopped: list[int]) -> None:
    """Let processes go on. Their ids are still theirs: a stopped process ends only where it is killed."""
    for number in stopped:
        with suppress(OSError):
            os.kill(number, signal.SIGCONT)


def _below(leader: int) -> list[int]:
    """Return the offspring of a process, parents first."""
    waiting, offspring = [leader], list[int]()
    try:
        while waiting:
            children = _children(waiting.pop())
            offspring += children
            waiting += children
    except FileNotFoundError:  # a kernel without lists of children; `families` reads all of /proc, in milliseconds
        return [number for number in families([leader])[leader] if number != leader]
    return offspring


def _children(process: int) -> list[int]:
    """Return the children of all threads of a process. Raises FileNotFoundError where the kernel has no lists."""
    children: list[int] = []
    try:
        threads = os.listdir(f"/proc/{process}/task")  # noqa: PTH208  half the time of iterdir
    except OSError:
        return children
    for thread in threads:
        try:
            descriptor = os.open(f"/proc/{process}/task/{thread}/children", os.O_RDONLY)
        except OSError as error:
            if os.path.exists(f"/proc/{process}/task/{thread}"):  # noqa: PTH110  likewise
                raise FileNotFoundError(error.filename) from None
            continue
        try:
            children += map(int, os.read(descriptor, 1 << 16).split())
        except OSError:  # it has ended meanwhile
            pass
        finally:
            os.close(descriptor)
    return children
