"""Figures of an audit and of grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.perfect import kept as audit
from arena.perfect import quality_figures as quality
from arena.table.labels import Labels, of_rows
from arena.table.picture import Picture
from arena.table.rows import rows_of
from arena.tournament.figures import in_order
from arena.tournament.frames import Frames

if TYPE_CHECKING:
    import pandas as pd

    from arena.perfect.grading import Grade


def grades(rows: Sequence[Grade]) -> list[Picture]:
    """Return the figure of grades."""
    return [quality.grades(rows, of_rows(rows))]


def audit_pictures(frames: Frames, order: Sequence[str] = ()) -> list[Picture]:
    """Return the figures of a run's audit; none if nothing is audited. order: the order of the agents' colours."""
    ranges = in_order(audit.ranges(frames), order)
    return [quality.kept(ranges, Labels.among(map(str, frames.agents["name"])))] if ranges else []


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of such a table as a DataFrame."""
    from arena.perfect.grading import Grade

    return grades(rows_of(table, Grade))
