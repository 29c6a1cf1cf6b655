"""The table of two runs, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from arena.plugins.diff.difference import Change
from arena.store.machine import Load
from arena.table.labels import Labels
from arena.table.parts import Part, Table
from arena.table.rows import columns
from arena.tournament.effort_tables import busy

CHANGES = columns(
    Change, "agent", "games", "score_old", "score", "positions", "same_moves", "same_nodes", "nodes_old", "nodes", "ms"
)


def difference_parts(changes: Sequence[Change], *loads: Load | None) -> list[Part]:
    """Return the comparison as a table, and a line for each agent that is identical or visited other nodes.

    loads: the loads of the machine during the games of the two runs.
    """
    labels = Labels.among(row.agent for row in changes)
    lines = [
        f"{labels.of(row.agent)} searches differently: other nodes in {row.other_nodes} of {row.positions} positions"
        for row in changes
        if row.other_nodes
    ]
    same = [
        f"{labels.of(row.agent)} is identical: {row.games:,} of {row.games:,} games the same"
        for row in changes
        if row.identical
    ]
    if len(same) == len(changes) > 1:
        same = [f"all {len(same)} agents are identical: their games are the same"]
    said = "\n".join([*same, *lines])
    return [Table("changes", "", Change, changes, busy(CHANGES, *loads), labels), said, labels.note]
