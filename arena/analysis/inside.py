"""Inside the search: its nodes by kind, the moves that cut, what its table knew, and the least that it could cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.search.counting import Counts


@dataclass(frozen=True, slots=True)
class Inspected:
    """One search that was counted, from the beginning of its move."""

    nodes: int
    """[nodes]"""
    inner: int
    """[nodes] Those whose moves were tried."""
    leaves: int
    """[nodes] Those that were valued."""
    table_cutoffs: int
    """[nodes] Those that the transposition table settled."""
    cutoffs: tuple[int, ...]
    """[nodes] How many the first, second … move tried cut; a number for each column."""
    probes: int
    """How often the table was asked."""
    hits: int
    """How often it knew the position."""
    minimal_nodes: int | None
    """[nodes] Of the minimal tree; None where that was not found."""

    @classmethod
    def of(cls, nodes: int, counts: Counts, minimal: int | None) -> Inspected:
        """Return a search that visited so many nodes and counted this."""
        kinds = counts.inner, counts.leaves, counts.table_cutoffs
        return cls(nodes, *kinds, counts.cutoffs, counts.probes, counts.hits, minimal)


@dataclass(frozen=True)
class Inside:
    """What searches did inside, counted by another compilation of the same search; None for agents that cannot count.

    Counts are of a search, or the means of several; nodes are the inner ones, the leaves and the table cut-offs.
    """

    inner: float | None = None
    """[nodes] Those whose moves were tried, from the beginning of the move."""
    leaves: float | None = None
    """[nodes] Those that were valued, at the last ply or at the end of the game."""
    table_cutoffs: float | None = None
    """[nodes] Those that the transposition table settled."""
    cut_share: float | None = None
    """[share] Of inner nodes that were cut: the value of a move reached beta."""
    cutoffs: tuple[float, ...] | None = None
    """[nodes] How many the first, second … move tried cut; a number for each column."""
    first_move_cut_rate: float | None = None
    """[share] Of the nodes cut, those that the first move cut; None without any."""
    probes: float | None = None
    """[probes] How often the transposition table was asked."""
    hits: float | None = None
    """[probes] Those for which it knew the position, at whatever depth."""
    minimal_nodes: float | None = None
    """[nodes] The smallest tree that proves the value: without a table no alpha-beta can beat it. Of the searches for
    which it was found; None where it was too dear to find."""
    over_minimal: float | None = None
    """[ratio] Nodes over those of the minimal trees, in these searches; a table may bring it below 1."""
    uniform_nodes: int | None = None
    """[nodes] What the minimal tree would have if every node had a move in every column and the best were known."""


def inside(searches: Sequence[Any], depth: int) -> dict[str, Any]:
    """Return the fields of an Inside for searches of one depth [plies], all on boards of one size.

    searches: each an Inspected, or a row that has its fields.
    """
    if not searches:
        return {}
    cutoffs = tuple(_mean(turn) for turn in zip(*(each.cutoffs for each in searches), strict=True))
    found = {
        name: _mean([getattr(each, name) for each in searches])
        for name in ("inner", "leaves", "table_cutoffs", "probes", "hits")
    }
    known = [(each.nodes, each.minimal_nodes) for each in searches if each.minimal_nodes is not None]
    nodes, minimal = zip(*known, strict=True) if known else ((), ())
    return found | {
        "cut_share": sum(cutoffs) / found["inner"],
        "cutoffs": cutoffs,
        "first_move_cut_rate": cutoffs[0] / sum(cutoffs) if any(cutoffs) else None,
        "minimal_nodes": _mean(minimal) if known else None,
        "over_minimal": sum(nodes) / sum(minimal) if known else None,
        "uniform_nodes": uniform_nodes(len(cutoffs), depth),
    }


def uniform_nodes(columns: int, depth: int) -> int:
    """Return the size of the minimal tree [nodes] of a uniform tree, where each node down to `depth` has so many moves.

    Source: Knuth, Moore, "An Analysis of Alpha-Beta Pruning", 1975, which counts the nodes of one ply.
    """
    return sum(columns ** (ply // 2) + columns ** (ply - ply // 2) - 1 for ply in range(depth + 1))


def _mean(counts: Sequence[int]) -> float:
    """Return the mean, of one count the count itself."""
    return counts[0] if len(counts) == 1 else fmean(counts)
