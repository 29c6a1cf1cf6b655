"""Ctrl-C during compiled code, and processes that ignore it because they work for another process."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Collection, Generator
from contextlib import contextmanager, suppress

HEARD = {signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])}
"""Signals that end a run; the last two are raised as Ctrl-C is by `arena.cli`."""


@contextmanager
def stoppable(agents: Collection[object]) -> Generator[None]:
    """Stop the agents at Ctrl-C, which is raised as ever, but at once and not when their compiled code returns.

    They keep the main thread, which a user's agent may need; in other threads nothing is heard. `agents` may grow.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def listen() -> None:
        while heard := ours.recv(1):
            if heard[0] in HEARD:
                for agent in list(agents):
                    stop(agent)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        theirs.close()
        listener.join()
        ours.close()


def stop(agent: object) -> bool:
    """End the search that an agent or solver is doing, and tell whether it can be ended."""
    method = getattr(agent, "stop", None)
    if method is None:
        return False
    with suppress(Exception):  # a user's method of that name may be anything
        method()
    return True


@contextmanager
def deaf() -> Generator[None]:
    """Hold back Ctrl-C, which then comes late but is not lost. Processes started meanwhile are deaf to it for good."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it starts with the first process, and lets Ctrl-C through again
    heard: list[int] = []  # by another thread, such as one of a library, on which no mask lies
    ours = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if ours else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)
