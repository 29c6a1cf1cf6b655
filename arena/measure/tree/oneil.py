"""The trace of `agents.search.oneil`: alpha-beta to the end of the game, with two extra cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.score import ending
from agents.search.oneil import SORTED_ABOVE
from arena.measure.tree.node import INFINITY, Node, worth
from arena.measure.tree.recorder import Recorder, arranged, cut, open_child, playable

if TYPE_CHECKING:
    from agents.board import Board
    from agents.search.parts import Order


class _OutOfNodesError(Exception):
    """The search has visited as many nodes as it may."""


class Trace(Recorder):
    """One search, recorded. Values count the cells that are left; the record has them in plies from the root."""

    def __init__(self, order: Order, board: Board, budget: int) -> None:
        cells = board.rules.columns * board.rules.rows - board.ply
        super().__init__(lambda value: _in_plies(value, cells + 1))
        self.order = order
        self.cells = cells
        self.budget = budget

    def visit(self, node: Node, alpha: int, beta: int) -> None:
        """Record that the search enters a node. Raises _OutOfNodesError."""
        if self.nodes >= self.budget:
            raise _OutOfNodesError
        super().visit(node, alpha, beta)

    def search(self, board: Board) -> Node:
        """Return the root of the tree, as far as the budget lets it grow; each of its columns has an open window."""
        root = Node(board, None, 0)
        self.visit(root, -INFINITY, INFINITY)
        best = -INFINITY
        try:
            for column in playable(self.order.columns, board):
                child = open_child(root, column)
                value = -self._value(child, -INFINITY, INFINITY)
                if value > best:
                    best, root.best = value, child
        except _OutOfNodesError:
            root.note = "interrupted: the best of the columns that were finished answers"
        if root.best is not None:
            self.leave(root, best)
        return root

    def _value(self, node: Node, alpha: int, beta: int) -> int:
        """Return the value of a node for its mover."""
        self.visit(node, alpha, beta)
        board, left = node.board, self.cells - node.ply
        if board.outcome is not None:
            return self.leave(node, 0 if board.outcome.winner is None else -(left + 1), "over")
        columns = arranged(self.order, board) if left > SORTED_ABOVE else playable(self.order.columns, board)
        if left + 1 <= alpha:
            other = "MIN" if node.player == "MAX" else "MAX"
            bound = worth(node.alpha if node.player == "MAX" else node.beta, node.player)
            cut(node, columns, f"even a win at once is no better for {node.player} than {bound}, which {other} allows")
            return self.leave(node, left + 1)
        best = -INFINITY
        for tried, column in enumerate(columns, start=1):
            child = open_child(node, column)
            value = -self._value(child, -beta, -max(alpha, best))
            if value > best:
                best, node.best = value, child
            if best >= beta:
                cut(node, columns[tried:])
                break
        return self.leave(node, best)


def _in_plies(value: int, most: int) -> int:
    """Return a count of cells that are left, `most` at the root, as a score: WIN - n for a win in n plies."""
    return ending(value, most - abs(value))
