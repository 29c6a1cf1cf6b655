"""Rows of tables: frozen dataclasses of which each field carries its unit, meaning, header and format in one place."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from arena.records import Interval
from arena.table.cells import plain as as_it_is

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row")


def always(_: Sequence[object]) -> bool:
    """Show the column whatever its values are."""
    return True


def known(values: Sequence[object]) -> bool:
    """Show the column where any row has a value."""
    return any(value is not None for value in values)


def varied(values: Sequence[object]) -> bool:
    """Show the column where its values differ."""
    return len(set(values)) > 1


def several(values: Sequence[object]) -> bool:
    """Show the column where there is more than one row."""
    return len(values) > 1


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table that people read."""

    header: str
    """Two columns may share one."""
    of: str | Callable[[Any], object]
    """The fields that the cell is made of, parted by blanks; "#" is the line's number; or a function of the row."""
    write: Callable[..., str] = as_it_is
    """Takes the fields' values."""
    when: Callable[[Sequence[object]], bool] = always
    """Takes the first values of all rows: whether there is such a column."""
    missing: str = "-"
    """What stands where the first value is missing; so it is where a row has no such field."""
    least: int = 0
    """Where the terminal is too narrow, the columns of the highest number are left out first, those of 0 last."""
    cuts: Callable[[str, int], str] | None = None
    """What makes its cells as narrow as that, where they may be cut."""
    note: str = ""
    """What it means, to stand below the table; one that begins with a star only where a cell has one."""


_REQUIRED: Any = object()


def cell(
    meaning: str,
    header: str = "",
    write: Callable[..., str] = as_it_is,
    when: Callable[[Sequence[object]], bool] = always,
    *,
    of: str = "",
    missing: str = "-",
    least: int = 0,
    note: str = "",
    ends: Column | None = None,
    low_high: str = "",
    by: str = "",
    default: Any = _REQUIRED,  # noqa: ANN401  of the field's type
) -> Any:  # noqa: ANN401  as dataclasses.field
    """Return a field of a row.

    meaning: a sentence or two, after the unit in brackets if it has one: `[plies] The deepest that was completed.`
    header: of its column; without one only CSV, JSON and DataFrames have the field. of: the fields that the cell is
    made of, if it is not this one alone. Of an Interval, which is three columns for programs: ends is the column that
    shows its ends, low_high their names if these are not NAME_low and NAME_high, after those of fields that come before
    them, and by says more of the interval. write, when, missing, least, note: as the fields of Column. default: of the
    field, which without one has to be given.
    """
    unit, text = re.fullmatch(r"(?:\[(.*?)\] ?)?(.*)", meaning, re.DOTALL).groups("")  # type: ignore[union-attr]
    shown = Column(header, of, write, when, missing, least, note=note) if header else None
    more = {} if default is _REQUIRED else {"default": default}
    lower = f"Lower end of its 95 % interval{f', {by}' if by else ''}."
    parts = {"column": shown, "ends": ends, "low_high": low_high, "lower": lower}
    return field(metadata={"unit": unit, "meaning": text, **parts}, **more)


@dataclass_transform(frozen_default=True, field_specifiers=(cell,))
def table_row(kind: type[Row]) -> type[Row]:
    """Make a class a row: a frozen dataclass with `cell` for its fields."""
    return dataclass(frozen=True)(kind)


def columns(kind: type, order: str = "*", *, base: type | None = None, **changes: Mapping[str, Any]) -> list[Column]:
    """Return the columns of a table of rows of one kind, in the order of their fields.

    order: names of fields, parted by blanks, where the table has another order or leaves some out: `*` stands for all
    that are not named, and `-name` leaves one out. base: a kind of which `*` leaves out the fields. changes: by
    field, what this table has otherwise, as in Column.
    """
    shown: dict[str, Column] = {}
    for attribute in fields(kind):
        if attribute.metadata.get("column"):
            shown[attribute.name] = attribute.metadata["column"]
        if attribute.metadata.get("ends"):
            *_, low, high = _after(attribute)
            shown[low] = replace(attribute.metadata["ends"], of=attribute.metadata["ends"].of or f"{low} {high}")
    words = order.split()
    left_out = {*words, *(names(base) if base else ())}
    rest = [name for name in shown if name not in left_out and f"-{name}" not in words]
    listed = [name for word in words if not word.startswith("-") for name in (rest if word == "*" else [word])]
    return [replace(shown[name], of=shown[name].of or name, **changes.get(name, {})) for name in listed]


@dataclass(frozen=True, slots=True)
class Described:
    """What a field of a row holds."""

    name: str
    """As CSV, JSON and DataFrames call it."""
    type: str
    """As its annotation has it; a missing value is None."""
    unit: str
    """Such as plies or Elo; empty for words, counts and truth values."""
    meaning: str
    """A sentence or two."""


def described(kind: type) -> list[Described]:
    """Return what each column of a kind of row holds in CSV, JSON and DataFrames."""
    entries = []
    for attribute in fields(kind):
        number = str(attribute.type).replace("Interval", "float")
        entries.append(Described(attribute.name, number, attribute.metadata["unit"], attribute.metadata["meaning"]))
        if _is_interval(attribute):
            for name, meaning in zip(
                _after(attribute)[-2:], (attribute.metadata["lower"], "Upper end of it."), strict=True
            ):
                entries.append(Described(name, "float | None", attribute.metadata["unit"], meaning))
    order = names(kind)
    return sorted(entries, key=lambda entry: order.index(entry.name))


