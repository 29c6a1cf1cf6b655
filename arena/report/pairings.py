"""Pairings as a table."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.pairings import Duel, tally
from arena.report import meaning
from arena.report.column import Column, Part, Table, label, several
from arena.report.labels import Labels
from arena.report.numbers import elo_interval, fixed, outcomes, percent, superiority, yes

ELO = [
    Column("score", "score", percent),
    Column("Elo", "elo", fixed(0)),
    Column("95 %", "basis low high", elo_interval),
]
LOS = Column("LOS %", "los_score basis", superiority)
HOLM = Column("Holm", "survives", yes, several, least=1)
DUELS = [
    Column("agent", "agent", label),
    Column("against", "against", label),
    Column("LL-LD-even-WD-WW", "counts", outcomes, least=4),
    *ELO,
    Column("nElo", "nelo", fixed(0), least=5),
    LOS,
    HOLM,
    Column("games", "games", least=2),
    Column("distinct", "distinct", least=3),
    Column("basis", "basis", least=6),
]


def parts(duels: Sequence[Duel]) -> list[Part]:
    """Return pairings as a table, and what all their agents share."""
    labels = Labels.among(name for met in duels for name in (met.agent, met.against))
    table = Table("pairings", "", Duel, duels, DUELS, labels, notes=meaning.PAIRINGS)
    return [table, tally(duels), labels.note]
