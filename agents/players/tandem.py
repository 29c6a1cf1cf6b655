"""`tandem`: the solver and alpha-beta share a move's limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Limits, tighter
from agents.board import Board, Rules
from agents.players.perfect import from_centre, reaches, solved
from agents.players.searcher import Searcher
from agents.score import proven
from agents.search.control import UNLIMITED, deadline
from agents.specs.parameters import Heuristic, Nodes, Order, Seconds, TableSize

if TYPE_CHECKING:
    from agents.solver.solver import Solver


FIRST, SEARCH, GLANCE = 0.1, 0.35, 0.01
"""Shares of the limit: for the solver's exact score; if that takes longer, for alpha-beta's move, and for its score of
each other move. The solver has the rest."""


@dataclass
class TandemMove:
    """One move within one limit: the solver's if it is proven in time, else alpha-beta's."""

    board: Board
    limits: Limits
    """Of nodes, and perhaps of seconds."""
    searcher: Searcher
    solver: Solver
    stopped: Callable[[], bool]
    """Whether the search is to end."""
    began: float
    """When, as `time.perf_counter` says."""
    searched: int = 0
    """Nodes of alpha-beta so far."""
    before: int = field(init=False)
    """Nodes of the solver when this began."""

    def __post_init__(self) -> None:
        self.before = self.solver.nodes

    @property
    def nodes(self) -> int:
        """Positions that both have visited so far."""
        return self.searched + self.solver.nodes - self.before

    def left(self, share: float) -> Limits:
        """Return a share of the whole limit, or what is left of it if that is less."""
        nodes, seconds = self.limits.nodes or 0, self.limits.seconds
        return Limits(
            None,
            min(int(share * nodes), nodes - self.nodes),
            None if seconds is None else min(share * seconds, seconds - (time.perf_counter() - self.began)),
        )

    @contextmanager
    def asking(self, share: float = 1.0) -> Iterator[None]:
        """Let the solver search within a share of the limit; leave the block when that is used up."""
        from agents.solver.solver import Stopped

        limits = self.left(share)
        self.solver.allow(limits.nodes or 0)
        if self.stopped():
            self.solver.stop()
        with suppress(Stopped), deadline(limits.seconds, self.solver.stop):
            yield

    def search(self, board: Board, share: float) -> Analysis:
        """Return what alpha-beta finds with a share of the limit; without any the move nearest the centre."""
        limits = self.left(share)
        if self.stopped() or not limits.nodes or limits.nodes < 0:
            return Analysis(from_centre(board)[0])
        answer = self.searcher.choose(board, limits)
        self.searched += answer.nodes
        return answer

    def choose(self) -> Analysis:
        """Return the move."""
        with self.asking(FIRST):
            return solved(self.solver, self.board)
        return self.proposed()

    def proposed(self) -> Analysis:
        """Return alpha-beta's move, or a better one if the solver knows of one in time."""
        answer = self.search(self.board, SEARCH)
        if answer.score is None or proven(answer.score):
            return answer
        opinions = {column: self.opinion(column) for column in from_centre(self.board) if column != answer.column}
        column = self.judged([answer.column, *sorted(opinions, key=opinions.__getitem__, reverse=True)])
        return answer if column == answer.column else replace(answer, column=column, score=None, pv=(column,))

    def opinion(self, column: int) -> int:
        """Return alpha-beta's score of a move after a short search."""
        child = self.board.play(column)
        return -(self.search(child, GLANCE).score or 0) if child.outcome is None else 0

    def judged(self, order: list[int]) -> int:
        """Return the first move that wins, else that draws, else the first that is not known to lose."""
        lost = set()
        with self.asking():
            for goal in (1, 0):
                for column in order:
                    if reaches(self.solver, self.board, column, goal):
                        return column
                    if goal == 0:
                        lost.add(column)
        return next((column for column in order if column not in lost), order[0])


DEFAULT_NODES = 1_000_000


class Tandem:
    """Plays what the solver has proven where it can, and what alpha-beta thinks where it cannot.

    The solver is asked first, and where it is soon done the move is that of `perfect`; in the opening its book answers,
    unless `book=off`. Where it is not, alpha-beta proposes a move, and in what is left of the limit the solver asks of
    the moves, the most promising first, whether one wins, and then whether one draws. A move that does is played, and
    one that is proven to lose is not.

    Where most fours win, which the solver cannot play, alpha-beta has the whole limit.
    """

    def __init__(
        self,
        *,
        heuristic: Heuristic = "parity",
        order: Order = "open-windows",
        book: Annotated[bool, "answer in the opening from the book of exact scores"] = True,
        nodes: Annotated[Nodes, "positions of both to visit at most; 1000000 unless seconds are given"] = None,
        seconds: Annotated[Seconds, "seconds a move at most"] = None,
        table_size: Annotated[TableSize, "the megabytes of each one's table"] = 16,
    ) -> None:
        self.searcher = Searcher(heuristic=heuristic, order=order, table=True, table_size=table_size)
        self.mebibytes = table_size
        self.book = book
        self.limits = Limits(None, nodes, seconds)
        self._stopped = False
        self._solver: Solver | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile both, open the book and allocate the tables."""
        from agents.solver.book import shipped_book
        from agents.solver.solver import Solver

        self.searcher.prepare(rules)
        if not rules.most_fours and (self._solver is None or self._solver.rules != rules):
            self._solver = Solver(rules, self.mebibytes, shipped_book(rules) if self.book else None)
            self._solver.forget()  # touch its pages before a clock runs

    def new_game(self, seed: int) -> None:
        """Forget what both have learnt, so that a game does not depend on those before it."""
        self.searcher.new_game(seed)
        if self._solver is not None:
            self._solver.forget()

    def stop(self) -> None:
        """End the search that is running in another thread; it answers with what is known by then."""
        self._stopped = True
        self.searcher.stop()
        if self._solver is not None:
            self._solver.stop()

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the best move that is found within the tighter of the agent's own limits and these, but for depth."""
        began = time.perf_counter()
        self._stopped = False
        self.prepare(board.rules)
        seconds = tighter(self.limits.seconds, limits.seconds)
        nodes = tighter(self.limits.nodes, limits.nodes) or (UNLIMITED if seconds else DEFAULT_NODES)
        if board.rules.most_fours or self._solver is None:
            return self.searcher.choose(board, Limits(None, nodes, seconds))
        limits = Limits(None, nodes, seconds)
        decision = TandemMove(board, limits, self.searcher, self._solver, lambda: self._stopped, began)
        return replace(decision.choose(), nodes=decision.nodes)
