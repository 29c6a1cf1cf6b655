"""Columns of times that say when the machine was busy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.store.machine import Load
from arena.table.rows import Column

TIMES = {"ms", "time ×"}
"""Headers of times, which depend on the load of the machine."""


def busy(columns: Sequence[Column], *loads: Load | None) -> list[Column]:
    """Return columns, with a note on times if the machine was busy during the measurement."""
    notes = dict.fromkeys(load.note for load in loads if load is not None and load.busy)
    return [
        replace(column, note=", ".join([column.note, *notes])) if column.note and column.header in TIMES else column
        for column in columns
    ]
