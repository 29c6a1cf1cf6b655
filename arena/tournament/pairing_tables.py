"""The table of pairings."""

from __future__ import annotations

from collections.abc import Sequence

from arena.table.labels import Labels
from arena.table.parts import Detail, Part, Table
from arena.table.rows import columns
from arena.tournament.pairings import Duel, tally

DUELS = columns(
    Duel, "agent", "against", "counts", "score", "elo", "nelo", "los_score", "survives", "games", "distinct"
)


def pairings_parts(duels: Sequence[Duel]) -> list[Part]:
    """Return pairings as a table, and the settings that all their agents share."""
    labels = Labels.among(name for met in duels for name in (met.agent, met.against))
    table = Table("pairings", "", Duel, duels, DUELS, labels)
    bases = dict.fromkeys(met.basis for met in duels if met.basis)
    return [table, Detail(f"95 %: {', '.join(bases)}" if bases else ""), tally(duels), labels.note]
