"""Agents that think for long, named beside the progress bar."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.play.workers import LiveGame


LONG = 5.0
"""Seconds from which an agent is named."""


@contextmanager
def named(bar: Any, names: Sequence[str], live_games: Callable[[], list[LiveGame]]) -> Generator[None]:  # noqa: ANN401  a tqdm
    """Name beside the bar, once a second, the agents that think for longer than that."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(1.0):
            bar.set_postfix_str(", ".join(in_words(names, live_games(), LONG)), refresh=True)

    thread = threading.Thread(target=watch, daemon=True)
    if not bar.disable:
        thread.start()
    try:
        yield
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def in_words(names: Sequence[str], games: Sequence[LiveGame], least: float) -> list[str]:
    """Return a few words for each agent that has been thinking for at least so many seconds."""
    return [f"{names[game.mover]} thinks for {game.seconds:.0f} s" for game in games if game.seconds >= least]
