"""Counts a search's work by kinds of nodes.

A node is *inner* if its moves are tried, a *leaf* if it is evaluated, and a *table cut-off* if a table entry settles
it. A move *cuts* an inner node if its value reaches beta, even if it is the node's last move.

Only the variant of the kernel with COUNTING counts; see `agents.search.negamax`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.jit.compiler import jit
from agents.jit.memory import load, save
from agents.search.frame import BEST, HASH_MOVE, TRY
from agents.search.task import CONTROL_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.search.task import Shape

COUNTING = False
INNER, LEAVES, TABLE_CUTOFFS, PROBES, HITS, CUTOFFS = range(CONTROL_WORDS, CONTROL_WORDS + 6)
"""Places behind the control words; from CUTOFFS on there is a word for each place in the order of moves."""


@dataclass(frozen=True, slots=True)
class NodeCounts:
    """Sums over searches; inner nodes, leaves and table cut-offs add up to all nodes."""

    inner: int
    leaves: int
    table_cutoffs: int
    probes: int
    """Look-ups in the table."""
    hits: int
    """Look-ups that found the position, at any depth."""
    cutoffs: tuple[int, ...]
    """Cut-offs by the first move tried, by the second, and so on; one number for each column."""

    @classmethod
    def read(cls, control: Sequence[int], columns: int) -> NodeCounts:
        """Return the counts from the control words of a search on a board of so many columns."""
        inner, leaves, table_cutoffs, probes, hits, *cutoffs = map(int, control[INNER : CUTOFFS + columns])
        return cls(inner, leaves, table_cutoffs, probes, hits, tuple(cutoffs))


@jit(inline=True)
def count(control: int, place: int, more: int) -> None:
    """Add `more` to the word at `place`, behind the control words."""
    save(control, place, load(control, place) + more)


@jit(inline=True)
def count_leaves(control: int, valued: int, cut: bool) -> None:
    """Count the leaves of a frontier node, and whether the last of them cut it."""
    count(control, LEAVES, valued)
    count(control, CUTOFFS + valued - 1, cut)


@jit(inline=True)
def count_probe(control: int, settled: bool, reply: int) -> None:
    """Count a look-up and its result; see `agents.search.transpositions.fetch`."""
    count(control, PROBES, 1)
    count(control, HITS, reply >= 0)
    count(control, TABLE_CUTOFFS, settled)


@jit(inline=True)
def count_cut(control: int, stack: int, frame: int, row: int, playable: int, beta: int, shape: Shape) -> None:
    """Count a cut-off, if the best value reaches `beta`, by the place of the move that caused it.

    control: the address of the control words. playable: the cells of the node's moves.
    stack, frame, row, shape: see `agents.search.frame`.
    """
    if load(stack, frame + BEST) >= beta:
        at, hash_move = load(stack, frame + TRY), load(stack, frame + HASH_MOVE)
        before = 1 if at >= 0 and hash_move >= 0 else 0
        for place in range(at):
            column = load(stack, row + place)
            disc = playable & ((1 << shape.rows) - 1) << column * (shape.rows + 1)
            before += disc != 0 and column != hash_move
        count(control, CUTOFFS + before, 1)
