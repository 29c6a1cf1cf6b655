"""Minimax and alpha-beta as plain Python: the reference of the kernels, and the search by what cannot be compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.board import Board, Rules
from agents.score import of_outcome
from agents.search.control import ABORTED, INFINITY, PRUNE, TERMINAL_SCORES, UNLIMITED


class StoppedError(Exception):
    """The search was stopped, or its budget is used up."""


class PlainSearch:
    """A search without a table or further options; it answers as `agents.search.negamax` does, nodes included."""

    def __init__(
        self,
        rules: Rules,
        evaluate: Callable[[int, int], int],
        order: Sequence[int],
        score: Callable[[int, int, int], int] | None,
        flags: int,
        points: int = 0,
    ) -> None:
        """Keep the heuristic, the order of columns and of ties, the ordering's score, and the flags.

        flags: PRUNE and TERMINAL_SCORES, see `agents.search.control`.
        points: where most fours win, what a full board above the depth is worth for each four of the difference.
        """
        self.rules, self.evaluate, self.order, self.score = rules, evaluate, tuple(order), score
        self.flags, self.points = flags, points if rules.most_fours else 0
        self.pv: tuple[int, ...] = ()
        self.begin(UNLIMITED)

    def begin(self, nodes: int) -> None:
        """Begin a move with this budget."""
        self.budget, self.nodes, self.stopped = nodes, 0, False

    def stop(self) -> None:
        """End the search that is running in another thread."""
        self.stopped = True

    def forget(self) -> None:
        """Do nothing: there is no table."""

    def run(self, own: int, opp: int, depth: int, hash_move: int = -1) -> tuple[int, int]:
        """Return (score for the side to move, column), as `agents.search.kernel.Search.run` does."""
        board = Board(self.rules, own, opp, (own | opp).bit_count())
        try:
            value, self.pv = self.negamax(board, 0, depth, -INFINITY, INFINITY, hash_move)
        except StoppedError:
            return 0, ABORTED
        return value, self.pv[0]

    def negamax(
        self, board: Board, plies: int, depth: int, alpha: int, beta: int, hash_move: int = -1
    ) -> tuple[int, tuple[int, ...]]:
        """Return a node's value for its mover, fail-soft, and the line that it comes from.

        plies: from the root. hash_move: the column to try first, or -1; of equal moves the first in the order wins.
        """
        if self.stopped or self.nodes >= self.budget:
            raise StoppedError
        self.nodes += 1
        if board.outcome is not None and self.flags & TERMINAL_SCORES and not (self.points and depth == 0):
            ahead = self.points * (board.rules.fours(board.own) - board.rules.fours(board.opp))
            return ahead or of_outcome(board, plies), ()
        if board.outcome is not None or depth == 0:
            return self.evaluate(board.own, board.opp), ()
        moves = [column for column in self.order if column in board.legal_moves()]
        if self.score is not None:
            scores = {column: self.score(board.own, board.opp, column) for column in moves}
            moves.sort(key=scores.__getitem__, reverse=True)
        best, best_place = -INFINITY, len(moves)
        line: tuple[int, ...] = ()
        for column in sorted(moves, key=lambda column: column != hash_move):
            place = moves.index(column)
            earlier = place < best_place
            low = max(alpha, best - earlier) if self.flags & PRUNE else -INFINITY
            value, reply = self.negamax(board.play(column), plies + 1, depth - 1, -beta, -low)
            value = -value
            if value > best or (value == best and earlier):
                best, best_place = value, place
                if value > alpha:
                    line = (column, *reply)
                if value >= beta:
                    break
        return best, line
