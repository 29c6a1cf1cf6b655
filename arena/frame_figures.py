"""Figures of tables without a stored run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from agents.board import STANDARD
from agents.errors import InputError
from arena.records import Interval
from arena.table.picture import Picture
from arena.table.rows import intervals

if TYPE_CHECKING:
    import pandas as pd

from arena.depth.figures import depths
from arena.perfect.figures import grades
from arena.plugins.counts.figures import ratings


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of a table that `arena.depths`, `arena.grade` or `arena.rate` returned. Raises InputError."""
    from arena.depth.cost import Cost
    from arena.perfect.grading import Grade
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
