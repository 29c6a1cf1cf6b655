"""What a search can tell of its work beside its nodes, and how it is counted.

A node is *inner* where its moves are tried, a *leaf* where it is valued, and else a *table cut-off*, which an entry of
the table settles. An inner node is *cut* by a move whose value reaches beta, be it the last one, by which nothing is
saved.

Only the counting kernel counts: another compilation of the same source, in which COUNTING is true; see
`agents.search.negamax`.
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
"""Places behind the control words; from CUTOFFS on stands a word for each column, the first for first moves."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What searches did, added up; their nodes are the inner ones, the leaves and the table cut-offs."""

    inner: int
    leaves: int
    table_cutoffs: int
    probes: int
    """How often the table was asked."""
    hits: int
    """How often it knew the position, at whatever depth."""
    cutoffs: tuple[int, ...]
    """How many nodes were cut by the first move tried, the second and so on; a number for each column."""

    @classmethod
    def read(cls, control: Sequence[int], columns: int) -> Counts:
        """Return what stands behind the control words of a search on a board of so many columns."""
        inner, leaves, table_cutoffs, probes, hits, *cutoffs = map(int, control[INNER : CUTOFFS + columns])
        return cls(inner, leaves, table_cutoffs, probes, hits, tuple(cutoffs))


@jit(inline=True)
def count(control: int, place: int, more: int) -> None:
    """Add to what stands at a place behind the control words."""
    save(control, place, load(control, place) + more)


@jit(inline=True)
def count_leaves(control: int, valued: int, cut: bool) -> None:
    """Count the leaves of a node at the last ply, and whether the last of them cut it."""
    count(control, LEAVES, valued)
    count(control, CUTOFFS + valued - 1, cut)


@jit(inline=True)
def count_probe(control: int, settled: bool, reply: int) -> None:
    """Count that the table was asked, and what it knew: see `agents.search.transpositions.fetch`."""
    count(control, PROBES, 1)
    count(control, HITS, reply >= 0)
    count(control, TABLE_CUTOFFS, settled)


@jit(inline=True)
def count_cut(control: int, stack: int, frame: int, row: int, playable: int, beta: int, shape: Shape) -> None:
    """Count, where a node was cut, which of its moves did it; `playable` are the cells of its moves."""
    if load(stack, frame + BEST) >= beta:
        at, hash_move = load(stack, frame + TRY), load(stack, frame + HASH_MOVE)
        before = 1 if at >= 0 and hash_move >= 0 else 0
        for place in range(at):
            column = load(stack, row + place)
            disc = playable & ((1 << shape.rows) - 1) << column * (shape.rows + 1)
            before += disc != 0 and column != hash_move
        count(control, CUTOFFS + before, 1)
