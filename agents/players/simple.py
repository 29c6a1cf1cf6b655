"""The baselines: `random`, and `greedy`, which wins or blocks in one."""

from __future__ import annotations

import random

from agents.agent import Analysis, Limits
from agents.board import Board
from agents.score import ending
from agents.specs.parameters import Kind


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
    """Wins in one where it can, else blocks a win in one, else plays at random.

    Where most fours win, it makes the most fours that one move can make, else takes the most from the other side.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  likewise
        """Return the winning, else the blocking, else any legal move."""
        legal = board.legal_moves()
        found = (_most_fours if board.rules.most_fours else _in_one)(board, legal)
        column, score = found or (self._random.choice(legal), None)
        return Analysis(column, score, 1, 1 + len(legal), (column,))


def _in_one(board: Board, legal: tuple[int, ...]) -> tuple[int, int | None] | None:
    """Return the first column that wins or, failing that, blocks at once, with what it is worth if that is known."""
    rules, mask = board.rules, board.own | board.opp
    for discs, score in ((board.own, ending(1, plies=1)), (board.opp, None)):
        for column in legal:
            disc = (mask + (1 << column * (rules.rows + 1))) & rules.columns_of_cells[column]
            if rules.line(discs | disc):
                return column, score
    return None


def _most_fours(board: Board, legal: tuple[int, ...]) -> tuple[int, None] | None:
    """Return the first column that makes the most fours or, failing that, takes the most from the other side."""
    rules, mask = board.rules, board.own | board.opp
    for discs in (board.own, board.opp):
        cells = [(mask + (1 << column * (rules.rows + 1))) & rules.columns_of_cells[column] for column in legal]
        fours = [rules.fours(discs | disc) for disc in cells]
        if max(fours) > rules.fours(discs):
            return legal[fours.index(max(fours))], None
    return None


RANDOM = Kind(Random, "plays any legal column", chance=True)
GREEDY = Kind(Greedy, "wins or blocks in one, else plays at random", chance=True)
