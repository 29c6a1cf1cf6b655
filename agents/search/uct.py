"""Upper-confidence tree search: plays random games from the leaves of a tree, which grows by one position a game.

The tree is one array of int64. A node holds VISITS, POINTS and OVER, then the index of the child by each column, or 0.
Points are half points, 2 for a win and 1 for a draw, for the player that moved into the node. OVER is -1, or the known
points of the node: if the game is over, or if the side to move completes a line at once. At the root only winning moves
are tried or, without one, only moves that stop a win of the other side. Under the most-fours rules nothing is decided
before the board is full.

    own, opp               the discs of the side to move and of the other
    rows, connect          the rows of the board, and the length of a four
    decisive               the length of a line that ends the game, or 0
    bottom, cells          the lowest cell of each column, and all cells
    tree, chance, control  see `build`

Sources: Kocsis, Szepesvári, "Bandit based Monte-Carlo Planning", 2006; Teytaud, Teytaud, 2010, for treating a win in
one as the end of the game ("decisive moves").
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from agents.bits.bitboard import fours, has_line, landing_cells, line_completers
from agents.jit.compiler import jit, word, words
from agents.jit.vectors import popcount
from agents.rules import all_cells, bottom_row
from agents.search.control import BUDGET, NODES, STOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

VISITS, POINTS, OVER, CHILDREN = range(4)
WIN, DRAW, LOSS, UNKNOWN = 2, 1, 0, -1
HALF_WORD = (1 << 32) - 1
SIGNATURE = types.void(word, word, word, types.float64, words, words, words, words)


@functools.cache
def build(columns: int, rows: int, connect: int, decisive: int) -> Callable[..., Any]:
    """Return `search(own, opp, playouts, c, order, tree, chance, control)` for these rules.

    decisive: the length of a line that ends the game; 0 if none does and most lines of `connect` win.

    own, opp: the root, a position that is not over.
    playouts: the number of random games.
    c: the weight of exploration against a move's mean points, which lie from 0 to 1.
    order: the order in which a node's columns are tried for the first time.
    tree: zeros, modified in place; when it is full, the tree stops growing.
    chance: the state of the random numbers: four 32-bit numbers, not all 0, modified in place.
    control: see `negamax.bind`; nodes are the positions that games pass through.
    """
    height = rows + 1
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)
    column_cells = (1 << rows) - 1
    size = CHILDREN + columns

    @jit(SIGNATURE)
    def search(own, opp, playouts, c, order, tree, chance, control):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202  numba has the types
        assert own & opp == 0
        assert own | opp != cells
        assert len(order) == columns
        assert len(tree) >= size
        root_own, root_opp = own, opp
        at_root = landing_cells(own | opp, bottom) & cells
        wins = line_completers(own, rows, decisive) & at_root
        blocks = line_completers(opp, rows, decisive) & at_root
        at_root = wins if wins != 0 else blocks if blocks != 0 else at_root
        path = np.zeros(columns * rows + 1, np.int64)
        tree[OVER] = UNKNOWN
        used = size
        control[NODES] += 1
        for _ in range(playouts):
            own, opp = root_own, root_opp
            at, depth = 0, 0
            # Select: go down to a node that is over or new, or to the edge of a full tree.
            while tree[at + OVER] == UNKNOWN and (depth == 0 or tree[at + VISITS] > 0):
                playable = at_root if depth == 0 else landing_cells(own | opp, bottom) & cells
                column = choice(tree, at, order, playable, column_cells, height, c)
                child = tree[at + CHILDREN + column]
                if child == 0 and used + size > len(tree):
                    break
                if control[NODES] >= control[BUDGET] or control[STOP] != 0:
                    return
                control[NODES] += 1
                own, opp = opp, own | playable & column_cells << column * height
                if child == 0:
                    child = used
                    used += size
                    tree[at + CHILDREN + column] = child
                    tree[child + OVER] = verdict(own, opp, rows, connect, decisive, bottom, cells)
                at = child
                depth += 1
                path[depth] = at
            # Simulate, unless the result is known.
            points = tree[at + OVER]
            if points == UNKNOWN:
                points = WIN - playout(own, opp, rows, connect, decisive, bottom, cells, chance, control)
            if points > WIN:  # the game was stopped
                return
            # Back the points up to the root.
            for ply in range(depth, -1, -1):
                tree[path[ply] + VISITS] += 1
                tree[path[ply] + POINTS] += points
                points = WIN - points

    return search


@jit(inline=True)
def choice(
    tree: NDArray[np.int64], at: int, order: NDArray[np.int64], playable: int, column_cells: int, height: int, c: float
) -> int:
    """Return the column to try next: the first untried one, or else the one with the highest upper bound.

    at: the node's index in the tree. order, c: see `build`.
    playable: the cells where a disc can land.
    column_cells, height: the cells of the first column, and the bits of a column.
    """
    best = -1.0
    chosen = -1
    spread = math.log(max(tree[at + VISITS], 1))
    for place in range(len(order)):
        column = order[place]
        if playable & column_cells << column * height == 0:
            continue
        child = tree[at + CHILDREN + column]
        if child == 0:
            return int(column)
        visits = tree[child + VISITS]
        bound = tree[child + POINTS] / (WIN * visits) + c * math.sqrt(spread / visits)
        if bound > best:
            best = bound
            chosen = int(column)
    return chosen


@jit(inline=True)
def verdict(own: int, opp: int, rows: int, connect: int, decisive: int, bottom: int, cells: int) -> int:
    """Return the points of a node for `opp`, which moved into it, if the game is decided there, or UNKNOWN.

    decisive: the length of a line that ends the game, or 0. bottom, cells: the lowest cell of each column, and all.
    """
    mask = own | opp
    if decisive != 0 and has_line(opp, rows, decisive):
        return WIN
    if mask == cells:
        return full_board(opp, own, rows, connect)
    return LOSS if line_completers(own, rows, decisive) & landing_cells(mask, bottom) & cells else UNKNOWN


@jit(inline=True)
def full_board(own: int, opp: int, rows: int, connect: int) -> int:
    """Return the points of `own` on a full board: more lines of `connect` cells win, and as many are a draw."""
    ahead = fours(own, rows, connect) - fours(opp, rows, connect)
    return WIN if ahead > 0 else LOSS if ahead < 0 else DRAW


@jit(inline=True)
def playout(
    own: int,
    opp: int,
    rows: int,
    connect: int,
    decisive: int,
    bottom: int,
    cells: int,
    chance: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Play random moves to the end; return the points of `own`, the side to move, or -1 after a stop."""
    points = WIN
    while own | opp != cells:
        if control[NODES] >= control[BUDGET] or control[STOP] != 0:
            return -1
        control[NODES] += 1
        playable = landing_cells(own | opp, bottom) & cells
        for _ in range(draw(chance) * popcount(playable) >> 32):
            playable &= playable - 1
        own |= playable & -playable
        if decisive != 0 and has_line(own, rows, decisive):
            return points
        own, opp = opp, own
        points = WIN - points
    value = full_board(own, opp, rows, connect)
    return value if points == WIN else WIN - value


@jit(inline=True)
def draw(chance: NDArray[np.int64]) -> int:
    """Return a random number below 2**32: Marsaglia's xorshift of four words, "Xorshift RNGs", 2003."""
    mixed = chance[0] ^ (chance[0] << 11 & HALF_WORD)
    last = chance[3]
    chance[0], chance[1], chance[2] = chance[1], chance[2], last
    last = last ^ last >> 19 ^ mixed ^ mixed >> 8
    chance[3] = last
    return int(last)
