"""The game tree's size below each first move, by which two move generators are held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agents.board import Board


@dataclass(frozen=True, slots=True)
class Divided:
    """What lies below one first move."""

    column: int
    """[column] From 1."""
    sequences: int
    """[sequences] Of exactly so many moves."""
    nodes: int
    """[nodes] Of the tree below the move, with the position after it."""


def divided(board: Board, depth: int) -> Iterator[Divided]:
    """Yield a row for each first move; `depth`, at least 1, includes that move."""
    from agents.search.perft import divide

    for column, sequences, nodes in divide(board, depth):
        yield Divided(column + 1, sequences, nodes)
