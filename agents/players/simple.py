"""The baselines: `random`, and `greedy`, which wins or blocks in one."""

from __future__ import annotations

import random

from agents.agent import Analysis, Limits
from agents.board import Board
from agents.players.kind import Kind
from agents.score import ending


class Random:
    """Plays any legal column with equal chance."""

    def __init__(self) -> None:
        self._random = random.Random(0)  # noqa: S311  a game, not a secret

    def new_game(self, seed: int) -> None:
        """Take the game's chance from this seed."""
        self._random.seed(seed)

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  it costs nothing
        """Return any legal move."""
        return Analysis(self._random.choice(board.legal_moves()), nodes=1)


class Greedy(Random):
    """Wins in one where it can, else blocks a win in one, else plays at random."""

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  likewise
        """Return the winning, else the blocking, else any legal move."""
        rules = board.rules
        mask = board.own | board.opp
        legal = board.legal_moves()
        for discs, score in ((board.own, ending(1, plies=1)), (board.opp, None)):
            for column in legal:
                disc = (mask + (1 << column * (rules.rows + 1))) & rules.columns_of_cells[column]
                if rules.line(discs | disc):
                    return Analysis(column, score, 1, 1 + len(legal), (column,))
        chosen = self._random.choice(legal)
        return Analysis(chosen, None, 1, 1 + len(legal), (chosen,))


RANDOM = Kind(Random, "plays any legal column", chance=True)
GREEDY = Kind(Greedy, "wins or blocks in one, else plays at random", chance=True)
