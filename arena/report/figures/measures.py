"""Figures of tables without a stored run: depths, grades, comparisons and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from agents.board import STANDARD
from agents.errors import InputError
from arena.records import Interval
from arena.report.figures import effort, quality, strength
from arena.report.figures.picture import Picture
from arena.report.labels import Labels
from arena.rows import intervals

if TYPE_CHECKING:
    import pandas as pd

    from arena.analysis.comparison import HeuristicStrength
    from arena.measure.grading import Grade


def depths(rows: Sequence[Any], columns: int) -> list[Picture]:
    """Return the figures of a depth table; rows of several positions become their means. columns: of the board.

    Raises InputError if no row has a depth and was measured.
    """
    labels = _labels(rows)
    known = [row for row in rows if row.nodes is not None and row.depth is not None]
    if not known:
        raise InputError("there is nothing to draw: every search was skipped or has no depth")
    clear = [row for row in known if not getattr(row, "mostly_call", False)] or known
    return [effort.states(known, columns, labels), effort.times(known, labels), effort.speed(clear, labels)]


def grades(rows: Sequence[Grade]) -> list[Picture]:
    """Return the figure of grades."""
    return [quality.grades(rows, _labels(rows))]


def ratings(rows: Sequence[strength.Rated]) -> list[Picture]:
    """Return the figure of ratings."""
    return [strength.standings(rows, _labels(rows))]


def comparison(rows: Sequence[HeuristicStrength]) -> list[Picture]:
    """Return the figure of heuristics compared."""
    return [strength.levels(rows)]


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of a table that `arena.depths`, `arena.grade` or `arena.rate` returned. Raises InputError."""
    from arena.measure.depths import Cost
    from arena.measure.grading import Grade
    from arena.statistics.ratings import Rating

    known = set(table.columns)
    if {"agent", "depth", "clear_good"} <= known:
        return grades(_rows(table, Grade))
    if {"agent", "depth", "nodes", "nodes_per_second"} <= known:
        return depths(_rows(table, Cost), STANDARD.columns)
    if {"agent", "elo", "low", "high"} <= known:
        return ratings(_rows(table, Rating))
    raise InputError("this table has no figure; depth tables, grades, ratings and the tables of runs have figures")


def _rows(table: pd.DataFrame, kind: type) -> list[Any]:
    """Return rows with an attribute for each column; intervals of the row class become intervals."""
    found = [SimpleNamespace(**row) for row in table.astype(object).where(table.notna(), None).to_dict("records")]
    for name, ends in intervals(kind).items():
        if {name, *ends} <= set(table.columns):
            for row in found:
                value, low, high = (getattr(row, each) for each in (name, *ends))
                setattr(row, name, None if value is None else Interval(value, low, high))
    return found


def _labels(rows: Sequence[Any]) -> Labels:
    return Labels.among(dict.fromkeys(row.agent for row in rows))
