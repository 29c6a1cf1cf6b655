"""The players of Kang, Wang and Hu (2019): alpha-beta, and every third move one of the two best by chance.

Source: see heuristics.py. The paper names no order of the columns; here it is the middle first.
"""

import random

import numba
import numpy as np
from heuristics import features, second, spaces

from agents import Analysis
from agents.bits.bitboard import has_line
from agents.errors import InputError
from agents.heuristics import column_cells, playable
from agents.jit.compiler import copy_with, jit

ENDLESS, WIN = 1 << 50, 1 << 40
ORDER = 3, 2, 4, 1, 5, 0, 6


def ablated(threes, twos, ones):
    """Return H1 with only these features."""
    parts = jit(inline=True)(copy_with(features, spaces=jit(inline=True)(spaces)))

    def evaluate(own, opp):
        mine, theirs = parts(own, opp), parts(opp, own)
        return threes * (mine[0] - theirs[0]) + twos * (mine[1] - theirs[1]) + ones * (mine[2] - theirs[2])

    return evaluate


def kernel(evaluate):
    """Return `search(own, opp, depth, alpha, beta, nodes)`, a negamax; fours end the game, sooner is not better."""

    @numba.njit("int64(int64, int64, int64, int64, int64, int64[::1])")
    def search(own, opp, depth, alpha, beta, nodes):
        nodes[0] += 1
        if has_line(opp, 6, 4):
            return -WIN
        landing = playable(own, opp)
        if landing == 0:
            return 0
        if depth == 0:
            return evaluate(own, opp)
        best = -ENDLESS
        for column in ORDER:
            disc = landing & column_cells(column)
            if disc:
                value = -search(opp, own | disc, depth - 1, -beta, -max(alpha, best), nodes)
                best = max(best, value)
                if best >= beta:
                    break
        return best

    return search


class Kang:
    """Plays by a heuristic, H1, H2 or features of H1 such as F13; every third move is one of the two best by chance."""

    def __init__(self, heuristic="H1", depth=4, chance=3):
        self.heuristic = "F1234" if heuristic == "H1" else str(heuristic)
        self.depth = depth
        self.every = chance
        self.nodes = np.zeros(1, np.int64)
        self.dice = random.Random(0)  # noqa: S311  a game, not a secret
        if self.heuristic != "H2" and not set(self.heuristic[1:]) <= set("1234"):
            raise InputError(f"no heuristic {heuristic!r}: H1, H2, or F with features of 1 to 4")

    def prepare(self, rules):
        """Compile the search."""
        evaluate = second if self.heuristic == "H2" else ablated(*("234"[at] in self.heuristic for at in range(3)))
        self.search = kernel(jit(inline=True)(evaluate) if self.heuristic == "H2" else numba.njit(evaluate))

    def new_game(self, seed):
        """Begin the game's chance."""
        self.dice = random.Random(seed)  # noqa: S311  likewise

    def choose(self, board, limits):
        """Return the best column, every third move either of the two best."""
        self.nodes[:] = 0
        drawn = self.every > 0 and (board.ply // 2 + 1) % self.every == 0
        values = {}
        best = -ENDLESS
        for column in (each for each in ORDER if each in board.legal_moves()):
            child = board.play(column)
            bound = ENDLESS if drawn else -best
            values[column] = -self.search(child.own, child.opp, self.depth - 1, -ENDLESS, bound, self.nodes)
            best = max(best, values[column])
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        column = self.dice.choice(ranked[:2]) if drawn else ranked[0]
        score = max(-899_999, min(values[column], 899_999))
        return Analysis(column, score, self.depth, int(self.nodes[0]) + 1)
