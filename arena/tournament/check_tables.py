"""The table of checked agents."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.check import Checked
from arena.table.cells import significant, yes
from arena.table.parts import Part, Table
from arena.table.rows import Column, known

CHECKED = [
    Column("agent", "agent"),
    Column("ok", "ok", yes),
    Column("positions", "positions"),
    Column("ms", "ms_median", significant(3), when=known),
    Column("longest", "ms_max", significant(3), when=known),
    Column("same twice", "deterministic", yes, when=known),
    Column("same mirrored", "mirrored", yes, when=known),
]


def checked(rows: Sequence[Checked]) -> list[Part]:
    """Return a row for each agent."""
    return [Table("check", "", Checked, rows, CHECKED)]
