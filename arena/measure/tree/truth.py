"""Where the value of a search and perfect play part: the first node of the principal variation that is wrong."""

from __future__ import annotations

from agents.board import Board
from agents.score import VALUES, of_outcome, sign
from agents.solver.book import shipped_book
from agents.solver.solver import Solver, Stopped
from arena.measure.tree.node import Node, Tree

MOST_NODES = 2_000_000
"""Positions that the solver may visit for one node."""


def mark_truth(tree: Tree) -> Node | None:
    """Note, at the principal variation's first node with a wrong sign, its exact value; return the node.

    None where there is no such node and where most fours win; nodes that take the solver too long are passed over.
    """
    if tree.board.rules.most_fours:
        return None
    solver = Solver(tree.board.rules, 16, shipped_book(tree.board.rules))
    for node in tree.line:
        if node.value is None:
            return None
        exact = _exact(solver, node.board) * (1 if node.player == "MAX" else -1)
        if abs(exact) <= 1 and sign(node.value) != exact:
            said = f"here belief and truth part: with perfect play it is a {VALUES[exact]} for MAX"
            node.note = f"{node.note}; {said}" if node.note else said
            return node
    return None


def _exact(solver: Solver, board: Board) -> int:
    """Return 1, 0 or -1 for the side to move; 2 where it is not known."""
    if board.outcome is not None:
        return sign(of_outcome(board, 0))
    solver.allow(MOST_NODES)
    try:
        return solver.outcome_of(board)
    except Stopped:
        return 2
