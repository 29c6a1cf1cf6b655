"""Perfect play from any position: the outcome, and the number of moves to it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.search.control import UNLIMITED
from agents.solver.node import FAR_BITS, FRAMES, LIMIT, NEAR_START, NODES, THREAD, THREADS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.board import Board
    from agents.solver.book import Book

    Words = NDArray[np.int64]

MEBIBYTES = 64
"""The default size of the table, in mebibytes."""


class Stopped(Exception):  # noqa: N818  nothing went wrong
    """Raised if the solver is stopped before it has a score."""


class Solver:
    """Solves positions of one board, and keeps its table between them.

    Scores are for the side to move: the discs that the winner has left after the winning move, plus one; negative for
    a loss; 0 for a draw. A position is the discs of the side to move and of the other; its game must not be over.

    One solver serves one thread; another thread may call `stop`.
    """

    def __init__(self, rules: Rules = STANDARD, mebibytes: int = MEBIBYTES, book: Book | None = None) -> None:
        """Compile the search for this board, and allocate a table.

        Raises InputError if there is no memory for the table, or if most fours win.
        """
        from agents.solver.abdada import PLIES
        from agents.solver.search import build
        from agents.solver.table import empty_table

        rules.refuse_most_fours("the solver")
        self.rules = rules
        self.book = book
        self.mebibytes = mebibytes
        self._size = rules.columns * rules.rows
        self._bits = rules.columns * (rules.rows + 1)
        self._solve = build(rules.columns, rules.rows, rules.connect)
        try:
            self._table = empty_table(self._bits, mebibytes)
        except MemoryError:
            raise InputError(f"there is no memory for a table of {mebibytes} MiB") from None
        self._prepare(np.zeros(PLIES, np.int64), 0, 1)

    def _prepare(self, searching: Words, thread: int, threads: int) -> None:
        """Allocate the memory of one of several threads; `searching` has a row for each, see `agents.solver.abdada`."""
        from agents.jit.compiler import address_of
        from agents.solver.node import empty_memory
        from agents.solver.table import far_bits, near_start

        memory = empty_memory(self.rules.columns, self.rules.rows)
        self._arrays = self._table, memory, searching
        self._addresses = tuple(map(address_of, self._arrays))
        self.control = memory[:FRAMES]
        self.control[[THREAD, THREADS, FAR_BITS]] = thread, threads, far_bits(self._bits, self.mebibytes)
        self.control[NEAR_START] = near_start(self._bits, self.mebibytes, thread)
        self.resume()

    def partners(self, threads: int) -> list[Solver]:
        """Return one solver for each thread, this one included; they share its table and search together.

        They need no lock: an entry is one word, which a 64-bit processor reads and writes at once.
        """
        from agents.solver.abdada import PLIES

        searching, before = np.zeros(threads * PLIES, np.int64), self.control[[LIMIT, NODES]]
        partners = [self, *(copy.copy(self) for _ in range(threads - 1))]
        for thread, partner in enumerate(partners):
            partner._prepare(searching, thread, threads)  # noqa: SLF001  of its own kind
        self.control[[LIMIT, NODES]] = before
        return partners

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.control[NODES])

    def score(self, own: int, opp: int) -> int:
        """Return the score. Raises Stopped."""
        return self.within(own, opp, -self._size, self._size)

    def outcome(self, own: int, opp: int) -> int:
        """Return 1 for a win of the side to move, -1 for a loss, 0 for a draw. Raises Stopped."""
        score = self.within(own, opp, -1, 1)
        return (score > 0) - (score < 0)

    def within(self, own: int, opp: int, lowest: int, highest: int) -> int:
        """Return the score if it lies from `lowest` to `highest`, else the nearer limit or a number beyond it.

        Narrow limits are faster: `within(own, opp, 4, 5) >= 5` is whether the score is at least 5. Raises Stopped.
        """
        score = None if self.book is None else self.book.lookup(own, opp)
        return self.search(own, opp, lowest, highest) if score is None else score

    def search(self, own: int, opp: int, lowest: int, highest: int) -> int:
        """Return the result without using the book; for the parameters see `within`. Raises Stopped."""
        assert own & opp == 0
        assert not (own | opp) & ~self.rules.cells
        assert lowest <= highest
        score = self._solve(*self._addresses, own, opp, lowest, highest)
        if abs(score) > self._size:
            raise Stopped
        return score

    def column_scores(self, own: int, opp: int, *, weak: bool = False) -> tuple[int | None, ...]:
        """Return, for each column, the score of a move there for the side to move, or None if the column is full.

        With `weak` return 1, 0 or -1 in place of scores. Raises Stopped.
        """
        rules = self.rules
        taken = own | opp
        scores: list[int | None] = []
        for column in range(rules.columns):
            shift = column * (rules.rows + 1)
            disc = taken + (1 << shift) & ((1 << rules.rows) - 1) << shift
            if not disc:
                scores.append(None)
            elif rules.line(own | disc):
                scores.append(1 if weak else (self._size + 1 - taken.bit_count()) // 2)
            elif taken | disc == rules.cells:
                scores.append(0)
            else:
                scores.append(-(self.outcome if weak else self.score)(opp, own | disc))
        return tuple(scores)

    def score_of(self, board: Board) -> int:
        """Return the score of a board; its game must not be over. Raises Stopped."""
        return self.score(board.own, board.opp)

    def outcome_of(self, board: Board) -> int:
        """Return the outcome of a board for the side to move; its game must not be over. Raises Stopped."""
        return self.outcome(board.own, board.opp)

    def stop(self) -> None:
        """End the running search, and all later ones until `resume`, with Stopped."""
        self.control[LIMIT] = 0

    def resume(self) -> None:
        """Allow searches again, without limit."""
        self.control[LIMIT] = UNLIMITED

    def allow(self, nodes: int) -> None:
        """Allow so many more nodes; after them searches end with Stopped."""
        self.control[LIMIT] = self.nodes + nodes

    def forget(self) -> None:
        """Empty the table."""
        self._table.fill(0)
