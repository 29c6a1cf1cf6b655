"""The depth-limited searchers: minimax and alpha-beta with any heuristic, ordering, table and limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Iteration, Limits, tighter
from agents.board import Board, Rules
from agents.errors import InputError
from agents.score import proven
from agents.search.control import (
    ABORTED,
    HISTORY,
    KILLERS,
    LMR,
    PRUNE,
    PVS,
    TERMINAL_SCORES,
    UNLIMITED,
    deadline,
)
from agents.search.plain import PlainSearch
from agents.specs.parameters import Depth, Heuristic, Nodes, Order, Seconds, TableSize

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering
    from agents.search.kernel import Search

DEFAULT_DEPTH = 6
Compiled = Annotated[bool, "no: run as plain Python, for heuristics that cannot be compiled"]


class Searcher:
    """An agent that searches to a fixed depth, or deepens until a limit; alpha-beta unless `pruning` is off.

    Deepening answers with the deepest completed iteration, and stops early at a proven win or loss: no greater depth
    would change move or value.
    """

    def __init__(
        self,
        *,
        depth: Depth = None,
        heuristic: Heuristic = "powers-of-ten",
        order: Order = "left-to-right",
        compiled: Compiled = True,
        table: Annotated[bool, "keep a transposition table"] = False,
        table_size: TableSize = 16,
        deepening: Annotated[bool, "iterative deepening, the last best move first"] = False,
        killers: Annotated[bool, "try first what cut off last at the same ply; costs with open-windows"] = False,
        history: Annotated[bool, "try first what cut off most so far; pays with left-to-right"] = False,
        pvs: Annotated[bool, "principal variation search: ask of later moves only whether they are better"] = False,
        lmr: Annotated[bool, "late move reductions: the one option that may change the move"] = False,
        nodes: Nodes = None,
        seconds: Seconds = None,
        pruning: bool = True,
        terminal_scores: bool = True,
        points: int = 0,
    ) -> None:
        self.limits = Limits(depth, nodes, seconds)
        self.heuristic = heuristic
        self.order = order
        self.megabytes = table_size if table else 0
        self.deepening = deepening
        self.compiled = compiled
        if not compiled and (table or killers or history or pvs or lmr):
            raise InputError("compiled=no takes no table, killers, history, pvs or lmr")
        options = {
            PRUNE: pruning, TERMINAL_SCORES: terminal_scores, KILLERS: killers, HISTORY: history, PVS: pvs, LMR: lmr,
        }  # fmt: skip
        self.flags = sum(flag for flag, on in options.items() if on)
        """See `agents.search.control`."""
        self.points = points
        """Where most fours win: what a full board is worth for each four of the difference; 0: it is won or lost."""
        self.prepared: CompiledHeuristic | None = None
        """Replaces the named heuristic: one with weights that change."""
        self.completed: Callable[[Iteration, tuple[int, ...]], object] | None = None
        """Called as each depth ends, with its principal variation."""
        self.search: Search | PlainSearch | None = None
        """Made by `prepare`."""
        self._rules: Rules | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile for boards of this size and allocate the table. Raises InputError for a heuristic that cannot be."""
        from agents.search import compiled as parts

        if self._rules == rules:
            return
        heuristic = self.prepared or parts.heuristic(self.heuristic, rules, compiled=self.compiled)
        order = parts.ordering(self.order, rules, compiled=self.compiled)
        if self.compiled:
            self.search = self.new_search(rules, heuristic, order)
        else:
            self.search = PlainSearch(rules, heuristic.evaluate, order.columns, order.score, self.flags, self.points)
        self.search.forget()  # touch the table's pages before a clock runs
        self._rules = rules

    def new_search(self, rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Search:
        """Return the search of this agent."""
        if rules.most_fours:
            from agents.search.most_fours import MostFoursSearch

            return MostFoursSearch(rules, heuristic, order, self.flags, self.megabytes, self.points)
        from agents.search.negamax import NegamaxSearch

        return NegamaxSearch(rules, heuristic, order, self.flags, self.megabytes)

    def new_game(self, seed: int) -> None:  # noqa: ARG002  nothing here is left to chance
        """Forget the last game's table, so that a game does not depend on those before it."""
        if self.search is not None:
            self.search.forget()

    def stop(self) -> None:
        """End the search that is running in another thread; it answers with its deepest completed iteration."""
        if self.search is not None:
            self.search.stop()

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the best move within the tighter of the agent's own limits and these."""
        began = time.perf_counter()
        self.prepare(board.rules)
        nodes = tighter(self.limits.nodes, limits.nodes)
        seconds = tighter(self.limits.seconds, limits.seconds)
        limited = nodes is not None or seconds is not None
        left = board.rules.columns * board.rules.rows - board.ply
        depth = tighter(self.limits.depth, limits.depth) or (left if limited else DEFAULT_DEPTH)
        deepening = self.deepening or limited
        assert self.search is not None
        self.search.begin(nodes or UNLIMITED)
        depths = range(1, min(left, depth) + 1) if deepening else range(depth, depth + 1)
        with deadline(None if seconds is None else seconds - (time.perf_counter() - began), self.stop):
            return self._deepen(self.search, board, depths, began)

    def _deepen(self, search: Search | PlainSearch, board: Board, depths: range, began: float) -> Analysis:
        iterations: list[Iteration] = []
        line: tuple[int, ...] = ()
        for depth in depths:
            score, column = search.run(board.own, board.opp, depth, line[0] if line else -1)
            if column == ABORTED:
                break
            seconds, line = time.perf_counter() - began, search.pv
            iterations.append(Iteration(depth, search.nodes, seconds, score, column))
            if self.completed is not None:
                self.completed(iterations[-1], line)
            if proven(score) and self.flags & TERMINAL_SCORES:
                break
        if not iterations:
            legal = board.legal_moves()
            first = next(column for column in search.order if column in legal)
            return Analysis(first, None, 0, search.nodes, (first,))
        last = iterations[-1]
        return Analysis(last.column, last.score, last.depth, search.nodes, line, tuple(iterations))


class Minimax(Searcher):
    """Plain minimax: it searches every line to the end."""

    def __init__(
        self,
        *,
        depth: Depth = None,
        heuristic: Heuristic = "powers-of-ten",
        order: Annotated[Order, "decides between equal moves: a name or file.py:function"] = "left-to-right",
        compiled: Compiled = True,
    ) -> None:
        super().__init__(depth=depth, heuristic=heuristic, order=order, compiled=compiled, pruning=False)
