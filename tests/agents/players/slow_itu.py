"""The ITU program's search in the most obvious way: recursive, its two sides apart."""

from agents.board import STANDARD
from agents.score import WIN
from agents.search import compiled

INFINITY = 1 << 40


def four(discs, *, overlooking):
    """Tell whether there is a four; the ITU program sees diagonals in the first six columns only."""
    seen = discs & (1 << 42) - 1 if overlooking else discs
    return any(
        line & line >> stride & line >> 2 * stride & line >> 3 * stride
        for line, stride in ((discs, 1), (discs, 7), (seen, 8), (seen, 6))
    )


class SlowItu:
    """The ITU program's search, recursive, its two sides apart; `evals` counts as the published program does."""

    def __init__(self, cutoff, *, overlooking):
        self.cutoff, self.overlooking = cutoff, overlooking
        self.evals = self.nodes = 0
        self.evaluate = compiled.heuristic("line-runs-published", STANDARD).evaluate

    def choose(self, own, opp):
        """Return (column from 1, value, depth of the leaf)."""
        best = None
        for column, disc in self.discs(own | opp):
            value, leaf = self.visit(own | disc, opp, 1, -INFINITY, INFINITY)
            preference = -leaf if value >= 0 else leaf
            if best is None or (value, preference) > best[:2]:
                best = value, preference, column, leaf
        return best[2] + 1, best[0], best[3]

    def visit(self, me, other, depth, alpha, beta):
        """Return the value for `me`, who moves at even depths and so at the root, and the depth of its leaf."""
        self.nodes += 1
        self.evals += depth <= self.cutoff
        for discs, value in ((me, WIN), (other, -WIN)):
            if four(discs, overlooking=self.overlooking):
                return value, depth
        if depth > self.cutoff or me | other == STANDARD.cells:
            return self.evaluate(me, other), depth
        best = None
        for _, disc in self.discs(me | other):
            if depth % 2 == 0:
                found = self.visit(me | disc, other, depth + 1, alpha, beta)
                best = found if best is None or found[0] > best[0] else best
                alpha = max(alpha, best[0])
            else:
                found = self.visit(me, other | disc, depth + 1, alpha, beta)
                best = found if best is None or found[0] < best[0] else best
                beta = min(beta, best[0])
            if alpha >= beta:
                break
        return best

    def discs(self, mask):
        for column in range(7):
            disc = (mask + (1 << 7 * column)) & 63 << 7 * column
            if disc:
                yield column, disc
