"""The source of a minimax and an alpha-beta as a user writes them, to be filled in."""

SEARCH = '''"""By {author}."""
from agents import Analysis

CENTRE = 63 << 21


def evaluate(own, opp):
    """Discs in the middle column."""
    return {weight} * ((own & CENTRE).bit_count() - (opp & CENTRE).bit_count())


class Minimax:
    """Plain minimax."""

    def __init__(self, depth=2):
        self.depth = depth

    def value(self, board, left, alpha, beta):
        self.nodes += 1
        if board.outcome is not None:
            return 0 if board.outcome.winner is None else self.depth - left - 1_000_000
        if left == 0:
            return evaluate(board.own, board.opp)
        best = -2_000_000
        for column in board.legal_moves():
            best = max(best, -self.value(board.play(column), left - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if self.cuts(alpha, beta):
                break
        return best

    def cuts(self, alpha, beta):
        return False

    def choose(self, board, limits):
        self.nodes, best, chosen = 1, -2_000_000, None
        for column in board.legal_moves():
            value = -self.value(board.play(column), self.depth - 1, -2_000_000, -best)
            if value > best:
                best, chosen = value, column
        return Analysis(chosen, best, depth=self.depth, nodes=self.nodes)


class AlphaBeta(Minimax):
    """The same with cuts."""

    def cuts(self, alpha, beta):
        return {cuts}
'''
