"""The search kernel written in the slow and obvious way, recursive and on boards, to record each step.

Windows and values are those of the node's mover while it runs, as in the kernel, and MAX's in the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.bits.bitboard import position_key
from agents.board import Board
from agents.errors import InputError
from agents.jit.compiler import address_of
from agents.score import of_outcome
from agents.search.transpositions import fetch, store
from arena.plugins.tree.node import INFINITY, Bounds, Node, arranged, cut, open_child, worth

if TYPE_CHECKING:
    from agents.search.compiled import CompiledOrdering


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a search, the same in every iteration."""

    evaluate: Callable[[int, int], int]
    order: CompiledOrdering
    pruning: bool
    terminal_scores: bool
    """Value a finished game as WIN - n or 0, else by the heuristic."""
    points: int
    """What a four more is worth on a full board where most fours win and the depth is not reached; 0: WIN - n."""
    table: Any
    """See `agents.search.transpositions`; of length 0 for none."""

    def finished(self, board: Board, plies: int, depth: int) -> int | None:
        """Return the value for its mover of a game that is over after so many plies; None: the heuristic's."""
        points = self.points if board.rules.most_fours else 0
        if not self.terminal_scores or (points and plies == depth):
            return None
        return points * (board.rules.fours(board.own) - board.rules.fours(board.opp)) or of_outcome(board, plies)


class NegamaxTrace:
    """One iteration of `agents.search.negamax`: minimax or alpha-beta, with an ordering, a table and a hash move."""

    def __init__(self, bounds: Bounds, search: SearchSettings, depth: int) -> None:
        self.bounds = bounds
        self.how = search
        self.depth = depth
        self.nodes = 0

    def search(self, board: Board, hash_move: int) -> Node:
        """Return the root of the tree; `hash_move` is a column to try first, or -1."""
        root = Node(board, None, 0)
        self._value(root, -INFINITY, INFINITY, hash_move)
        return root

    def _value(self, node: Node, alpha: int, beta: int, hash_move: int) -> int:
        """Return the value of a node for its mover, fail-soft."""
        self._visit(node, alpha, beta)
        board, how = node.board, self.how
        over = None if board.outcome is None else how.finished(board, node.ply, self.depth)
        if over is not None:
            return self._leave(node, over, "over")
        if board.outcome is not None or node.ply == self.depth:
            return self._leave(node, int(how.evaluate(board.own, board.opp)), "heuristic")
        deep = node.ply + 1 < self.depth
        table = address_of(how.table), len(how.table)
        tabled = deep and node.ply > 0 and len(how.table) > 0
        key = int(position_key(board.own, board.own | board.opp, board.rules.bottom))
        if tabled:
            settled, value, reply = fetch(*table, key, self.depth - node.ply, node.ply, alpha, beta)
            if settled:
                return self._from_table(node, int(value), at_least=value >= beta)
            hash_move = int(reply)
        best = self._best(node, alpha, beta, hash_move if deep else -1)
        if tabled:
            assert node.best is not None
            assert node.best.column is not None
            store(*table, key, self.depth - node.ply, node.ply, best, alpha, beta, node.best.column)
        return self._leave(node, best)

    def _best(self, node: Node, alpha: int, beta: int, hash_move: int) -> int:
        """Try the moves, the hash move first; at the root an equal move that comes earlier in the order replaces it."""
        columns = arranged(self.how.order, node.board)
        best, place = -INFINITY, -1
        tries = sorted(columns, key=lambda column: column != hash_move)
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

    def _visit(self, node: Node, alpha: int, beta: int) -> None:
        """Record that the search enters a node with this window of its mover. Raises InputError if stopped."""
        if self.bounds.stopped:
            raise InputError("the tree takes too long to draw; give a smaller depth")
        self.nodes += 1
        node.visited = self.nodes
        node.alpha, node.beta = (alpha, beta) if node.ply % 2 == 0 else (-beta, -alpha)

    def _leave(self, node: Node, value: int, leaf: str = "") -> int:
        """Record a node's value for its mover, and return it."""
        node.value = value if node.ply % 2 == 0 else -value
        node.leaf = leaf
        return value

    def _from_table(self, node: Node, value: int, *, at_least: bool) -> int:
        """Leave a node that an entry of the table settles."""
        self._leave(node, value, "table")
        assert node.value is not None
        bound = "at least" if at_least == (node.player == "MAX") else "at most"
        node.note = f"known from the table: {bound} {worth(node.value)}"
        return value
