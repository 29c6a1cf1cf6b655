"""The trace of `agents.search.itu`: the depth of a leaf travels with its value and decides ties at the root."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.board import Board
from agents.score import WIN, ending
from arena.measure.tree.node import INFINITY, Node
from arena.measure.tree.recorder import Recorder, cut, open_child, playable


class Trace(Recorder):
    """One search, recorded. A win is WIN at any distance; the record has the distance of its leaf in it."""

    def __init__(self, evaluate: Callable[[int, int], int], order: Sequence[int], depth: int) -> None:
        super().__init__()
        self.evaluate = evaluate
        self.order = order
        self.depth = depth

    def search(self, board: Board) -> Node:
        """Return the root of the tree."""
        root = Node(board, None, 0)
        self._value(root, -INFINITY, INFINITY)
        return root

    def _value(self, node: Node, alpha: int, beta: int) -> tuple[int, int]:
        """Return the value of a node for its mover, and the ply of the leaf that it comes from."""
        self.visit(node, alpha, beta)
        board, sign = node.board, -1 if node.ply % 2 else 1
        if board.outcome is not None and board.outcome.winner is not None:
            return self._leave(node, -WIN, node.ply, "over")
        if board.outcome is not None or node.ply == self.depth:  # valued by the root's mover, not by this one
            own, opp = (board.own, board.opp) if sign > 0 else (board.opp, board.own)
            return self._leave(node, sign * int(self.evaluate(own, opp)), node.ply, "heuristic")
        best, leaf = -INFINITY, 0
        columns = playable(self.order, board)
        for tried, column in enumerate(columns, start=1):
            child = open_child(node, column)
            low = max(alpha, best) if node.ply else -INFINITY
            value, its_leaf = self._value(child, -beta, -low)
            value = -value
            sooner = its_leaf < leaf if value >= 0 else its_leaf > leaf
            if value > best or (node.ply == 0 and value == best and sooner):
                best, leaf, node.best = value, its_leaf, child
            if best >= beta:
                cut(node, columns[tried:])
                break
        return self._leave(node, best, leaf)

    def _leave(self, node: Node, value: int, leaf: int, kind: str = "") -> tuple[int, int]:
        self.leave(node, value, kind)
        if abs(value) == WIN:
            assert node.value is not None
            node.value = ending(node.value, leaf)
        return value, leaf
