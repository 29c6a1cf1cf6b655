"""The size of the game tree: the number of sequences of moves, and the number of nodes.

The last two plies are counted in bulk. With k playable columns, of which w win, a node has k children and
(k - w) k - t grandchildren, where t of the k - w children that do not win fill their column.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from agents.bits.bitboard import landing_cells, line_completers
from agents.jit.compiler import jit, word
from agents.jit.vectors import popcount
from agents.rules import all_cells, bottom_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agents.board import Board

SLICE = 8
"""Plies that one call of the kernel counts; it cannot be interrupted. From the empty board that is 7 million nodes."""


def perft(board: Board, depth: int) -> tuple[int, int]:
    """Return (sequences of exactly `depth` moves, nodes of the tree of `depth` plies, the root included).

    A position that is over is a leaf: it has no moves.
    """
    if depth <= SLICE and board.outcome is None:
        rules = board.rules
        sequences, nodes = build(rules.columns, rules.rows, rules.decisive)(board.own, board.opp, depth)
        return int(sequences), int(nodes)
    if depth == 0:
        return 1, 1
    sequences, nodes = 0, 1
    for _, part, part_nodes in divide(board, depth):
        sequences += part
        nodes += part_nodes
    return sequences, nodes


def divide(board: Board, depth: int) -> Iterator[tuple[int, int, int]]:
    """Yield (0-based column, sequences, nodes) for each first move; `depth`, at least 1, includes that move."""
    for column in board.legal_moves():
        yield column, *perft(board.play(column), depth - 1)


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[[int, int, int], tuple[int, int]]:
    """Return the kernel `count(own, opp, depth)` for this board size; the position is not over.

    connect: the length of a line that ends the game, 0 for none.

    Returns (sequences, nodes) as `perft` does.
    """
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)
    top = bottom << rows - 1

    @jit(types.UniTuple(word, 2)(word, word, word))
    def count(own: int, opp: int, depth: int) -> tuple[int, int]:
        assert depth >= 0
        assert own & opp == 0
        if depth == 0:
            return 1, 1
        playable = landing_cells(own | opp, bottom) & cells
        if depth == 1:
            return popcount(playable), 1 + popcount(playable)
        movers = np.empty(depth, np.int64)
        others = np.empty(depth, np.int64)
        untried = np.empty(depth, np.int64)
        sequences = 0
        nodes = 0
        ply = 0
        while ply >= 0:
            # Enter the node (own, opp) at this ply.
            playable = landing_cells(own | opp, bottom) & cells
            quiet = playable & ~line_completers(own, rows, connect)
            children = popcount(playable)
            nodes += 1
            if ply == depth - 2:
                grandchildren = popcount(quiet) * children - popcount(quiet & top)
                nodes += children + grandchildren
                sequences += grandchildren
                ply -= 1
            else:
                nodes += children - popcount(quiet)
                movers[ply] = own
                others[ply] = opp
                untried[ply] = quiet
            # Go to the next node: up to the first one with a move left, then down that move.
            while ply >= 0 and untried[ply] == 0:
                ply -= 1
            if ply >= 0:
                disc = untried[ply] & -untried[ply]
                untried[ply] ^= disc
                own = others[ply]
                opp = movers[ply] | disc
                ply += 1
        return sequences, nodes

    return count
