"""Signals that end a command: SIGTERM and SIGHUP end it as Ctrl-C does, with exit codes of their own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_SOON = 0.02
"""Seconds until a lost signal comes again."""


@contextmanager
def as_ctrl_c() -> Generator[list[int]]:
    """Raise KeyboardInterrupt at each of them, and hold those heard; one that was ignored at the start stays so.

    The last is sent to all programs of a terminal that closes, and nohup ignores it. What C swallows that called back,
    as LLVM does while it compiles, is raised once more. After one of them nothing else is told that nobody can catch:
    it may have come while a kernel was freed, which cannot be freed again.
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
