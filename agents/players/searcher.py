"""The depth-limited searchers: minimax and alpha-beta with any heuristic, ordering, table and limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from agents.agent import Analysis, Iteration, Limits, tighter
from agents.board import Board, Rules
from agents.score import proven
from agents.search.task import (
    ABORTED,
    BATCH,
    BUDGET,
    CONTROL_WORDS,
    COUNTING_WORDS,
    ENHANCEMENT_WORDS,
    HISTORY,
    KILLERS,
    NODES,
    NORMAL_WIN,
    PRUNE,
    PVS,
    SORT,
    STOP,
    UNLIMITED,
    deadline,
)
from agents.specs.parameters import Depth, Heuristic, Nodes, Order, Seconds, TableSize

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering


DEFAULT_DEPTH = 6
MAX_DEPTH = 64
Compiled = Annotated[bool, "no: run as plain Python, for heuristics that cannot be compiled"]


@dataclass(slots=True)
class _Ready:
    """Everything that depends on the board's size."""

    rules: Rules
    search: Any
    order: Any
    table: Any
    pv: Any
    flags: int


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
        nodes: Nodes = None,
        seconds: Seconds = None,
        pruning: bool = True,
        normal_win: bool = True,
        points: int = 0,
    ) -> None:
        import numpy as np

        self.limits = Limits(depth, nodes, seconds)
        self.heuristic = heuristic
        self.order = order
        self.megabytes = table_size if table else 0
        self.deepening = deepening
        self.enhancements = (KILLERS if killers else 0) | (HISTORY if history else 0) | (PVS if pvs else 0)
        """Flags, see `agents.search.enhancements`."""
        self.compiled = compiled
        self.pruning = pruning
        self.normal_win = normal_win
        self.points = points
        """Where most fours win: what a full board is worth for each four of the difference; 0: it is won or lost."""
        self.control = np.zeros(CONTROL_WORDS + COUNTING_WORDS + ENHANCEMENT_WORDS, np.int64)
        self.prepared: CompiledHeuristic | None = None
        """Replaces the named heuristic: one with weights that change, see `arena.measure.tuning.weighted`."""
        self.completed: Callable[[Iteration, tuple[int, ...]], object] | None = None
        """Called as each depth ends, with its principal variation."""
        self._ready: _Ready | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile for boards of this size and allocate the table. Raises InputError for a heuristic that cannot be."""
        import numpy as np

        from agents.search import compiled as parts
        from agents.search.transpositions import empty_table

        if self._ready is not None and self._ready.rules == rules:
            return
        heuristic = self.prepared or parts.heuristic(self.heuristic, rules, compiled=self.compiled)
        order = parts.ordering(self.order, rules, compiled=self.compiled)
        flags = self.enhancements | (PRUNE if self.pruning else 0) | (NORMAL_WIN if self.normal_win else 0)
        self._ready = _Ready(
            rules,
            self.bind(rules, heuristic, order),
            np.array(order.columns, np.int64),
            empty_table(self.megabytes),
            np.full((MAX_DEPTH + 1) ** 2, -1, np.int64),
            flags | (SORT if order.score else 0) | (BATCH if heuristic.compiled else 0),
        )
        self._ready.table.fill(0)  # touch its pages before a clock runs

    def bind(self, rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Any:  # noqa: ANN401  a kernel
        """Return the search that this agent uses, called as `negamax.bind` says."""
        from agents.search import most_fours

        return most_fours.bind_search(
            rules, heuristic, order.sort_moves, self.points, enhancements=self.enhancements != 0
        )

    def new_game(self, seed: int) -> None:  # noqa: ARG002  nothing here is left to chance
        """Forget the last game's table, so that a game does not depend on those before it."""
        if self._ready is not None:
            self._ready.table.fill(0)

    def stop(self) -> None:
        """End the search that is running in another thread; it answers with its deepest completed iteration."""
        self.control[STOP] = 1

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
        self.control[:] = 0
        self.control[BUDGET] = nodes or UNLIMITED
        depths = range(1, min(left, depth) + 1) if deepening else range(depth, depth + 1)
        with deadline(None if seconds is None else seconds - (time.perf_counter() - began), self.stop):
            return self._deepen(board, depths, began)

    def _deepen(self, board: Board, depths: range, began: float) -> Analysis:
        ready = self._ready
        assert ready is not None
        iterations: list[Iteration] = []
        pv: tuple[int, ...] = ()
        hash_move = -1
        for depth in depths:
            score, column = ready.search(
                board.own, board.opp, depth, ready.flags, ready.order, hash_move, ready.table, self.control, ready.pv
            )
            if column == ABORTED:
                break
            seconds = time.perf_counter() - began
            iterations.append(Iteration(depth, int(self.control[NODES]), seconds, int(score), int(column)))
            line = ready.pv[: depth + 1].tolist()
            pv = tuple(line[: line.index(-1)])
            hash_move = int(column)
            if self.completed is not None:
                self.completed(iterations[-1], pv)
            if proven(score) and self.normal_win:
                break
        nodes = int(self.control[NODES])
        if not iterations:
            legal = board.legal_moves()
            first = next(int(column) for column in ready.order if column in legal)
            return Analysis(first, None, 0, nodes, (first,))
        last = iterations[-1]
        return Analysis(last.column, last.score, last.depth, nodes, pv, tuple(iterations))


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
