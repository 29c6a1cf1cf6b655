"""A study's folder as people read it: tables, figures, methods and the page."""

from __future__ import annotations

from collections.abc import Sequence

from arena.measure.study.claims import Verdict
from arena.report.column import Table
from arena.rows import columns

VERDICTS = columns(Verdict, "claim text value low p verdict *", check={"least": 2})


def verdicts(rows: Sequence[Verdict]) -> Table:
    """Return what the claims of a study come to."""
    return Table("verdicts", "Claims", Verdict, rows, VERDICTS)
