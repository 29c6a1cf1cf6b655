"""The parameters of a search: flags, board, depth, addresses of its memory, and the words that limit and stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

PRUNE, SORT, NORMAL_WIN, BATCH = 1, 2, 4, 8
"""Flags. PRUNE: cut off (else plain minimax). SORT: sort moves by the ordering's score. NORMAL_WIN: a finished game is
worth WIN - n or 0 (else the heuristic's value). BATCH: evaluate all leaves of a node at once (else one by one)."""
KILLERS, HISTORY, PVS = 16, 32, 64
"""Flags of the kernel with enhancements, used together with PRUNE; see `agents.search.enhancements`."""

INFINITY = 1 << 40
"""Above every value."""
OPEN, STOPPED = 1 << 41, 1 << 42
"""Returned instead of a node's value: the node is not searched yet; the search was stopped."""


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
    """One search; `control`, `stack`, `pv` and `table` are addresses."""

    depth: int
    """Plies."""
    flags: int
    budget: int
    """Nodes."""
    control: int
    stack: int
    """See `agents.search.frame`."""
    pv: int
    """See `agents.search.frame`; a row has depth + 1 words."""
    table: int
    """See `agents.search.transpositions`."""
    table_words: int
    table_depth: int
    """The depth, or 0 without a table: nodes at plies below `table_depth` - 1 are in the table."""


STOP, BUDGET, NODES = 0, 1, 2
"""The control words, shared with the caller: non-zero stops the search; the most nodes to visit; the nodes visited."""
CONTROL_WORDS = 3
COUNTING_WORDS = 64
"""Further words for searches that count, enough for any board; see `agents.search.counting`."""
ENHANCEMENT_WORDS = 256
"""Further words, behind those, for searches with enhancements; see `agents.search.enhancements`."""
UNLIMITED = 1 << 62
"""A budget that no search uses up."""
ABORTED = -1
"""The column that an interrupted search returns."""


@contextmanager
def deadline(seconds: float | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` after so many seconds unless the block ends earlier; None sets no deadline."""
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
        timer.join()  # a late call would stop the next search
