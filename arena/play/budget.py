"""Where a run stops before its end: after some time, or after a number of games."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from arena.store.records import Job


class Budget:
    """What may be spent. Around a block it ends that in time: by KeyboardInterrupt in the main thread, as Ctrl-C does.

    In other threads nothing is raised, and `spent` is to be asked.
    """

    def __init__(self, seconds: float | None = None, games: int | None = None) -> None:
        self.games = games
        self.spent = threading.Event()
        """Whether the time is over."""
        self.whole = False
        """Whether `within` has come to the end of all stages."""
        self._timer = None if seconds is None else threading.Timer(seconds, self._ring, (threading.current_thread(),))

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._heard = _hear()
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Return whether it was the budget that ended the block."""
        if self._timer is None:
            return False
        self._timer.cancel()
        with suppress(KeyboardInterrupt):  # it rang while the block ended
            self._timer.join()
        if self._heard is not None:
            signal.signal(signal.SIGINT, self._heard)
        return kind is KeyboardInterrupt and self.spent.is_set()

    def within(self, stages: Iterable[Iterable[Job]], played: Mapping[str, object]) -> Iterator[list[Job]]:
        """Yield what is not played of each stage, as many games as may be; `played` has the games' keys, and grows.

        The next stage is asked for when all games of the one before are played.
        """
        left = self.games
        for stage in stages:
            missing = [job for job in stage if job.key not in played]
            yield missing[:left]
            if left is not None:
                left -= len(missing)
                if left < 0:
                    return
        self.whole = True

    def _ring(self, thread: threading.Thread) -> None:
        self.spent.set()
        if thread is threading.main_thread():
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(thread.ident or 0, signal.SIGINT)
            else:  # Windows
                signal.raise_signal(signal.SIGINT)


def _hear() -> signal.Handlers | None:
    """Hear SIGINT where it is ignored, as by what a script runs behind itself, and return what was done with it."""
    ours = threading.current_thread() is threading.main_thread()
    if ours and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return signal.SIG_IGN
    return None
