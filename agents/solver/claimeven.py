"""Zugzwang: what a player secures by answering every disc with a disc on top of it.

Let the side to move be the *mover*, the other the *follower*. In a column with an even number of empty cells the
follower can always answer on top: the mover then gets the 1st, 3rd, 5th empty cell from below, the follower the 2nd,
4th, 6th. A cell that wins for the follower *cuts* its column: the mover may not play right below it, and the follower
need not. What is left to be played below that may again be an even number of cells (the column is *paired*) or an odd
one (the column is *wild*, like one with an odd number of empty cells).

If the wild columns are even in number, it is never the follower who must break a pair: whenever the mover plays in a
wild column, another one is left for the answer. All that the mover can then reach are his discs, the 1st, 3rd, … cells
of paired columns and all cells of wild ones, up to the cuts. If that holds no line, the mover cannot win; and if there
is a cut, he is at last forced below it and loses. Nothing here needs a certain number of rows or cells in a line.

Following up ("claimeven") is from Victor Allis, "A Knowledge-based Approach of Connect-Four" (1988).
"""

from __future__ import annotations

from agents.bits.bitboard import lines_in
from agents.jit.compiler import jit, popcount
from agents.jit.simd import where

UNKNOWN = 99
"""Above every score: following up proves nothing here."""


def wild_rows(columns: int, rows: int) -> int:
    """Return the cells that have an odd number of cells from themselves to the top of their column."""
    return sum(1 << column * (rows + 1) + row for column in range(columns) for row in range(rows) if (rows - row) % 2)


@jit(inline=True)
def cut_columns(cuts: int, cells: int, top: int) -> tuple[int, int]:
    """Return, of the columns that hold any of `cuts`, the cells from the lowest one up, and the bits above the top."""
    tops = (cuts + cells) & top
    return tops - (cuts & (tops - cuts)), tops


@jit(inline=True)
def certain_loss(closed: int, cut_tops: int) -> int:
    """Return the mover's score when all cells are filled but the cells right below the cuts and those in `closed`.

    He then must play below a cut and loses to the answer.
    """
    return -((popcount(closed) + popcount(cut_tops)) >> 1)


@jit(inline=True)
def follow_up_bound(own: int, opp: int, wins: int, bottom: int, wild: int, rows: int, connect: int, loss: bool) -> int:
    """Return an upper bound on the score of `own`, who is to move, or UNKNOWN.

    `wins` are the empty cells that complete a line of `opp`. `bottom` and `wild` are the board's `bottom_row` and
    `wild_rows`. Unless a `loss` is asked for, 0 stands for one that no cut makes certain. No branch depends on
    the position, see `agents.jit.memory`.
    """
    cells = bottom * ((1 << rows) - 1)
    top = bottom << rows
    taken = own | opp
    empty = cells & ~taken
    playable = (taken + bottom) & cells
    first = playable & wild
    odd_tops = (empty + first) & top
    odd = odd_tops - first
    even = empty ^ odd

    closed, cut_tops = cut_columns(wins & ((even & wild) | (odd & ~wild)), cells, top)
    cut = cut_tops - (cut_tops >> rows & bottom)
    wild_cells = odd & ~cut
    closed_wild, wild_cut_tops = cut_columns(wins & wild_cells & ~playable, cells, top)
    reach = own | (odd & cut & wild & ~closed) | (wild_cells & ~closed_wild)
    pairs = even & ~wild & ~closed
    closed |= closed_wild
    all_tops = cut_tops | wild_cut_tops
    # With an odd number of wild columns one more is needed: one of pairs that a cut at an odd distance turns into one.
    odds = popcount(odd_tops & ~cut_tops) & 1
    closed_more, more_tops = cut_columns(wins & even & ~cut & ~playable, cells, top)
    this_top = more_tops & -more_tops & -odds
    column = this_top - (this_top >> rows & bottom)
    reach = reach | (pairs & ~column) | (even & column & ~closed_more)
    closed = closed | (closed_more & column)
    all_tops = all_tops | this_top
    lost = certain_loss(closed, all_tops)
    if loss:
        lost = where(all_tops, lost, where(lines_in(opp | (even & wild), rows, connect), -1, 0))
    fails = lines_in(reach, rows, connect) | (odds & (this_top == 0))
    return where(fails, UNKNOWN, lost)
