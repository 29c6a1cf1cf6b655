"""All columns of a board at once in vectors, or one after the other in words where kernels run as plain Python.

A kernel loops over `range(0, lanes_of(columns), STEP)`; what it makes of `columns_from(start)` is a vector or a word.
"""

from __future__ import annotations

from agents.jit.compiler import JIT, jit
from agents.jit.lanes import LANES, load_lanes, numbered, save_lanes
from agents.jit.words import load, save

STEP = LANES if JIT else 1
"""Columns worked on at once."""


def lanes_of(columns: int) -> int:
    """Return the number of columns rounded up to whole vectors."""
    return -(-columns // LANES) * LANES


@jit(inline=True)
def column_from(start: int) -> int:
    """Return the column itself."""
    return start


columns_from = numbered if JIT else column_from
get, put = (load_lanes, save_lanes) if JIT else (load, save)
