"""`mcts`: upper-confidence tree search with random playouts."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Limits, tighter
from agents.board import Board, Rules
from agents.orderings.static import centre
from agents.search.control import BUDGET, CONTROL_WORDS, NODES, STOP, UNLIMITED, deadline
from agents.specs.parameters import Range, Seconds

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

    With threads each grows a tree of its own from a chance of its own, and plays its share of the games; what they saw
    of the root's moves is added up. The answer then depends on how many they are, not on which is faster.
    """

    def __init__(
        self,
        *,
        playouts: Annotated[int | None, Range(1, 10**9), "random games a move; 1000 unless seconds are given"] = None,
        seconds: Annotated[Seconds, "seconds a move at most"] = None,
        threads: Annotated[int, Range(1, 256), "trees that grow at once, each in a thread, and are added up"] = 1,
        c: Annotated[
            float,
            Range(0.0, 100.0),
            "the weight of trying what was tried little, against points from 0 to 1",
        ] = 0.7,
    ) -> None:
        import numpy as np

        self.playouts = playouts
        self.seconds = seconds
        self.c = c
        self.control = np.zeros((threads, CONTROL_WORDS), np.int64)
        """A row for each thread."""
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
        self.control[:, STOP] = 1

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the move that was tried most within the tighter of the agent's own limits and these."""
        import numpy as np

        from agents.search import uct

        began = time.perf_counter()
        rules = board.rules
        seconds = tighter(self.seconds, limits.seconds)
        limited = seconds is not None or limits.nodes is not None
        playouts = self.playouts or (UNLIMITED if limited else DEFAULT_PLAYOUTS)
        threads = len(self.control)
        size = uct.CHILDREN + rules.columns
        shares = _shares(playouts, threads)
        trees = [np.zeros(min((share + 1) * size, LARGEST_TREE // threads), np.int64) for share in shares]
        order = np.array(centre(rules), np.int64)
        dice = random.Random(f"{self._seed} {board.key}")  # noqa: S311  a game, not a secret
        chances = [np.array([dice.randrange(1, 1 << 32) for _ in range(4)], np.int64) for _ in trees]
        self.control[:] = 0
        self.control[:, BUDGET] = _shares(limits.nodes or UNLIMITED, threads)
        search = uct.build(rules.columns, rules.rows, rules.connect, rules.decisive)

        def grow(thread: int) -> None:
            if not shares[thread] or not self.control[thread, BUDGET]:
                return  # there are more threads than games or nodes
            arguments = shares[thread], self.c, order, trees[thread], chances[thread], self.control[thread]
            search(board.own, board.opp, *arguments)

        with deadline(None if seconds is None else seconds - (time.perf_counter() - began), self.stop):
            if threads == 1:
                grow(0)
            else:
                with ThreadPoolExecutor(threads) as pool:
                    list(pool.map(grow, range(threads)))
        line = _most_tried(trees, order)
        column = line[0] if line else next(int(column) for column in order if column in board.legal_moves())
        visits, points = _tried(trees, [0] * threads, column)
        score = round(1000 * (points / visits - 1)) if line else None
        return Analysis(column, score, 0, int(self.control[:, NODES].sum()), tuple(line) or (column,))


def _shares(total: int, threads: int) -> list[int]:
    """Return a number in as equal parts as there are threads."""
    return [total // threads + (thread < total % threads) for thread in range(threads)]


def _most_tried(trees: Sequence[NDArray[np.int64]], order: NDArray[np.int64]) -> list[int]:
    """Return the line of the moves that were tried most in all trees, of equal ones the first in the order."""
    from agents.search import uct

    line: list[int] = []
    places: list[int | None] = [0] * len(trees)
    while True:
        visits = {int(column): _tried(trees, places, int(column))[0] for column in order}
        best = max(visits, key=visits.__getitem__)
        if visits[best] == 0:
            return line
        line.append(best)
        places = [
            None if at is None else int(tree[at + uct.CHILDREN + best]) or None
            for tree, at in zip(trees, places, strict=True)
        ]


def _tried(trees: Sequence[NDArray[np.int64]], places: Sequence[int | None], column: int) -> tuple[int, int]:
    """Return the visits and points of a move from the node at each tree's place, None where a tree has no such node."""
    from agents.search import uct

    visits = points = 0
    for tree, at in zip(trees, places, strict=True):
        child = int(tree[at + uct.CHILDREN + column]) if at is not None else 0
        if child:
            visits += int(tree[child + uct.VISITS])
            points += int(tree[child + uct.POINTS])
    return visits, points
