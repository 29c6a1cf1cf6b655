"""Signals that end a command: SIGTERM and SIGHUP end it as Ctrl-C does, with exit codes of their own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def as_ctrl_c() -> Generator[list[int]]:
    """Raise KeyboardInterrupt at each of them, and hold those heard; one that was ignored at the start stays so.

    The last is sent to all programs of a terminal that closes, and nohup ignores it.
    """
    heard: list[int] = []

    def end(number: int, _: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, end) for number in wanted}
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
