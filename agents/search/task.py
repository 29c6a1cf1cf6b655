"""What a search is asked for: its flags, the board, the depth, and where in memory it works."""

from __future__ import annotations

from typing import NamedTuple

PRUNE, SORT, NORMAL_WIN, BATCH = 1, 2, 4, 8
"""Flags: cut off, else plain minimax; sort by the score function; value a finished game as WIN - n or 0, else by the
heuristic; value all leaves of a node at once, else one by one."""
KILLERS, HISTORY, PVS = 16, 32, 64
"""Flags that only a kernel with options obeys, and only with PRUNE: see `agents.search.options`."""

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
    """See `agents.search.pv`; a row is one longer than the depth."""
    table: int
    """See `agents.search.transpositions`."""
    table_words: int
    """0 where there is no table."""
