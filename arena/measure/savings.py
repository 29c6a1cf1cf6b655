"""What pruning saves: the nodes of each search against those of plain minimax, over all heuristics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.measure.verify import Effort


@dataclass(frozen=True, slots=True)
class Saving:
    """What one search visited with all heuristics on all positions."""

    how: str
    """`Compiled` or `Plain Python`."""
    search: str
    """The algorithm and its ordering."""
    variant: str
    """What else it used: a table, deepening."""
    depth: int
    """[plies]"""
    nodes: int
    """[nodes]"""
    minimax: int
    """[nodes] Those of plain minimax."""
    share: float
    """[share] Nodes over plain minimax's."""


def savings(how: str, efforts: Sequence[Effort]) -> list[Saving]:
    """Return a row for each search, from what it visited with each heuristic."""
    sums: dict[tuple[str, str, int], tuple[int, int]] = {}
    for each in efforts:
        key = each.search, each.variant, each.depth
        nodes, minimax = sums.get(key, (0, 0))
        sums[key] = nodes + each.nodes, minimax + each.minimax
    return [Saving(how, *key, nodes, minimax, nodes / minimax) for key, (nodes, minimax) in sums.items()]
