"""The table of weights that were found."""

from __future__ import annotations

from arena.plugins.tune.tuning import Held, TuningResult
from arena.table.parts import Part, Table
from arena.table.rows import columns

SETS = columns(Held)


def tune_parts(tuned: TuningResult) -> list[Part]:
    """Return both sets, and the verdict."""
    title = (
        f"{tuned.tuned}, the best of {tuned.tried:,} tried from {tuned.start}: clear-cut positions answered well, at "
        f"depth {tuned.depth}"
    )
    return [Table("sets", title, Held, [tuned.train, tuned.held_out], SETS), tuned.verdict]