def names(kind: type) -> list[str]:
    """Return the columns of a kind of row in CSV, JSON and DataFrames: its fields, of an Interval also both ends."""
    listed = (name for field in fields(kind) for name in (field.name, *(_after(field) if _is_interval(field) else ())))
    return list(dict.fromkeys(listed))


def value(row: Any, name: str) -> object:  # noqa: ANN401  a row of any kind
    """Return what a row has in a column for programs; None where it has no such column or the value is infinite."""
    kind: Any = type(row)
    parts = _parts(kind)
    if name not in parts:
        return getattr(row, name, None)
    field, part = parts[name]
    number = getattr(getattr(row, field), part, None)
    return None if number in (math.inf, -math.inf) else number


@functools.cache
def _parts(kind: Any) -> dict[str, tuple[str, str]]:  # noqa: ANN401  a class
    """Return the columns that are parts of intervals: the field and its part by the name of the column."""
    spans = intervals(kind) if hasattr(kind, "__dataclass_fields__") else {}
    return {
        name: (field, part)
        for field, ends in spans.items()
        for name, part in zip((field, *ends), ("value", "low", "high"), strict=True)
    }


def intervals(kind: type) -> dict[str, tuple[str, str]]:
    """Return the fields of a kind of row that are intervals, with the names of the columns of their ends."""
    return {field.name: (_after(field)[-2], _after(field)[-1]) for field in fields(kind) if _is_interval(field)}


def _is_interval(field: Field[Any]) -> bool:
    return str(field.type).startswith("Interval")


def _after(field: Field[Any]) -> list[str]:
    """Return the columns that follow the value of an interval, the ends last."""
    headers: str = field.metadata.get("low_high") or f"{field.name}_low {field.name}_high"
    return headers.split()


def frame(rows: Iterable[object], kind: type, meta: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return rows of one kind as a DataFrame; its columns and types are the same without any row.

    Its `.attrs` have the `meta`, if there is any.
    """
    import pandas as pd

    table = typed(pd.DataFrame([_values(row) for row in rows], columns=names(kind)), kind)
    if meta is not None:
        table.attrs["meta"] = meta
    return table


def typed(table: pd.DataFrame, kind: type) -> pd.DataFrame:
    """Return the columns of a table that are fields of a row, as DTYPES has them; a missing value is pandas' NA."""
    annotations = {field.name: str(field.type).removesuffix(" | None") for field in fields(kind)}
    types = {name: annotations.get(name, "float").replace("Interval", "float") for name in names(kind)}
    return table[list(types)].astype({name: DTYPES.get(annotation, "object") for name, annotation in types.items()})


DTYPES = {"int": "Int64", "float": "Float64", "str": "string", "bool": "boolean"}
"""The types of a DataFrame's columns, by those of the fields; whatever else stands in an `object` column."""


def plain(rows: Iterable[object]) -> list[dict[str, Any]]:
    """Return rows as plain data, for JSON."""
    return [_values(row) for row in rows]


def restored(kind: type[Row], data: Mapping[str, Any]) -> Row:
    """Return the row that `plain` made plain data of. Raises KeyError or TypeError where it was another kind of row."""
    values = dict(data)
    for name, ends in intervals(kind).items():
        value, (low, high) = values[name], (values.pop(end) for end in ends)
        if value is None and (low is None) != (high is None):
            value = math.inf if high is None else -math.inf
        values[name] = None if value is None else Interval(value, low, high)
    return kind(**values)


def from_frame(kind: type[Row], table: pd.DataFrame) -> list[Row]:
    """Return the rows of a DataFrame that has a column for each field and maybe more; a missing value is None."""
    whole = [str(field.type).startswith("int") for field in fields(kind)]  # type: ignore[arg-type]
    values = table[names(kind)].astype(object)
    records = values.where(values.notna(), math.nan).itertuples(index=False, name=None)
    return [kind(*map(_read, record, whole)) for record in records]


def without(row: object, *left_out: str) -> dict[str, Any]:
    """Return a row's fields but for some, to make a row of another kind."""
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name not in left_out}  # type: ignore[arg-type]


def _read(value: Any, whole: bool) -> object:  # noqa: ANN401  a cell of a DataFrame, where a gap makes floats of integers
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if whole else value
    return value


def _values(row: object) -> dict[str, Any]:
    values = ((name, value(row, name)) for name in names(type(row)))
    return {name: list(item) if isinstance(item, tuple) else item for name, item in values}


def rows_of(table: pd.DataFrame, kind: type) -> list[Any]:
    """Return rows with an attribute for each column; intervals of the row class become intervals."""
    rows = [SimpleNamespace(**row) for row in table.astype(object).where(table.notna(), None).to_dict("records")]
    for name, ends in intervals(kind).items():
        if {name, *ends} <= set(table.columns):
            for row in rows:
                value, low, high = (getattr(row, column) for column in (name, *ends))
                setattr(row, name, None if value is None else Interval(value, low, high))
    return rows
