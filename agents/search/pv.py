"""The principal variation in a triangular table: row p holds the line from ply p on, at the places from p, up to -1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.jit.compiler import jit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@jit(inline=True)
def cut_off(pv: NDArray[np.int64], width: int, p: int) -> None:
    """Let the line of ply p be empty; `width` is the length of a row."""
    pv[p * width + p] = -1


@jit(inline=True)
def extend(pv: NDArray[np.int64], width: int, p: int, column: int) -> None:
    """Let the line of ply p be this column and then the line of ply p + 1."""
    place = p * width + p
    pv[place] = column
    while pv[place] >= 0:
        place += 1
        pv[place] = pv[place + width]
