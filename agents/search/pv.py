"""The principal variation in a triangular table: row p holds the line from ply p on, at the places from p, up to -1.

row 0   3  2  3 -1      the root's move, and the line that was row 1 when it was found
row 1      2  4 -1      the line of the reply that was searched last
row 2         4 -1
"""

from __future__ import annotations

from agents.jit.compiler import jit
from agents.jit.words import load, save


@jit(inline=True)
def cut_off(pv: int, width: int, p: int) -> None:
    """Empty the line of ply p; `pv` is the table's place in memory, `width` the length of a row."""
    save(pv, p * width + p, -1)


@jit(inline=True)
def extend(pv: int, width: int, p: int, column: int) -> None:
    """Make the line of ply p this column and then the line of ply p + 1."""
    place = p * width + p
    save(pv, place, column)
    while column >= 0:
        place += 1
        column = load(pv, place + width)
        save(pv, place, column)
