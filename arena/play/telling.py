"""Telling those who look at a run what is being played, now and then and from a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agents.board import moves_text
from agents.rules import Rules
from arena.play.hand import Hand
from arena.store import now

PAUSE = 0.5
"""Seconds between two looks at the games; a run that is over by then never writes."""


@contextmanager
def telling(run: Path, names: Sequence[str], rules: Rules, in_hand: Callable[[], list[Hand]]) -> Generator[None]:
    """Keep the file beside a run's own that says what is being played, and remove it at the end."""
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(PAUSE):
            now.write(run, [playing(hand, names, rules) for hand in in_hand()])

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        now.end(run)


def playing(hand: Hand, names: Sequence[str], rules: Rules) -> now.Playing:
    """Return a game as those who look at it read it."""
    moves = moves_text(hand.moves, rules)
    return now.Playing(names[hand.job.first], names[hand.job.second], moves, round(hand.seconds, 1))
