"""Traces: the search kernels written in the slow and obvious way, recursive and on boards, to record each step.

Windows and values are those of the node's mover while a trace runs, as in the kernels, and MAX's in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.bits.bitboard import position_key
from agents.board import Board
from agents.jit.memory import address_of
from agents.score import WIN, ending, of_outcome
from agents.search.oneil import SORTED_ABOVE
from agents.search.transpositions import fetch, store
from arena.measure.tree.node import INFINITY, Bounds, Node, Recorder, arranged, cut, open_child, playable, worth

if TYPE_CHECKING:
    from agents.search.compiled import CompiledOrdering


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a search, the same in every iteration."""

    evaluate: Callable[[int, int], int]
    order: CompiledOrdering
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


class NegamaxTrace(Recorder):
    """One iteration of `agents.search.negamax`: minimax or alpha-beta, with an ordering, a table and a hash move."""

    def __init__(self, bounds: Bounds, search: SearchSettings, depth: int) -> None:
        super().__init__(bounds)
        self.how = search
        self.depth = depth

    def search(self, board: Board, hash_move: int) -> Node:
        """Return the root of the tree; `hash_move` is a column to try first, or -1."""
        root = Node(board, None, 0)
        self._value(root, -INFINITY, INFINITY, hash_move)
        return root

    def _value(self, node: Node, alpha: int, beta: int, hash_move: int) -> int:
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
            hash_move = int(reply)
        best = self._best(node, alpha, beta, hash_move if deep else -1)
        if tabled:
            assert node.best is not None
            assert node.best.column is not None
            store(*table, key, self.depth - node.ply, node.ply, best, alpha, beta, node.best.column)
        return self.leave(node, best)

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

    def _from_table(self, node: Node, value: int, *, at_least: bool) -> int:
        """Leave a node that an entry of the table settles."""
        self.leave(node, value, "table")
        assert node.value is not None
        bound = "at least" if at_least == (node.player == "MAX") else "at most"
        node.note = f"known from the table: {bound} {worth(node.value)}"
        return value


class ItuTrace(Recorder):
    """One search of `agents.search.itu`: a leaf's depth travels with its value and decides ties at the root.

    A win is WIN at any distance; the record has the distance of its leaf in it.
    """

    def __init__(self, bounds: Bounds, evaluate: Callable[[int, int], int], order: Sequence[int], depth: int) -> None:
        super().__init__(bounds)
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


class _OutOfNodesError(Exception):
    """The search has visited as many nodes as it may."""


class OneilTrace(Recorder):
    """One search of `agents.search.oneil`: alpha-beta to the end of the game, with two extra cuts.

    Values count the cells that are left; the record has them in plies from the root.
    """

    def __init__(self, bounds: Bounds, order: CompiledOrdering, board: Board, budget: int) -> None:
        cells = board.rules.columns * board.rules.rows - board.ply
        super().__init__(bounds, lambda value: ending(value, cells + 1 - abs(value)))  # as WIN - n for n plies
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
