"""A search tree: what a search knew at each node, from the side of MAX, who is to move at the root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agents.board import Board
from agents.score import WIN, plies_to_end, proven
from arena.measure.tree.terms import Term, terms

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
    """What MAX is sure of already."""
    beta: int = INFINITY
    """What MIN is sure of already."""
    value: int | None = None
    """None where the search did not come here, or was interrupted before it left."""
    visited: int | None = None
    """The order of visit, from 1; None for what was never visited."""
    leaf: str = ""
    """Why it has no children: "heuristic", "over" for a finished game, or "table"; else empty."""
    cut: str | None = None
    """Why the search left before it had tried every move, in words."""
    note: str = ""
    """What else to know of the value, in words."""
    best: Node | None = None
    """The child that the value comes from."""
    children: list[Node] = field(default_factory=list)
    """In the order in which the search tries them; those that a cut left out come last."""

    @property
    def player(self) -> str:
        """Who is to move: MAX or MIN."""
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
    """What one search visited, and what it answered."""

    agent: str
    heuristic: str
    """The heuristic's name; empty where the search has none."""
    board: Board
    depth: int
    """Plies of the iteration that is shown; 0 where it was interrupted."""
    nodes: int
    """How many nodes were visited."""
    value: int | None
    """For the side to move at the root, as agents give scores."""
    move: int
    """The 0-based answer."""
    root: Node
    fixed_side: bool = False
    """Whether MAX values every leaf, and not who is to move there."""

    def terms(self, node: Node) -> list[Term]:
        """Return what a leaf's value is made of; none where the heuristic does not say."""
        if node.leaf != "heuristic":
            return []
        board, own_is_max = node.board, self.fixed_side or node.player == "MAX"
        own, opp = (board.own, board.opp) if own_is_max == (node.player == "MAX") else (board.opp, board.own)
        return terms(self.heuristic, own, opp, board.rules, own_is_max=own_is_max)

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
    end = "a win" if (value > 0) == (player == "MAX") else "a loss"
    return f"{end} in {plies_to_end(value)}" if abs(value) < WIN else end
