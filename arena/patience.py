"""Waiting for a search without losing the keyboard."""

from __future__ import annotations

import threading
from collections.abc import Callable
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
        stop = getattr(agent, "stop", None)
        if stop is not None:
            stop()
            thread.join(1.0)
        raise
    if errors:
        raise errors[0]
    return result[0]
