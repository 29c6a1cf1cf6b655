"""Shifrin's search: alpha-beta from left to right that looks for a win before it recurses.

Source: Yuval Shifrin, "Connect Four Heuristics Tournament", github.com/yuval-haim/4-in-a-row-huristics, 2025. A node
without empty depth first tries each column for a four of its mover; a four is worth a million at any distance. Every
leaf is evaluated for the player at the root. `Shifrin` counts what the published table has: nodes (calls of the
search), cut-offs and evaluations.
"""

import numpy as np
from heuristics import WIN, material, pattern, positional, threat

from agents import Analysis
from agents.errors import InputError
from agents.heuristics import column_cells, playable, threats
from agents.jit.compiler import jit
from agents.jit.user_code import kept

ENDLESS = 1 << 40
NODES, CUTOFFS, EVALUATIONS, COLUMN = range(4)
"""The words that a search counts in, and the root's best column."""


NAMES = ("material", "positional", "threat", "pattern")
PLACE = kept(pattern)
"""Where the compiled search is stored: a folder named after what it is made of."""
MATERIAL, POSITIONAL, THREAT, PATTERN = (
    jit(inline=True, directory=PLACE)(each) for each in (material, positional, threat, pattern)
)


@jit(inline=True, directory=PLACE)
def evaluate(which, own, opp):
    """Return the evaluation of that number, for `own`."""
    if which == 0:
        return MATERIAL(own, opp)
    if which == 1:
        return POSITIONAL(own, opp)
    return THREAT(own, opp) if which == 2 else PATTERN(own, opp)


@jit("int64(int64, int64, int64, int64, int64, int64, boolean, int64[::1])", directory=PLACE)
def search(which, own, opp, depth, alpha, beta, largest, counts):
    """Return the value of a node for the player at the root, and count.

    which: the evaluation. own, opp: the discs of the player at the root and of the other; largest: whether the former
    is to move.
    """
    counts[NODES] += 1
    landing = playable(own, opp)
    if depth == 0 or landing == 0:
        counts[EVALUATIONS] += 1
        return evaluate(which, own, opp)
    wins = (threats(own, opp) if largest else threats(opp, own)) & landing
    for column in range(7):
        if wins & column_cells(column):
            counts[COLUMN] = column
            return WIN if largest else -WIN
    best, best_column = -ENDLESS if largest else ENDLESS, -1
    for column in range(7):
        disc = landing & column_cells(column)
        if disc == 0:
            continue
        mine, theirs = (own | disc, opp) if largest else (own, opp | disc)
        value = search(which, mine, theirs, depth - 1, alpha, beta, not largest, counts)
        if best_column < 0 or (value > best if largest else value < best):
            best, best_column = value, column
        if largest:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if beta <= alpha:
            counts[CUTOFFS] += 1
            break
    counts[COLUMN] = best_column
    return best


class Shifrin:
    """Plays by the published search; heuristic: material, positional, threat or pattern; depth: plies."""

    def __init__(self, heuristic="material", depth=3):
        if heuristic not in NAMES:
            raise InputError(f"no heuristic {heuristic!r}; there are {', '.join(NAMES)}")
        self.which = NAMES.index(heuristic)
        self.depth = depth
        self.counts = np.zeros(4, np.int64)

    def prepare(self, rules):
        """Refuse other boards."""
        if (rules.columns, rules.rows, rules.connect) != (7, 6, 4):
            raise InputError("the published program plays on 7x6 only")

    def choose(self, board, limits):
        """Return the published program's move."""
        depth = self.depth if limits.depth is None else min(self.depth, limits.depth)
        self.counts[:] = 0
        value = search(self.which, board.own, board.opp, depth, -ENDLESS, ENDLESS, True, self.counts)
        return Analysis(int(self.counts[COLUMN]), max(-999_999, min(value, 999_999)), depth, int(self.counts[NODES]))
