"""The book of 12 plies: exact scores from the package `bitbully-databases` (Markus Thill, MIT license).

Its file has five bytes for each position of 12 plies on the standard board, except wins at once; a position and its
mirror image count as one. The first four bytes are the code, a signed number with the highest byte first, by which the
positions are sorted. The last is 100 - n for a win of the side to move in n plies, n - 100 for a loss, 0 for a draw.
The bits of a code are, column by column and each from below, 10 for a disc of the first player, 11 for one of the
second, and 0 for the end of the column; a last 0 fills up the 32 bits.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from agents.errors import InputError
from agents.rules import STANDARD, mirrored
from agents.solver.book import Book, shipped_book

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLIES = 12
CELLS = STANDARD.columns * STANDARD.rows
HEIGHT = STANDARD.rows + 1
COLUMNS = {
    (sum(1 << row for row, side in enumerate(discs) if not side), sum(side << row for row, side in enumerate(discs))): (
        "".join("11" if side else "10" for side in discs) + "0"
    )
    for filled in range(STANDARD.rows + 1)
    for discs in itertools.product((0, 1), repeat=filled)
}
"""The bits of a column, by its discs of the side to move and of the other."""


@dataclass(frozen=True, slots=True)
class DeepBook:
    """The scores of all positions of up to 12 plies that are not over, for the side to move."""

    codes: NDArray[np.int32]
    """Sorted."""
    scores: NDArray[np.int8]
    """The solver's scores, one for each code."""
    early: Book
    """The book of the first plies."""
    kind = "scores"

    def lookup(self, own: int, opp: int) -> int | None:
        """Return the score, or None beyond 12 plies. The game must not be over."""
        ply = (own | opp).bit_count()
        if ply > PLIES:
            return None
        return self.early.lookup(own, opp) if ply <= self.early.plies else _backed_up(self, own, opp)

    def stored(self, own: int, opp: int) -> int | None:
        """Return the score of a position of 12 plies, or None if it is not stored."""
        for discs in ((own, opp), (mirrored(own, 7, 6), mirrored(opp, 7, 6))):
            code = code_of(*discs)
            place = int(self.codes.searchsorted(code))
            if place < len(self.codes) and self.codes[place] == code:
                return int(self.scores[place])
        return None

    def __hash__(self) -> int:
        """Return a hash of the object's identity."""
        return id(self)

    def __eq__(self, other: object) -> bool:
        """Return whether it is the same object."""
        return self is other


@functools.lru_cache(maxsize=1 << 16)
def _backed_up(book: DeepBook, own: int, opp: int) -> int:
    """Return the score of a position, computed from stored scores."""
    taken = own | opp
    ply = taken.bit_count()
    known = book.stored(own, opp) if ply == PLIES else None
    if known is not None:
        return known
    moves = [disc for cells in STANDARD.columns_of_cells if (disc := (taken + STANDARD.bottom) & cells)]
    if any(STANDARD.line(own | disc) for disc in moves):
        return (CELLS + 1 - ply) // 2
    return max(-_backed_up(book, opp, own | disc) for disc in moves)


def code_of(own: int, opp: int) -> np.int32:
    """Return the code of a position of 12 plies; `own` are the discs of the first player."""
    shifts = range(0, STANDARD.columns * HEIGHT, HEIGHT)
    bits = "".join(COLUMNS[own >> shift & (1 << HEIGHT) - 1, opp >> shift & (1 << HEIGHT) - 1] for shift in shifts)
    return np.uint32(int(bits + "0", 2)).astype(np.int32)


def position_of(code: int) -> tuple[int, int]:
    """Return the discs of a code: those of the first player, which is to move, and those of the second."""
    bits, discs, column, row = iter(f"{code & (1 << 32) - 1:032b}"), [0, 0], 0, 0
    while column < STANDARD.columns:
        if next(bits) == "0":
            column, row = column + 1, 0
        else:
            discs[int(next(bits))] |= 1 << column * HEIGHT + row
            row += 1
    return discs[0], discs[1]


@functools.cache
def deep_book() -> DeepBook:
    """Return the book. Raises InputError if the package is not installed."""
    try:
        file = resources.files("bitbully_databases") / "assets" / "book_12ply_distances.dat"
        entries = np.frombuffer(file.read_bytes(), [("code", ">i4"), ("value", "i1")])
    except (ImportError, OSError, ValueError):
        raise InputError(
            "the book of 12 plies is in bitbully-databases, which is not installed: pip install 'connect4-arena[book]'"
        ) from None
    values, early = entries["value"].astype(np.int16), shipped_book()
    assert early is not None
    # If the game ends with the n-th ply from here, the score is (44 - 12 - n) // 2.
    scores = np.sign(values) * ((CELLS + 2 - PLIES - (100 - np.abs(values))) // 2)
    return DeepBook(entries["code"].astype(np.int32), scores.astype(np.int8), early)
