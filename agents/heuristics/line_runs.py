"""`line-runs`: reads every row, column and diagonal once, in chunks that do not overlap.

A line is read from its left or lower end. The next `connect` cells in a row without a disc of the other side make a
chunk, worth 1, 11, 111, ... for one, two, three discs in it. Reading continues behind the chunk; cells left over at the
end are worth nothing.

Source: the text of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012; `line_runs_published` computes what
their program computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.windows import bounded, holding, number_of_windows, subset_weights, window_counts
from agents.errors import InputError
from agents.jit.compiler import jit
from agents.jit.vectors import popcount

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import Evaluate

LONGEST = 7
"""With eight in a row, a chunk of seven discs would be worth more than a win."""


def make(rules: Rules) -> Evaluate:
    """Return the heuristic for this board size. Raises InputError if a chunk could be worth more than a win."""
    columns, rows, connect = rules.columns, rules.rows, rules.connect
    if connect > LONGEST:
        raise InputError(f"it outgrows a win with {connect} in a row; {LONGEST} is the limit")
    cells = rules.cells
    chunks_up, chunks_right, chunks_across = rows // connect, columns // connect, min(columns, rows) // connect
    worth = [(10**discs - 1) // 9 for discs in range(connect + 1)]
    weights = subset_weights(worth)

    def evaluate(own: int, opp: int) -> int:
        return (
            _along(own, opp, cells, 1, connect, chunks_up, weights)
            + _along(own, opp, cells, rows + 1, connect, chunks_right, weights)
            + _along(own, opp, cells, rows + 2, connect, chunks_across, weights)
            + _along(own, opp, cells, rows, connect, chunks_across, weights)
        )

    return bounded(evaluate, number_of_windows(rules) * worth[-1])


@jit(inline=True)
def _along(own: int, opp: int, cells: int, stride: int, connect: int, chunks: int, weights: tuple[int, ...]) -> int:
    if chunks == 0:
        return 0
    mine = window_counts(own, stride, connect)
    theirs = window_counts(opp, stride, connect)
    my_chunks = chunk_starts(cells & ~opp, stride, connect, chunks)
    their_chunks = chunk_starts(cells & ~own, stride, connect, chunks)
    total = 0
    for number in range(1, connect + 1):
        count = popcount(my_chunks & holding(mine, number))
        total += weights[number] * (count - popcount(their_chunks & holding(theirs, number)))
    return total


@jit(inline=True)
def chunk_starts(free: int, stride: int, connect: int, chunks: int) -> int:
    """Return the first cells of the chunks of `free` cells, in lines of at most `chunks` chunks.

    free: the cells without a disc of the other side. stride: the step along a line. connect: the cells of a chunk.
    """
    room = free
    for step in range(1, connect):
        room &= free >> step * stride
    starts = room & ~(free << stride)
    for _ in range(1, chunks):
        starts |= starts << connect * stride & room
    return starts
