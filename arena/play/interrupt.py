"""Waiting for a search without losing the keyboard."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")


def interruptible(agent: object, work: Callable[[], T]) -> T:
    """Return what `work` returns. Ctrl-C, unheard by compiled code, stops the agent or solver and is raised."""
    result: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # noqa: BLE001  it is raised below
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.2)
    except KeyboardInterrupt:
        if stop(agent):
            thread.join(1.0)
        raise
    if errors:
        raise errors[0]
    return result[0]


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
            if heard[0] == signal.SIGINT:
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
