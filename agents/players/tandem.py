"""`tandem`: the solver and alpha-beta share a move's limit."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.players.decision import Decision
from agents.players.kind import HEURISTIC, NODES_A_MOVE, ORDER, SECONDS_A_MOVE, Kind, Parameter, switch, whole
from agents.players.searcher import Searcher, tighter
from agents.search.control import UNLIMITED

if TYPE_CHECKING:
    from agents.solver.solver import Solver

DEFAULT_NODES = 1_000_000


class Tandem:
    """Plays what the solver has proven where it can, and what alpha-beta thinks where it cannot.

    The solver is asked first, and where it is soon done the move is that of `perfect`; in the opening its book answers,
    unless `book=off`. Where it is not, alpha-beta proposes a move, and in what is left of the limit the solver asks of
    the moves, the most promising first, whether one wins, and then whether one draws. A move that does is played, and
    one that is proven to lose is not.

    Where most fours win, of which the solver knows nothing, alpha-beta has the whole limit.
    """

    def __init__(
        self,
        *,
        heuristic: str = "parity",
        order: str = "open-windows",
        table_size: int = 16,
        book: bool = True,
        nodes: int | None = None,
        seconds: float | None = None,
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
        decision = Decision(board, limits, self.searcher, self._solver, lambda: self._stopped, began)
        return replace(decision.made(), nodes=decision.nodes)


KIND = Kind(
    Tandem,
    "the solver and alpha-beta share a move's limit: the strongest here within some milliseconds",
    {
        "heuristic": HEURISTIC.but(default="parity"),
        "order": ORDER.but(default="open-windows"),
        "book": Parameter(switch, True, "answer in the opening from the book of exact scores"),
        "nodes": NODES_A_MOVE.but(meaning="positions of both to visit at most; 1000000 unless seconds are given"),
        "seconds": SECONDS_A_MOVE.but(meaning="seconds a move at most"),
        "table_size": Parameter(whole(1, 65_536), 16, "the megabytes of each one's table"),
    },
)
