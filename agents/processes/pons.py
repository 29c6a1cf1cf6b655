"""`pons:` solvers, which read one position a line and print `POSITION SCORE …`, as Pascal Pons' `c4solver` does.

The solver returns a score and no move, so the agent asks for the score of each child. A score counts the discs that
the winner has left; 0 is a draw. Source: Pons, "Solving Connect 4: how to build a perfect AI", 2015 to 2019.
"""

from __future__ import annotations

import re

from agents.agent import Analysis, Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.failure import PROTOCOL, Failure, misread
from agents.processes.protocol import Protocol
from agents.score import from_solver_score


class Pons(Protocol):
    """The referee's side of the protocol."""

    may_refuse = True

    def start(self, rules: Rules, deadline: float) -> None:
        """Check the program on a position with a known score. Raises Failure, InputError for another board."""
        if rules != STANDARD:
            raise InputError(f"a solver behind pons: knows the board {STANDARD} alone, not {rules}")
        board = Board.from_moves("121212")
        if self.score(board, deadline) != 18:
            raise Failure(PROTOCOL, f"has not the score 18 for {board.text}, which wins at once")

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:  # noqa: ARG002  the protocol has none
        """Return the move with the best score, the nearest to the centre among equals."""
        middle = board.rules.columns - 1
        scores = {move: self._value(board, move, deadline) for move in board.legal_moves()}
        best = max(scores, key=lambda move: (scores[move], -abs(2 * move - middle)))
        left = board.rules.columns * board.rules.rows - board.ply
        return Analysis(best, from_solver_score(scores[best], board), left)

    def score(self, board: Board, deadline: float) -> int:
        """Return the solver's score of a position that is not over, for the side to move."""
        line = self._process.ask(board.text, deadline)
        words = line.split()
        # For the empty position the line has only the score.
        score = (words[1:2] if words[:1] == [board.text] else []) if board.text else words[:1]
        most = board.rules.columns * board.rules.rows // 2
        if not score or not re.fullmatch(r"-?\d{1,9}", score[0], re.ASCII) or abs(int(score[0])) > most:
            raise misread(line, "POSITION SCORE")
        return int(score[0])

    def _value(self, board: Board, move: int, deadline: float) -> int:
        """Return the score of a move for the side that makes it."""
        child = board.play(move)
        if child.outcome is None:
            return -self.score(child, deadline)
        return 0 if child.outcome.winner is None else (board.rules.columns * board.rules.rows + 1 - board.ply) // 2
