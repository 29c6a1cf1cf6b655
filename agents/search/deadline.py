"""A deadline for a search that another thread can stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def deadline(seconds: float | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` after so many seconds, unless the block has ended by then; never where `seconds` is None."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(0.0, seconds), stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # or a stop that is under way would hit the next search
