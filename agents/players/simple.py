"""The baselines: `random`, and `greedy`, which wins or blocks in one."""

from __future__ import annotations

import random
from collections.abc import Mapping

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
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
    """Wins in one where it can, else blocks a win in one, else plays at random.

    Where most fours win, it makes the most fours that one move can make, else takes the most from the other side.
    """

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  likewise
        """Return the winning, else the blocking, else any legal move."""
        rules = board.rules
        mask, height = board.own | board.opp, rules.rows + 1
        legal = board.legal_moves()
        discs = {column: (mask + (1 << column * height)) & rules.columns_of_cells[column] for column in legal}
        for side, score in ((board.own, ending(1, plies=1)), (board.opp, None)):
            if rules.most_fours:
                found = _most_fours(rules, side, discs)
            else:
                found = next((column for column, disc in discs.items() if rules.line(side | disc)), None)
            if found is not None:
                return Analysis(found, None if rules.most_fours else score, 1, 1 + len(legal), (found,))
        chosen = self._random.choice(legal)
        return Analysis(chosen, None, 1, 1 + len(legal), (chosen,))


def _most_fours(rules: Rules, side: int, discs: Mapping[int, int]) -> int | None:
    """Return the first column whose disc gives the side the most new fours, None where none does."""
    fours = {column: rules.fours(side | disc) for column, disc in discs.items()}
    best = max(fours, key=fours.__getitem__)
    return best if fours[best] > rules.fours(side) else None


RANDOM = Kind(Random, "plays any legal column", chance=True)
GREEDY = Kind(Greedy, "wins or blocks in one, else plays at random", chance=True)
