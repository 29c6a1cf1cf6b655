"""Ctrl-C during compiled code, and in worker processes, which ignore it."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Collection, Generator
from contextlib import contextmanager, suppress

HEARD = {signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])}
"""Signals that end a run; `arena.cli` converts the last two to KeyboardInterrupt, as for Ctrl-C."""


@contextmanager
def stoppable(agents: Collection[object]) -> Generator[None]:
    """Stop the agents' searches at Ctrl-C, so that KeyboardInterrupt need not wait for the end of compiled code.

    Agents run in the main thread, which a user's agent may need; in other threads this does nothing. `agents` may grow.
    What hears signals outside of the block, such as an event loop, hears those within it, too.
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
            if before >= 0:
                with suppress(OSError):  # it is full, or closed
                    os.write(before, heard)

    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, daemon=True)
    try:
        listener.start()
        yield
    finally:
        signal.set_wakeup_fd(before)
        theirs.close()
        if listener.is_alive():
            listener.join()
        ours.close()


def stop(agent: object) -> bool:
    """Stop the search of an agent or solver, and return whether it can be stopped."""
    method = getattr(agent, "stop", None)
    if method is None:
        return False
    with suppress(Exception):  # a user's method of that name may be anything
        method()
    return True


@contextmanager
def block_sigint() -> Generator[None]:
    """Delay Ctrl-C to the end of the block. Processes started in the block ignore it for good."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started later, with the first process, it would unblock Ctrl-C
    heard: list[int] = []  # signals that other threads, such as a library's, receive: the mask is this thread's
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
