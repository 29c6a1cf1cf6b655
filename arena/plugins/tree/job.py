"""The tree that a search visits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.board import Board
from arena.games.settings import spec

if TYPE_CHECKING:
    from pathlib import Path

    from agents.specs.registry import Spec
    from arena.plugins.tree.node import Bounds, Tree


def tree(agent: str, board: Board, depth: int | None = None, *, html: Path | None = None) -> Tree:
    """Return the tree that an agent's search visits on a position; `arena tree` from Python.

    agent: the spec of a minimax or alpha-beta search. depth: the most plies, by default the agent's depth. html: a file
    for an interactive page. Raises InputError.
    """
    from arena.plugins.tree.build import tree
    from arena.store.writing import write

    entered = spec(agent)
    drawn = tree(entered, board, depth)
    if html is not None:
        write(html, _tree_page(entered, drawn))
    return drawn


def tree_limits(nodes: int, seconds: float) -> Bounds:
    """Return limits for one `tree_page`: nodes to draw, seconds to search; another thread may call their `stop`."""
    from arena.plugins.tree.node import Bounds

    return Bounds(nodes, seconds)


def tree_page(agent: str, board: Board, depth: int, limits: Bounds, *, whole: bool = True) -> str:
    """Return a page with a search tree beside that of the same search with, or without, pruning. Raises InputError.

    agent, board, depth: the spec of the search, the position, and the most plies. limits: see `tree_limits`.
    whole: True for a self-contained document, False for a page of `arena serve`.
    """
    from arena.plugins.tree.build import tree

    return _tree_page(agent, tree(agent, board, depth, limits), limits, whole=whole)


def _tree_page(agent: str | Spec, tree: Tree, limits: Bounds | None = None, *, whole: bool = True) -> str:
    from arena.plugins.tree.build import counterpart
    from arena.plugins.tree.tables import page

    return page(tree, counterpart(agent, tree.board, tree.depth, limits), whole=whole)
