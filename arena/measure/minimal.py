"""The minimal tree: the fewest nodes that prove the value of a position at some depth.

Proving a value v needs a lower bound and an upper bound. The tree that proves at least v has some move of the first
side, all replies to it, some move after each of them, and so on down to leaves worth v or more; the tree that proves at
most v has all moves of the first side, some reply to each, and so on. Every search that learns values from leaves alone
visits one tree of each kind: had it skipped a reply, that could be worth anything. So the smallest union of two such
trees is a lower bound on the nodes of every alpha-beta without a table.

The two trees share exactly one line, from the root to a leaf worth v. Hence the smallest union is found from the leaves
up. `least` and `most` are the sizes of the smallest trees that prove a node's value to be at least v and at most v, and
`both` is the size of the smallest union. At a node of the first side

    least = 1 + the smallest `least` of a child
    most  = 1 + the `most` of all children
    both  = most + the smallest (`both` - `most`) of a child,

and at a node of the other side `least` and `most` swap places. A bound that cannot be proved has size infinity. A
position that is reached in several ways is computed once, but counts each time: searches with a transposition table may
visit fewer nodes.

Source: Knuth, Moore, "An Analysis of Alpha-Beta Pruning", 1975, for uniform trees; here the cheapest moves are chosen.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from agents.bits.bitboard import landing_cells, line_completers, position_key
from agents.jit import compiler
from agents.jit.compiler import CHILDREN_SIGNATURE, children_at, jit, word, words
from agents.jit.memory import lanes_of, load, words_of
from agents.rules import all_cells, bottom_row
from agents.score import WIN
from agents.search.compiled import FULL
from agents.search.task import OPEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.board import Board
    from agents.search.compiled import CompiledHeuristic

MOST_POSITIONS = 1_000_000
"""The most different positions of one ply: some seconds, and 200 MB."""
INFINITE = np.inf

Layer = tuple["NDArray[np.int64]", "NDArray[np.intp]"]
"""The different positions of one ply: for each and each column the child's value for the mover, FULL or OPEN; and the
place in the next layer of each OPEN one, in their order."""


def minimal_nodes(
    board: Board,
    depth: int,
    value: int,
    heuristic: CompiledHeuristic,
    *,
    normal_win: bool = True,
    limit: int = MOST_POSITIONS,
) -> int | None:
    """Return the size of the minimal tree [nodes] of a position that is not over, the root and the leaves included.

    depth: plies. value: the position's at this depth, for the side to move. normal_win: a finished game is worth
    WIN - n or 0, else what the heuristic says. Return None where a ply has more different positions than `limit`, where
    the value is not the heuristic's, and where fours are counted at the end of the game.
    """
    if board.rules.most_fours and depth >= board.rules.columns * board.rules.rows - board.ply:
        return None
    layers = _layers(board, depth, heuristic, normal_win, limit)
    if layers is None:
        return None
    least = most = both = np.empty(0)
    for ply in range(len(layers) - 1, -1, -1):
        values, children = layers[ply]
        full, still_open = values == FULL, values == OPEN
        worth = values if ply % 2 == 0 else -values
        leaf = [np.where(shown, 1.0, INFINITE) for shown in (worth >= value, worth <= value, worth == value)]
        for sizes, below in zip(leaf, (least, most, both), strict=True):
            sizes[still_open] = below[children]
        if ply % 2 == 0:
            least, most, both = _folded(leaf[0], leaf[1], leaf[2], full)
        else:
            most, least, both = _folded(leaf[1], leaf[0], leaf[2], full)
    return int(both[0]) if np.isfinite(both[0]) else None


def _folded(
    least: NDArray[np.float64], most: NDArray[np.float64], both: NDArray[np.float64], full: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return least, most and both of nodes of the first side from those of their children, but for `full` columns.

    With least and most in each other's places they are those of nodes of the other side.
    """
    every = 1 + np.where(full, 0.0, most).sum(axis=1)
    spare = np.full(both.shape, INFINITE)
    np.subtract(both, most, out=spare, where=np.isfinite(both) & ~full)
    return 1 + np.where(full, INFINITE, least).min(axis=1), every, every + spare.min(axis=1)


def _layers(board: Board, depth: int, heuristic: CompiledHeuristic, normal_win: bool, limit: int) -> list[Layer] | None:
    """Return the plies of the tree from the root's on; None where one has more different positions than `limit`."""
    rules = board.rules
    expand = compiler.bind(
        build(rules.columns, rules.rows, rules.decisive), (heuristic.evaluate_children, CHILDREN_SIGNATURE)
    )
    own, opp = np.array([board.own], np.int64), np.array([board.opp], np.int64)
    layers: list[Layer] = []
    for ply in range(depth):
        values, moved, keys = (np.zeros((len(own), rules.columns), np.int64) for _ in range(3))
        win = WIN - ply - 1 if normal_win and not rules.most_fours else 0
        expand(own, opp, win, ply + 1 == depth, values.ravel(), moved.ravel(), keys.ravel())
        still_open = values == OPEN
        _, first, children = np.unique(keys[still_open], return_index=True, return_inverse=True)
        layers.append((values, children))
        if len(first) > limit:
            return None
        if len(first) == 0:
            break
        own, opp = opp[np.nonzero(still_open)[0][first]], moved[still_open][first]
    return layers


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., Any]:
    """Return the kernel that looks one ply ahead on this board size, called by `_layers`.

    connect: 0 where no line ends the game.

    own, opp: n positions. last: whether all children are leaves. values, moved, keys: n times columns, modified in
    place: a child's value, and where it is OPEN the discs of the side that moved there, and its key.
    """
    bottom, cells = bottom_row(columns, rows), all_cells(columns, rows)
    lanes = lanes_of(columns)

    @jit(types.void(word, words, words, word, types.boolean, words, words, words))
    def expand(evaluate_children, own, opp, win, last, values, moved, keys):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202  numba has the types
        evaluate_children = children_at(evaluate_children)
        room = np.empty(lanes, np.int64)
        place = words_of(room)
        for node in range(len(own)):
            mask = own[node] | opp[node]
            playable = landing_cells(mask, bottom) & cells
            completers = line_completers(own[node], rows, connect)
            for column in range(columns):
                at = node * columns + column
                disc = playable & ((1 << rows) - 1) << column * (rows + 1)
                mine = own[node] | disc
                if disc == 0:
                    values[at] = FULL
                elif last or mask | disc == cells or disc & completers != 0:
                    evaluate_children(own[node], opp[node], win, column, column + 1, place)
                    values[at] = load(place, column)
                else:
                    values[at], moved[at] = OPEN, mine
                    keys[at] = position_key(opp[node], mask | disc, bottom)

    return expand
