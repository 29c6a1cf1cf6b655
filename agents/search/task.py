"""What a search is asked for: its flags, the board, the depth, and where in memory it works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

PRUNE, SORT, NORMAL_WIN, BATCH = 1, 2, 4, 8
"""Flags: cut off, else plain minimax; sort by the score function; value a finished game as WIN - n or 0, else by the
heuristic; value all leaves of a node at once, else one by one."""
KILLERS, HISTORY, PVS = 16, 32, 64
"""Flags that only a kernel with options obeys, and only with PRUNE: see `agents.search.enhancements`."""

INFINITY = 1 << 40
"""Beyond every value."""
OPEN, STOPPED = 1 << 41, 1 << 42
"""Stand for the value of a node that is still being searched, and of one whose search was broken off."""


class Shape(NamedTuple):
    """The board: constants of a compiled search."""

    columns: int
    rows: int
    connect: int
    bottom: int
    """The lowest cell of every column."""
    cells: int
    lanes: int
    """The columns, rounded up to whole vectors."""


class Task(NamedTuple):
    """One search. All but the numbers are places in memory."""

    depth: int
    """Plies."""
    flags: int
    budget: int
    """Nodes."""
    control: int
    stack: int
    """See `agents.search.frame`."""
    pv: int
    """See `agents.search.frame`; a row is one longer than the depth."""
    table: int
    """See `agents.search.transpositions`."""
    table_words: int
    """0 where there is no table."""


# How a search is limited and stopped while it runs: three words that it shares with whoever started it.

STOP, BUDGET, NODES = 0, 1, 2
"""Places in the control words: non-zero stops the search, the number of nodes it may visit, and those it visited."""
CONTROL_WORDS = 3
COUNTING_WORDS = 64
"""What comes behind them for the searches that count, see `agents.search.counting`: more than any board needs."""
ENHANCEMENT_WORDS = 256
"""What comes behind these for the searches with options, see `agents.search.enhancements`."""
UNLIMITED = 1 << 62
"""A budget that no search uses up."""
ABORTED = -1
"""The column that an interrupted search returns."""


# A deadline for a search that another thread can stop.


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
