"""What all traced searches share: to open a node, to leave it, and to say why it was cut.

A trace is the search written in the slow and obvious way, recursive and on boards, so that each step can be recorded.
Windows and values are the node's mover's while it runs, as in the kernels, and MAX's in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from agents.board import Board
from agents.errors import InputError
from arena.measure.tree.node import INFINITY, Node, worth

if TYPE_CHECKING:
    from agents.search.parts import Order
    from arena.measure.tree.bounds import Bounds


class Recorder:
    """Counts visits and writes nodes down. `shown` turns MAX's value at a ply into the one that is recorded."""

    def __init__(self, shown: Callable[[int], int] = lambda value: value) -> None:
        self.nodes = 0
        self.shown = shown
        self.bounds: Bounds | None = None

    def visit(self, node: Node, alpha: int, beta: int) -> None:
        """Record that the search enters a node with this window of its mover's. Raises InputError if stopped."""
        if self.bounds is not None and self.bounds.stopped:
            raise InputError("the tree takes too long to draw; give a smaller depth")
        self.nodes += 1
        node.visited = self.nodes
        low, high = (alpha, beta) if node.ply % 2 == 0 else (-beta, -alpha)
        node.alpha, node.beta = self._bound(low), self._bound(high)

    def _bound(self, value: int) -> int:
        return value if abs(value) == INFINITY else self.shown(value)

    def leave(self, node: Node, value: int, leaf: str = "") -> int:
        """Record a node's value, which is its mover's, and return it."""
        node.value = self.shown(value if node.ply % 2 == 0 else -value)
        node.leaf = leaf
        return value


def open_child(node: Node, column: int) -> Node:
    """Return a new child of a node."""
    child = Node(node.board.play(column), column, node.ply + 1)
    node.children.append(child)
    return child


def cut(node: Node, untried: Sequence[int], reason: str = "") -> None:
    """Record that the search leaves the untried columns of a node alone, and why."""
    for column in untried:
        open_child(node, column)
    if untried:
        node.cut = reason or _reason(node)


def _reason(node: Node) -> str:
    """Say what the mover has already, and what the other side, above, is sure of."""
    assert node.best is not None
    assert node.best.value is not None
    other, bound = ("MIN", node.beta) if node.player == "MAX" else ("MAX", node.alpha)
    here = worth(node.best.value, node.player)
    return f"{node.player} already has {here} here; {other} above is sure of {worth(bound, other)}"


def playable(columns: Iterable[int], board: Board) -> list[int]:
    """Return the columns that can be played, in the order given."""
    legal = board.legal_moves()
    return [column for column in columns if column in legal]


def arranged(order: Order, board: Board) -> list[int]:
    """Return the columns that can be played as an ordering sorts them, equal ones in its first order."""
    columns = playable(order.columns, board)
    if order.score is None:
        return columns
    keys = {column: order.score(board.own, board.opp, column) for column in columns}
    return sorted(columns, key=lambda column: -keys[column])
