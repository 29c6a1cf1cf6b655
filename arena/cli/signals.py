"""Signals that end a command: SIGTERM and SIGHUP end it like Ctrl-C, with other exit codes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_SOON = 0.02
"""Seconds until a lost signal is sent again."""


@contextmanager
def as_ctrl_c() -> Generator[list[int]]:
    """Raise KeyboardInterrupt at each signal, and yield the list of signals received; ignored signals stay ignored.

    A closing terminal sends SIGHUP to its programs; nohup ignores it. If a C library swallows the exception in a
    callback, as LLVM does while it compiles, the signal is sent again. After a signal, no uncatchable errors are
    reported: the signal may have interrupted the release of a kernel, which cannot be released again.
    """
    heard: list[int] = []

    def end(number: int, _: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    def again() -> None:
        if signal.getsignal(heard[-1]) is end:
            os.kill(os.getpid(), heard[-1])

    def swallowed(lost: sys.UnraisableHookArgs) -> None:
        if not heard:
            hook(lost)
        elif issubclass(lost.exc_type, KeyboardInterrupt):
            threading.Timer(_SOON, again).start()

    hook, sys.unraisablehook = sys.unraisablehook, swallowed
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, end) for number in wanted}
    try:
        yield heard
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
