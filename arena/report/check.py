"""What was found of agents before a tournament, as a table; its problems are sentences, which stand below."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.check import Checked
from arena.report.column import Column, Part, Table, known
from arena.report.numbers import significant, yes

CHECKED = [
    Column("agent", "agent"),
    Column("ok", "ok", yes),
    Column("positions", "positions"),
    Column("ms", "ms_median", significant(3), when=known),
    Column("longest", "ms_max", significant(3), when=known),
    Column("same twice", "deterministic", yes, when=known),
    Column("same mirrored", "mirrored", yes, when=known),
]


def checked(found: Sequence[Checked]) -> list[Part]:
    """Return a row for each agent."""
    return [Table("check", "", Checked, found, CHECKED)]
