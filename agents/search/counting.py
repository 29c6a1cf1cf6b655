"""Counts a search's work by kinds of nodes.

A node is *inner* if its moves are tried, a *leaf* if it is evaluated, and a *table cut-off* if a table entry settles
it. A move *cuts* an inner node if its value reaches beta, even if it is the node's last move.

A search counts with the flag COUNT, see `agents.search.control`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.jit.compiler import jit
from agents.jit.vectors import load, save
from agents.search.control import COUNTS

if TYPE_CHECKING:
    from agents.search.control import Words

INNER, LEAVES, TABLE_CUTOFFS, PROBES, HITS, CUTOFFS = range(COUNTS, COUNTS + 6)
"""Places in a search's memory; from CUTOFFS on there is a word for each place in the order of moves."""


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
    def read(cls, memory: Words, columns: int) -> NodeCounts:
        """Return the counts from the memory of a search on a board of so many columns."""
        inner, leaves, table_cutoffs, probes, hits, *cutoffs = map(int, memory[INNER : CUTOFFS + columns])
        return cls(inner, leaves, table_cutoffs, probes, hits, tuple(cutoffs))


@jit(inline=True)
def count(m: int, place: int, more: int) -> None:
    """Add `more` to the word at `place` of the memory at the address `m`."""
    save(m, place, load(m, place) + more)
