"""UCT whose random games take wins and block threats (decisive and anti-decisive moves).

Sources: Kocsis, Szepesvári, "Bandit based Monte-Carlo Planning", 2006; F. Teytaud, O. Teytaud, "On the huge benefit of
decisive moves in Monte-Carlo Tree Search algorithms", 2010; Taylor, Stella, arXiv 2405.16595.
"""

import numba
import numpy as np

from agents import Analysis
from agents.bits.bitboard import has_line
from agents.heuristics import column_cells, playable, popcount, threats

CHILDREN, VISITS, POINTS, SIZE = 0, 7, 8, 9
"""The words of a node; its points are twice those of the side that moved into it."""


@numba.njit("int64(int64, int64, boolean)")
def playout(own, opp, decisive):
    """Play a random game to its end; return 2 where the side to move wins, 1 for a draw, else 0."""
    mine = True
    while True:
        landing = playable(own, opp)
        if landing == 0:
            return 1
        chosen = landing
        if decisive:
            wins = threats(own, opp) & landing
            if wins:
                return 2 if mine else 0
            blocks = threats(opp, own) & landing
            chosen = blocks or landing
        for _ in range(np.random.randint(popcount(chosen))):
            chosen &= chosen - 1
        disc = chosen & -chosen
        if has_line(own | disc, 6, 4):
            return 2 if mine else 0
        own, opp, mine = opp, own | disc, not mine


@numba.njit("int64(int64, int64, int64, float64, boolean, int64, int64[:, ::1])")
def search(own, opp, playouts, c, decisive, seed, tree):  # noqa: C901, PLR0912  a kernel
    """Grow the tree by so many games, and return the column that was tried most."""
    np.random.seed(seed)
    tree[0] = 0
    size = 1
    path = np.zeros(43, np.int64)
    for _ in range(playouts):
        mine, theirs, node, depth, points = own, opp, 0, 0, -1
        path[0] = 0
        while points < 0:
            landing = playable(mine, theirs)
            if landing == 0:
                points = 1
                break
            best, best_value, fresh = -1, -1.0, 0
            for column in range(7):
                if landing & column_cells(column):
                    child = tree[node, CHILDREN + column]
                    if child == 0:
                        fresh += 1
                        value = 1e6 + np.random.random()
                    else:
                        share = tree[child, POINTS] / (2.0 * tree[child, VISITS])
                        value = share + c * np.sqrt(np.log(tree[node, VISITS]) / tree[child, VISITS])
                    if value > best_value:
                        best, best_value = column, value
            mine, theirs = theirs, mine | (landing & column_cells(best))
            depth += 1
            child = tree[node, CHILDREN + best]
            if child == 0:
                child = size
                size += 1
                tree[child] = 0
                tree[node, CHILDREN + best] = child
                points = 0 if has_line(theirs, 6, 4) else playout(mine, theirs, decisive)
            elif has_line(theirs, 6, 4):
                points = 0
            node = path[depth] = child
        # The points are those of the side to move at the end of the path.
        for place in range(depth, -1, -1):
            tree[path[place], VISITS] += 1
            tree[path[place], POINTS] += 2 - points
            points = 2 - points
    visits, best = -1, 0
    for column in range(7):
        child = tree[0, CHILDREN + column]
        if child and tree[child, VISITS] > visits:
            visits, best = tree[child, VISITS], column
    return best


class Uct:
    """Plays by UCT; decisive: whether random games take wins and block."""

    def __init__(self, playouts=1000, c=1.0, decisive=1):
        self.playouts, self.c, self.decisive = int(playouts), float(c), bool(decisive)
        self.tree = np.zeros((self.playouts + 2, SIZE), np.int64)
        self.seed = 0

    def new_game(self, seed):
        """Begin the game's chance."""
        self.seed = seed % (1 << 31)

    def choose(self, board, limits):
        """Return the column that was tried most."""
        seed = (self.seed + board.ply) % (1 << 31)
        column = search(board.own, board.opp, self.playouts, self.c, self.decisive, seed, self.tree)
        return Analysis(int(column), nodes=self.playouts)
