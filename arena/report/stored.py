"""What is stored of a run, as tables."""

from __future__ import annotations

from arena.analysis.frames import Frames
from arena.analysis.rows import names, read
from arena.analysis.stored import STORED
from arena.report.column import Column, Table


def stored(frames: Frames, name: str) -> Table:
    """Return the run's agents, openings, games, moves or searches."""
    row = STORED[name]
    columns = [Column(field, field) for field in names(row)]
    return Table(name, "", row, read(row, getattr(frames, name)), columns)
