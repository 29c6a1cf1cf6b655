"""What a search shares with the thread that started it: flags, limits, and the words of its memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.int64]

PRUNE, SORT, TERMINAL_SCORES = 1, 2, 4
"""Flags. PRUNE: cut off (else plain minimax). SORT: sort moves by the ordering's score. TERMINAL_SCORES: a finished
game is worth WIN - n or 0 (else the heuristic's value)."""
KILLERS, HISTORY, PVS, LMR = 8, 16, 32, 64
"""Flags used together with PRUNE; see `agents.search.negamax`."""
COUNT = 128
"""Flag: count nodes by their kind, see `agents.search.counting`."""

INFINITY = 1 << 40
"""Above every value."""
STOPPED = 1 << 42
"""Returned in place of a value by a search that was stopped or has used up its budget."""
ABORTED = -1
"""The column that an interrupted search returns."""
UNLIMITED = 1 << 62
"""A budget that no search uses up."""
MAX_DEPTH = 64
"""Plies: no game on a board of one word is longer."""
MOST_COLUMNS = 32
"""On a board of one word with at least one row and the empty one above it."""


class BoardConstants(NamedTuple):
    """The board: constants of a compiled search."""

    columns: int
    rows: int
    connect: int
    """The length of a line that ends the game; 0 for none."""
    bottom: int
    """The lowest cell of every column."""
    cells: int
    lanes: int
    """The columns, rounded up to whole vectors."""


# The memory of a search is one array of words. The first three are shared with the caller, which sets a budget and
# reads the nodes; another thread may stop the search. All words up to FLAGS are cleared before each move.

STOP, BUDGET, NODES = 0, 1, 2
"""Non-zero stops the search; the most nodes to visit; the nodes visited."""
CONTROL_WORDS = 3
COUNTS = CONTROL_WORDS
"""Counts of nodes by their kind, see `agents.search.counting`."""
HISTORY_SCORES = COUNTS + 64
"""A score for each cell and each side."""
KILLER_CELLS = HISTORY_SCORES + 2 * 64
"""Two cells for each ply, each stored as its number plus 1."""
FLAGS = KILLER_CELLS + 2 * MAX_DEPTH
EVALUATE, SORT_MOVES, TABLE_WORDS = FLAGS + 1, FLAGS + 2, FLAGS + 3
"""The addresses of the heuristic and of the ordering, see `agents.jit.compiler.function_at`; the table's length."""
HASH_MOVE = FLAGS + 4
"""For each ply the column to try first, or -1; a node leaves its best move there."""
SCRATCH = HASH_MOVE + MAX_DEPTH + 1
"""Three words for each lane, to hold the values of a node's children and to sort its moves."""
MOVES = SCRATCH + 3 * MOST_COLUMNS
"""For each ply the columns in the order to try them; a fixed order is only in the first row."""
PV = MOVES + MOST_COLUMNS * MAX_DEPTH
"""For each ply the line from there on, ended by -1; the first is the principal variation:

    3  2  3 -1      the root's move, and the content of the next row when the move was found
    2  4 -1         the line of the last reply searched
    4 -1
"""
PV_WORDS = MAX_DEPTH + 2
TABLE = PV + PV_WORDS * (MAX_DEPTH + 1)
"""The transposition table, see `agents.search.transpositions`."""
TABLE += TABLE % 2  # entries of two words begin at even places, so that each is on one cache line


def new_memory(order: Sequence[int], flags: int, table_words: int = 0) -> Words:
    """Return the memory of a search that tries columns in this order."""
    import numpy as np

    memory = np.zeros(TABLE + table_words, np.int64)
    memory[MOVES : MOVES + len(order)] = order
    memory[PV:TABLE] = -1
    memory[FLAGS], memory[TABLE_WORDS], memory[BUDGET] = flags, table_words, UNLIMITED
    return memory


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
