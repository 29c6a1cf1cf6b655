"""Rows of tables: frozen dataclasses whose fields state unit and meaning, as DataFrames and as plain data."""

from __future__ import annotations

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Described:
    """What a column holds."""

    name: str
    """The field, as CSV, JSON and DataFrames call it."""
    type: str
    """As its annotation has it; a missing value is None."""
    unit: str
    """Such as plies or Elo; empty for words, counts and truth values."""
    meaning: str
    """A sentence or two."""


def described(row: type) -> list[Described]:
    """Return what each field of a row holds, read from the docstrings below the fields, `[unit] Meaning`."""
    found: dict[str, Described] = {}
    for part in reversed(row.__mro__[:-1]):
        found |= {each.name: each for each in _described(part)}
    return [found[name] for name in names(row)]


def names(row: type) -> list[str]:
    """Return the names of a row's fields, which are the columns of its table in CSV, JSON and DataFrames."""
    return [field.name for field in fields(row)]


def frame(rows: Iterable[object], row: type, meta: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return rows of one kind as a DataFrame; its columns and types are the same without any row.

    Its `.attrs` have the `meta`, if there is any.
    """
    import pandas as pd

    table = typed(pd.DataFrame([_values(each) for each in rows], columns=names(row)), row)
    if meta is not None:
        table.attrs["meta"] = meta
    return table


def typed(table: pd.DataFrame, row: type) -> pd.DataFrame:
    """Return the columns of a table that are fields of a row, as DTYPES has them; a missing value is pandas' NA."""
    kinds = {field.name: str(field.type).removesuffix(" | None") for field in fields(row)}
    return table[list(kinds)].astype({name: DTYPES.get(kind, "object") for name, kind in kinds.items()})


DTYPES = {"int": "Int64", "float": "Float64", "str": "string", "bool": "boolean"}
"""The types of a DataFrame's columns, by those of the fields; whatever else stands in an `object` column."""


def plain(rows: Iterable[object]) -> list[dict[str, Any]]:
    """Return rows as plain data, for JSON."""
    return [_values(row) for row in rows]


def read(row: type[Row], table: pd.DataFrame) -> list[Row]:
    """Return the rows of a DataFrame that has a column for each field and maybe more; a missing value is None."""
    whole = [str(field.type).startswith("int") for field in fields(row)]  # type: ignore[arg-type]
    cells = table[names(row)].astype(object)
    records = cells.where(cells.notna(), math.nan).itertuples(index=False, name=None)
    return [row(*map(_cell, record, whole)) for record in records]


def present(value: float) -> float | None:
    """Return a number, None for NaN, which is what the mean of nothing is."""
    return None if math.isnan(value) else float(value)


def _cell(value: Any, whole: bool) -> object:  # noqa: ANN401  a cell of a DataFrame, where a gap makes floats of integers
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if whole else value
    return value


def without(row: object, *left_out: str) -> dict[str, Any]:
    """Return a row's fields but for some, to make a row of another kind."""
    return {name: getattr(row, name) for name in names(type(row)) if name not in left_out}


def _values(row: object) -> dict[str, Any]:
    values = ((name, getattr(row, name)) for name in names(type(row)))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _described(part: type) -> list[Described]:
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(part))).body
    assert isinstance(definition, ast.ClassDef)
    found = []
    for statement, after in zip(definition.body, [*definition.body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            unit, meaning = re.fullmatch(r"(?:\[(.*?)\] ?)?(.*)", " ".join(str(text).split())).groups("")  # type: ignore[union-attr]
            found.append(Described(statement.target.id, ast.unparse(statement.annotation), unit, meaning))
    return found
