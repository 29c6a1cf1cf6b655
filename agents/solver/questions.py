"""From null-window searches to a score: questions until one answer is left."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.bits.bitboard import bottom_row, line_completers
from agents.jit.columns import lanes_of
from agents.jit.compiler import jit, popcount, word, words
from agents.jit.words import load, words_of
from agents.solver.claimeven import wild_rows
from agents.solver.control import START
from agents.solver.node import Shape, safe_moves
from agents.solver.search import STOPPED, search
from agents.solver.table import near_bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.int64]

SOON = (7, 1), (10, 6)
"""Moves of the winner within which a game may end soon, the last one included, and how far from a draw the score must
be that this asks for. Without the second pair positions of up to 13 plies that end in 16 to 19 more take eight times
the nodes."""
Solve = Callable[["Words", "Words", "Words", "Words", int, int, int, int, int], int]


@jit(inline=True)
def next_question(lowest: int, highest: int, left: int) -> int:
    """Return the next question: is the score above this? `left` cells are empty.

    Does the game end soon? If so, a deep search is spared; if not, to ask cost little. Else who wins, and from there on
    step by step, for questions near a draw are cheap.
    """
    for moves, nearest in SOON:
        win = (left + 1 >> 1) - moves
        if max(lowest, nearest - 1) < win < highest:
            return win
        loss = moves - 1 - (left >> 1)
        if lowest < loss < min(highest, 1 - nearest):
            return loss
    if lowest < 0 < highest:
        return 0
    return highest - 1 if highest <= 0 else lowest


@functools.cache
def build(columns: int, rows: int, connect: int) -> Solve:
    """Return the function that scores a position on one board.

    It takes the table, the stack, the control words and the crew's paths, the far table's bits, the discs of the side
    to move and of the other, and the lowest and the highest score of interest. The game must not be over. A score
    outside of these limits comes back as some value beyond the limit, on the same side of it or on it.
    """
    size = columns * rows
    bottom = bottom_row(columns, rows)
    cells = bottom * ((1 << rows) - 1)
    wild = wild_rows(columns, rows)
    lanes = lanes_of(columns)
    near = near_bits(columns * (rows + 1))

    @jit(word(words, words, words, words, word, word, word, word, word))
    def solve(
        table: Words,
        stack: Words,
        control: Words,
        paths: Words,
        far: int,
        own: int,
        opp: int,
        lowest: int,
        highest: int,
    ) -> int:
        shape = Shape(columns, rows, connect, bottom, wild, near, far, load(words_of(control), START), lanes)
        taken = own | opp
        ply = popcount(taken)
        playable = taken + bottom & cells
        if line_completers(own, rows, connect) & playable:
            return size + 1 - ply >> 1
        if playable == 0:
            return 0
        threats = line_completers(opp, rows, connect) & cells & ~taken
        moves = safe_moves(playable, threats)
        if moves == 0:
            return -(size - ply >> 1)
        lowest = max(lowest, -(size - ply >> 1))
        highest = min(highest, size - 1 - ply >> 1)
        while lowest < highest:
            question = next_question(lowest, highest, size - ply)
            value = search(
                words_of(table),
                words_of(stack),
                words_of(control),
                words_of(paths),
                own,
                opp,
                moves,
                threats,
                question,
                shape,
            )
            if value == STOPPED:
                return STOPPED
            if value > question:
                lowest = value
            else:
                highest = value
                lowest = min(lowest, highest)
        return lowest

    return solve
