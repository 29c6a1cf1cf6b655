"""`pons:` solvers that read a position a line and print `POSITION SCORE …`, as Pascal Pons' `c4solver` does.

A solver gives a score and no move, so that an agent asks it for each child. Its score counts the winner's discs that
are left, 0 is a draw. Source: Pons, "Solving Connect 4: how to build a perfect AI", 2015 to 2019.
"""

from __future__ import annotations

import re

from agents.agent import Analysis, Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.remote.failure import PROTOCOL, Failure, quoted
from agents.remote.protocol import Protocol
from agents.score import in_plies


class Pons(Protocol):
    """The referee's end."""

    may_refuse = True

    def start(self, rules: Rules, deadline: float) -> None:
        """Ask for a position whose score is known, so that what is no solver is found out."""
        if rules != STANDARD:
            raise InputError(f"a solver behind pons: knows the board {STANDARD} alone, not {rules}")
        board = Board.from_moves("121212")
        if self.score(board, deadline) != 18:
            raise Failure(PROTOCOL, f"has not the score 18 for {board.text}, which wins at once")

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:  # noqa: ARG002  it is not told
        """Return the move with the best score; of equal ones the one nearest the centre."""
        middle = board.rules.columns - 1
        scores = {move: self._worth(board, move, deadline) for move in board.legal_moves()}
        best = max(scores, key=lambda move: (scores[move], -abs(2 * move - middle)))
        return Analysis(best, in_plies(scores[best], board), board.rules.columns * board.rules.rows - board.ply)

    def score(self, board: Board, deadline: float) -> int:
        """Return the solver's score of a position that is not over, for the side to move."""
        line = self._process.ask(board.text, deadline)
        words = line.split()
        # The empty position leaves no word before its score.
        told = words[1:] if board.text and words[:1] == [board.text] else words if not board.text else []
        most = board.rules.columns * board.rules.rows // 2
        if not told or not re.fullmatch(r"-?\d{1,9}", told[0], re.ASCII) or abs(int(told[0])) > most:
            raise Failure(PROTOCOL, f"answered {quoted(line)}, which is not POSITION SCORE")
        return int(told[0])

    def _worth(self, board: Board, move: int, deadline: float) -> int:
        """Return what a move is worth to who makes it."""
        child = board.play(move)
        if child.outcome is None:
            return -self.score(child, deadline)
        return 0 if child.outcome.winner is None else (board.rules.columns * board.rules.rows + 1 - board.ply) // 2
