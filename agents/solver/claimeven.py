"""Zugzwang: bounds from following up, that is from answering every disc with a disc on top of it.

The side to move is the *mover*, the other the *follower*. In a column with an even number of empty cells the follower
can always answer on top: the mover gets the 1st, 3rd, 5th empty cell from below, the follower the 2nd, 4th, 6th. A cell
that wins for the follower *cuts* its column: the mover loses by playing right below it, and the follower never has to
play there. A column is *paired* if the number of cells to be played below the cut is even, and *wild* if it is odd.

With an even number of wild columns the follower never has to break a pair: after each move of the mover in a wild
column another wild column is left for the answer. The mover then reaches at most its own discs, the 1st, 3rd, … cells
of paired columns and all cells of wild columns, up to the cuts. If these contain no line, the mover cannot win; and if
there is a cut, the mover must finally play below it and loses. This holds for any number of rows and any connect.

Source: Victor Allis, "A Knowledge-based Approach of Connect-Four" (1988), where following up is "claimeven".
"""

from __future__ import annotations

from agents.bits.bitboard import lines_in
from agents.jit.compiler import jit
from agents.jit.vectors import popcount, where

UNKNOWN = 99
"""Above every score: following up proves nothing."""


def wild_rows(columns: int, rows: int) -> int:
    """Return the cells with an odd number of cells from them (included) to the top of their column."""
    return sum(1 << column * (rows + 1) + row for column in range(columns) for row in range(rows) if (rows - row) % 2)


@jit(inline=True)
def cut_columns(cuts: int, cells: int, top: int) -> tuple[int, int]:
    """Return, for the columns with any of `cuts`, the cells from the lowest cut up, and the bits above the top."""
    tops = (cuts + cells) & top
    return tops - (cuts & (tops - cuts)), tops


@jit(inline=True)
def certain_loss(closed: int, cut_tops: int) -> int:
    """Return the mover's score if only `closed` and the cells right below the cuts are left to play.

    The mover must then play below a cut, and the answer wins.
    """
    return -((popcount(closed) + popcount(cut_tops)) >> 1)


@jit(inline=True)
def claimeven_bound(own: int, opp: int, wins: int, bottom: int, wild: int, rows: int, connect: int, loss: bool) -> int:
    """Return an upper bound on the score of `own`, the side to move, or UNKNOWN.

    wins: the empty cells that complete a line of `opp`. bottom, wild: the board's `bottom_row` and `wild_rows`.
    loss: also return a bound below 0 if the follower gets a line without a cut. rows, connect: as in `Rules`.

    No branch depends on the position, so that the function takes vectors, too, see `agents.jit.vectors`.
    """
    # Split the empty cells into columns with an even and with an odd number of them.
    cells = bottom * ((1 << rows) - 1)
    top = bottom << rows
    taken = own | opp
    empty = cells & ~taken
    playable = (taken + bottom) & cells
    first = playable & wild
    odd_tops = (empty + first) & top
    odd = odd_tops - first
    even = empty ^ odd

    # Cut the columns at the follower's wins; odd columns without a cut are wild.
    closed, cut_tops = cut_columns(wins & ((even & wild) | (odd & ~wild)), cells, top)
    cut = cut_tops - (cut_tops >> rows & bottom)
    wild_cells = odd & ~cut
    closed_wild, wild_cut_tops = cut_columns(wins & wild_cells & ~playable, cells, top)
    # Collect the cells that the mover can reach.
    reach = own | (odd & cut & wild & ~closed) | (wild_cells & ~closed_wild)
    pairs = even & ~wild & ~closed
    closed |= closed_wild
    all_tops = cut_tops | wild_cut_tops
    # If the number of wild columns is odd, make one more: cut a paired column at an odd distance.
    odds = popcount(odd_tops & ~cut_tops) & 1
    closed_more, more_tops = cut_columns(wins & even & ~cut & ~playable, cells, top)
    this_top = more_tops & -more_tops & -odds
    column = this_top - (this_top >> rows & bottom)
    reach = reach | (pairs & ~column) | (even & column & ~closed_more)
    closed = closed | (closed_more & column)
    all_tops = all_tops | this_top
    # Without a line the mover loses at a cut, or else draws at most.
    lost = certain_loss(closed, all_tops)
    if loss:
        lost = where(all_tops, lost, where(lines_in(opp | (even & wild), rows, connect), -1, 0))
    fails = lines_in(reach, rows, connect) | (odds & (this_top == 0))
    return where(fails, UNKNOWN, lost)
