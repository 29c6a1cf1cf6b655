"""Depth-limited negamax in the most obvious way: recursive, on boards, with nothing saved."""

from dataclasses import dataclass

from agents.score import WIN

INFINITY = 1 << 40


@dataclass
class SlowSearch:
    """evaluate(own, opp) values leaves; order(board) gives the columns as they are tried; nodes counts visits."""

    evaluate: object
    order: object
    pruning: bool
    nodes: int = 0
    worth: object = lambda board, distance, left: 0 if board.outcome.winner is None else distance - WIN
    """What a finished game is worth to its mover, `distance` plies from the root and `left` from the last."""

    def search(self, board, depth, alpha=-INFINITY, beta=INFINITY, distance=0):
        """Return (value for the side to move, principal variation)."""
        self.nodes += 1
        if board.outcome is not None:
            return self.worth(board, distance, depth), ()
        if depth == 0:
            return self.evaluate(board.own, board.opp), ()
        best, line = -INFINITY, ()
        for column in self.order(board):
            if column not in board.legal_moves():
                continue
            floor = max(alpha, best) if self.pruning else alpha
            value, reply = self.search(board.play(column), depth - 1, -beta, -floor, distance + 1)
            if -value > best:
                best, line = -value, (column, *reply)
            if self.pruning and best >= beta:
                break
        return best, line


def value_at_the_end(board, line, depth, evaluate):
    """Return the value, for the side to move on `board`, of the position at the end of a principal variation."""
    for column in line:
        board = board.play(column)
    sign = -1 if len(line) % 2 else 1
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else sign * (len(line) - WIN)
    assert len(line) == depth
    return sign * evaluate(board.own, board.opp)
