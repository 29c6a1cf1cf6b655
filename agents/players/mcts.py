"""`mcts`: upper-confidence tree search with random playouts."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.orderings.static import centre
from agents.players.kind import SECONDS_A_MOVE, Kind, Parameter, number, whole
from agents.players.searcher import tighter
from agents.search.control import BUDGET, CONTROL_WORDS, NODES, STOP, UNLIMITED
from agents.search.deadline import deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_PLAYOUTS = 1000
LARGEST_TREE = 1 << 22
"""Words of the tree at most, 32 MiB: on 7x6 as many as 419 430 positions. A full tree is searched on."""


class Mcts:
    """Plays random games from the edge of a growing tree and answers with the move that was tried most.

    Its score is what the move's games brought in thousandths: 1000 all won, -1000 all lost. It completes no depth. The
    same seed and position give the same answer, unless time ends it.
    """

    def __init__(self, *, playouts: int | None = None, seconds: float | None = None, c: float = 0.7) -> None:
        import numpy as np

        self.playouts = playouts
        self.seconds = seconds
        self.c = c
        self.control = np.zeros(CONTROL_WORDS, np.int64)
        self._seed = 0

    def prepare(self, rules: Rules) -> None:
        """Compile for boards of this size."""
        from agents.search import uct

        uct.build(rules.columns, rules.rows, rules.connect, rules.decisive)

    def new_game(self, seed: int) -> None:
        """Take the game's chance from this seed."""
        self._seed = seed

    def stop(self) -> None:
        """End the search that is running in another thread; it answers with what it has seen."""
        self.control[STOP] = 1

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the move that was tried most within the tighter of the agent's own limits and these."""
        import numpy as np

        from agents.search import uct

        began = time.perf_counter()
        rules = board.rules
        seconds = tighter(self.seconds, limits.seconds)
        limited = seconds is not None or limits.nodes is not None
        playouts = self.playouts or (UNLIMITED if limited else DEFAULT_PLAYOUTS)
        size = uct.CHILDREN + rules.columns
        tree = np.zeros(min((playouts + 1) * size, LARGEST_TREE), np.int64)
        order = np.array(centre(rules), np.int64)
        dice = random.Random(f"{self._seed} {board.key}")  # noqa: S311  a game, not a secret
        chance = np.array([dice.randrange(1, 1 << 32) for _ in range(4)], np.int64)
        self.control[:] = 0
        self.control[BUDGET] = limits.nodes or UNLIMITED
        search = uct.build(rules.columns, rules.rows, rules.connect, rules.decisive)
        with deadline(None if seconds is None else seconds - (time.perf_counter() - began), self.stop):
            search(board.own, board.opp, playouts, self.c, order, tree, chance, self.control)
        line = _most_tried(tree, order)
        column = line[0] if line else next(int(each) for each in order if each in board.legal_moves())
        child = tree[uct.CHILDREN + column]
        visits = int(tree[child + uct.VISITS])
        score = round(1000 * (int(tree[child + uct.POINTS]) / visits - 1)) if line else None
        return Analysis(column, score, 0, int(self.control[NODES]), tuple(line) or (column,))


def _most_tried(tree: NDArray[np.int64], order: NDArray[np.int64]) -> list[int]:
    """Return the line of the moves that were tried most, of equal ones the first in the order."""
    from agents.search import uct

    line: list[int] = []
    at = 0
    while True:
        children = {int(column): int(tree[at + uct.CHILDREN + column]) for column in order}
        visits = {column: int(tree[child + uct.VISITS]) for column, child in children.items() if child}
        best = max(visits, key=visits.__getitem__, default=None)
        if best is None or visits[best] == 0:
            return line
        line.append(best)
        at = children[best]


KIND = Kind(
    Mcts,
    "upper-confidence tree search with random playouts",
    {
        "playouts": Parameter(whole(1, 10**9), None, "random games a move; 1000 unless seconds are given"),
        "seconds": SECONDS_A_MOVE.but(meaning="seconds a move at most"),
        "c": Parameter(
            number(0.0, 100.0), 0.7, "the weight of trying what was tried little, against points from 0 to 1"
        ),
    },
    source='Kocsis, Szepesvári, "Bandit based Monte-Carlo Planning", 2006',
    chance=True,
)
