"""The baselines: `random`, and `greedy`, which wins or blocks in one."""

from __future__ import annotations

import random

from agents.agent import Analysis, Limits
from agents.board import Board
from agents.score import ending


class Random:
    """Plays any legal column with equal chance."""

    def __init__(self) -> None:
        self._random = random.Random(0)  # noqa: S311  a game, not a secret

    def new_game(self, seed: int) -> None:
        """Take the game's chance from this seed."""
        self._random.seed(seed)

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  no search
        """Return any legal move."""
        return Analysis(self._random.choice(board.legal_moves()), nodes=1)


class Greedy(Random):
    """Wins in one where it can, else blocks a win in one, else plays at random.

    Where most fours win, it makes the most fours that one move can make, else takes the most from the other side.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  no search
        """Return the winning, else the blocking, else any legal move."""
        legal = board.legal_moves()
        column, score = _urgent(board, legal) or (self._random.choice(legal), None)
        return Analysis(column, score, 1, 1 + len(legal), (column,))


def _urgent(board: Board, legal: tuple[int, ...]) -> tuple[int, int | None] | None:
    """Return the first column that makes a four, else that blocks one, and its score if known; None where neither can.

    Where most fours win it is the first that makes, else blocks, the most fours.
    """
    rules, mask = board.rules, board.own | board.opp
    discs = [(mask + (1 << column * (rules.rows + 1))) & rules.columns_of_cells[column] for column in legal]
    for own, score in ((board.own, None if rules.most_fours else ending(1, plies=1)), (board.opp, None)):
        most = rules.fours(own)
        counts = [rules.fours(own | disc) for disc in discs]
        best = max(counts) if rules.most_fours else next((fours for fours in counts if fours), 0)
        if best > most:
            return legal[counts.index(best)], score
    return None
