"""The trace of `agents.search.negamax`: minimax, alpha-beta, with an ordering, a table and the last best move first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.bits.bitboard import position_key
from agents.jit.words import address_of
from agents.score import of_outcome
from agents.search.transpositions import fetch, store
from arena.measure.tree.node import INFINITY, Node, worth
from arena.measure.tree.recorder import Recorder, arranged, cut, open_child

if TYPE_CHECKING:
    from agents.board import Board
    from agents.search.parts import Order


@dataclass(frozen=True, slots=True)
class Search:
    """How to search; the same in every iteration."""

    evaluate: Callable[[int, int], int]
    order: Order
    pruning: bool
    normal_win: bool
    """Value a finished game as WIN - n or 0, else by the heuristic."""
    points: int
    """What a four more is worth on a full board where most fours win and the depth is not reached; 0: WIN - n."""
    table: Any
    """See `agents.search.transpositions`; of length 0 for none."""

    def finished(self, board: Board, plies: int, depth: int) -> int | None:
        """Return the value for its mover of a game that is over after so many plies; None: the heuristic's."""
        points = self.points if board.rules.most_fours else 0
        if not self.normal_win or (points and plies == depth):
            return None
        return points * (board.rules.fours(board.own) - board.rules.fours(board.opp)) or of_outcome(board, plies)


class Trace(Recorder):
    """One iteration, recorded."""

    def __init__(self, search: Search, depth: int) -> None:
        super().__init__()
        self.how = search
        self.depth = depth

    def search(self, board: Board, hint: int) -> Node:
        """Return the root of the tree; `hint` is a column to try first, or -1."""
        root = Node(board, None, 0)
        self._value(root, -INFINITY, INFINITY, hint)
        return root

    def _value(self, node: Node, alpha: int, beta: int, hint: int) -> int:
        """Return the value of a node for its mover, fail-soft."""
        self.visit(node, alpha, beta)
        board, how = node.board, self.how
        over = None if board.outcome is None else how.finished(board, node.ply, self.depth)
        if over is not None:
            return self.leave(node, over, "over")
        if board.outcome is not None or node.ply == self.depth:
            return self.leave(node, int(how.evaluate(board.own, board.opp)), "heuristic")
        deep = node.ply + 1 < self.depth
        table = address_of(how.table), len(how.table)
        tabled = deep and node.ply > 0 and len(how.table) > 0
        key = int(position_key(board.own, board.own | board.opp, board.rules.bottom))
        if tabled:
            settled, value, reply = fetch(*table, key, self.depth - node.ply, node.ply, alpha, beta)
            if settled:
                return self._from_table(node, int(value), at_least=value >= beta)
            hint = int(reply)
        best = self._best(node, alpha, beta, hint if deep else -1)
        if tabled:
            assert node.best is not None
            assert node.best.column is not None
            store(*table, key, self.depth - node.ply, node.ply, best, alpha, beta, node.best.column)
        return self.leave(node, best)

    def _best(self, node: Node, alpha: int, beta: int, hint: int) -> int:
        """Try the moves; a hint tried out of turn gives way at the root to an equal move that stands before it."""
        columns = arranged(self.how.order, node.board)
        best, place = -INFINITY, -1
        tries = sorted(columns, key=lambda column: column != hint)
        for tried, column in enumerate(tries, start=1):
            at = columns.index(column)
            earlier = node.ply == 0 and at < place
            low, high = (max(alpha, best - earlier), beta) if self.how.pruning else (-INFINITY, INFINITY)
            child = open_child(node, column)
            value = -self._value(child, -high, -low, -1)
            if value > best or (earlier and value == best):
                best, place, node.best = value, at, child
            if best >= high:
                cut(node, tries[tried:])
                break
        return best

    def _from_table(self, node: Node, value: int, *, at_least: bool) -> int:
        """Leave a node that an entry of the table settles."""
        self.leave(node, value, "table")
        assert node.value is not None
        bound = "at least" if at_least == (node.player == "MAX") else "at most"
        node.note = f"known from the table: {bound} {worth(node.value)}"
        return value
