"""A search tree with what the search knew at each node. All numbers are those of MAX, the mover at the root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents.board import Board
from agents.score import plies_to_end, proven

if TYPE_CHECKING:
    from agents.players.searcher import Searcher
    from agents.search.compiled import CompiledOrdering

INFINITY = 1 << 40


@dataclass(slots=True, eq=False)
class Node:
    """A position of the tree. Numbers are MAX's; the window is the one that the node was given."""

    board: Board
    column: int | None
    """The 0-based move that leads here; None at the root."""
    ply: int
    """Plies below the root."""
    alpha: int = -INFINITY
    """MAX's value is at least this."""
    beta: int = INFINITY
    """MIN's bound: the value is at most this."""
    value: int | None = None
    """None where the search did not visit the node."""
    visited: int | None = None
    """The order of visit, from 1; None for what was never visited."""
    leaf: str = ""
    """Why it has no children: "heuristic", "over" for a finished game, or "table"; else empty."""
    cut: str | None = None
    """Why the search left before it tried every move, in words."""
    note: str = ""
    """A remark on the value, in words."""
    best: Node | None = None
    """The child that the value comes from."""
    children: list[Node] = field(default_factory=list)
    """In the order in which the search tries them; those that a cut left out come last."""

    @property
    def player(self) -> str:
        """The side to move: MAX or MIN."""
        return "MIN" if self.ply % 2 else "MAX"

    @property
    def pruned(self) -> list[int]:
        """The 0-based columns that were never visited."""
        return [child.column for child in self.children if child.visited is None and child.column is not None]

    def __iter__(self) -> Iterator[Node]:
        """Yield this node and all below it, parents first, in the order of visit."""
        ahead = [self]
        while ahead:
            node = ahead.pop()
            yield node
            ahead.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes that one search visited, and its answer."""

    agent: str
    board: Board
    depth: int
    """Plies of the iteration that is shown."""
    nodes: int
    """Nodes visited."""
    value: int
    """For the side to move at the root, as agents give scores."""
    move: int
    """The 0-based answer."""
    root: Node

    @property
    def line(self) -> list[Node]:
        """The principal variation, the root first."""
        nodes = [self.root]
        while nodes[-1].best is not None:
            nodes.append(nodes[-1].best)
        return nodes


def worth(value: int, player: str = "MAX") -> str:
    """Return a value in words: MAX's number, or how many plies from the root the player wins or loses."""
    if value == -INFINITY:
        return "−∞"
    if value == INFINITY:
        return "+∞"
    if not proven(value):
        return str(value).replace("-", "−")
    return f"{'a win' if (value > 0) == (player == 'MAX') else 'a loss'} in {plies_to_end(value)}"


@dataclass(slots=True)
class Bounds:
    """The limits of one tree and its counterpart; another thread may stop both."""

    nodes: int = 200_000
    """Traced at most: some seconds, and as much as a page can hold."""
    seconds: float = 5.0
    """Enough for a kernel to visit a hundred times the largest tree, also on a busy machine."""
    agent: Searcher | None = None
    """The one that searches."""
    stopped: bool = False

    def stop(self) -> None:
        """End the search that is running, and all that follow."""
        self.stopped = True
        if self.agent is not None:
            self.agent.stop()


def open_child(node: Node, column: int) -> Node:
    """Return a new child of a node."""
    child = Node(node.board.play(column), column, node.ply + 1)
    node.children.append(child)
    return child


def cut(node: Node, untried: Sequence[int]) -> None:
    """Record that the search skips the untried columns of a node, and why."""
    for column in untried:
        open_child(node, column)
    if untried:
        node.cut = _reason(node)


def _reason(node: Node) -> str:
    """Return the mover's value so far and the bound that the other side has above, in words."""
    assert node.best is not None
    assert node.best.value is not None
    other, bound = ("MIN", node.beta) if node.player == "MAX" else ("MAX", node.alpha)
    here = worth(node.best.value, node.player)
    return f"{node.player} already has {here} here; {other} above is sure of {worth(bound, other)}"


def arranged(order: CompiledOrdering, board: Board) -> list[int]:
    """Return the columns that can be played as an ordering sorts them, equal ones in its first order."""
    legal = board.legal_moves()
    columns = [column for column in order.columns if column in legal]
    if order.score is None:
        return columns
    keys = {column: order.score(board.own, board.opp, column) for column in columns}
    return sorted(columns, key=lambda column: -keys[column])
