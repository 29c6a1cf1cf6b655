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
from arena.table import cells

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
    """The field that the cell shows, of an interval its value; a function of the row; or "#", the line's number."""
    write: Callable[..., str] = cells.plain
    """Takes what the cell shows."""
    when: Callable[[Sequence[object]], bool] = always
    """Takes the values of all rows: whether there is such a column."""
    missing: str = "-"
    """What stands where there is no value; so it is where a row has no such field."""
    least: int = 0
    """Where the terminal is too narrow, the columns of the highest number are left out first, those of 0 last."""
    cuts: Callable[[str, int], str] | None = None
    """What makes its cells as narrow as that, where they may be cut."""
    note: str = ""
    """What it means, to stand below the table; one that begins with a star only where a cell has one."""
    beside: str = ""
    """Another field that `write` takes as well, such as whether the value has a star."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A function of a row: the interval of a field, by default of that which has the column."""

    unbounded: bool = True
    """Whether it is shown without any end, too."""
    field: str = ""

    def __call__(self, row: object) -> Interval | None:
        """Return the interval, None where the row has none."""
        interval = getattr(row, self.field, None)
        if not isinstance(interval, Interval) or (interval.low is interval.high is None and not self.unbounded):
            return None
        return interval


INTERVAL, MEASURED = Whole(), Whole(unbounded=False)
"""Of intervals whose ends may be open, and of those whose ends may be unknown."""


_REQUIRED: Any = object()


def cell(
    meaning: str,
    header: str = "",
    write: Callable[..., str] = cells.plain,
    when: Callable[[Sequence[object]], bool] = always,
    *,
    of: Whole | None = None,
    beside: str = "",
    missing: str = "-",
    least: int = 0,
    note: str = "",
    ends: Column | None = None,
    prefix: str | None = None,
    by: str = "",
    default: Any = _REQUIRED,  # noqa: ANN401  of the field's type
) -> Any:  # noqa: ANN401  as dataclasses.field
    """Return a field of a row.

    meaning: a sentence or two, after the unit in brackets if it has one: `[plies] The deepest that was completed.`
    header: of its column; without one only CSV, JSON and DataFrames have the field. default: of the field, which
    without one has to be given. write, when, missing, least, note, beside: as the fields of Column.

    Of an Interval, for programs NAME, NAME_low and NAME_high: of is INTERVAL where write takes all of it, ends is the
    column that shows its ends, and by says more of them. Of Outcomes, for programs NAME_wins, NAME_draws and
    NAME_losses; the meaning follows these words. prefix: stands instead of NAME_.
    """
    unit, text = re.fullmatch(r"(?:\[(.*?)\] ?)?(.*)", meaning, re.DOTALL).groups("")  # type: ignore[union-attr]
    shown = Column(header, of or "", write, when, missing, least, note=note, beside=beside) if header else None
    more = {} if default is _REQUIRED else {"default": default}
    lower = f"Lower end of its 95 % interval{f', {by}' if by else ''}."
    meanings = {"value": text, "low": lower, "high": "Upper end of it."}
    return field(metadata={"unit": unit, "meanings": meanings, "column": shown, "ends": ends, "prefix": prefix}, **more)


@dataclass_transform(frozen_default=True, field_specifiers=(cell,))
def table_row(kind: type[Row]) -> type[Row]:
    """Make a class a row: a frozen dataclass with `cell` for its fields."""
    return dataclass(frozen=True)(kind)


def columns(kind: type, *order: str, **changes: Mapping[str, Any]) -> list[Column]:
    """Return the columns of a table of rows of one kind; the ends of an interval follow it.

    order: the fields that the table shows, by default all that have a column, in their order. changes: by field, or by
    the name of the lower end, what this table has otherwise, as in Column.
    """
    shown: list[Column] = []
    attributes = {attribute.name: attribute for attribute in fields(kind)}
    for name in order or attributes:
        parts = attributes[name].metadata
        if column := parts["column"]:
            shown.append(replace(column, of=_of(column, name), **changes.get(name, {})))
        if column := parts["ends"]:
            low = list(_parts(attributes[name]))[1]
            shown.append(replace(column, of=_of(column, name), **changes.get(low, {})))
    return shown


def _of(column: Column, name: str) -> str | Whole:
    return replace(column.of, field=name) if isinstance(column.of, Whole) else name


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
        unit, meanings = attribute.metadata["unit"], attribute.metadata["meanings"]
        for name, part in (_parts(attribute) or {attribute.name: "value"}).items():
            meaning = meanings.get(part) or (meanings["value"] and f"{part.capitalize()} {meanings['value']}")
            entries.append(Described(name, _types(kind)[name], unit, meaning))
    return entries


def names(kind: type) -> list[str]:
    """Return the columns of a kind of row in CSV, JSON and DataFrames: its fields, of some their parts."""
    return list(_types(kind))


@functools.cache
def _types(kind: Any) -> dict[str, str]:  # noqa: ANN401  a class
    """Return the types of these columns, by their names."""
    of_parts = {"low": "float | None", "high": "float | None", "wins": "int", "draws": "int", "losses": "int"}
    return {
        name: of_parts.get(part, str(field.type).replace("Interval", "float"))
        for field in fields(kind)
        for name, part in (_parts(field) or {field.name: "value"}).items()
    }


def value(row: Any, name: str) -> object:  # noqa: ANN401  a row of any kind
    """Return what a row has in a column for programs; None where it has no such column or the value is infinite."""
    kind: Any = type(row)
    parts = _all_parts(kind)
    if name not in parts:
        return getattr(row, name, None)
    field, part = parts[name]
    number = getattr(getattr(row, field), part, None)
    return None if number in (math.inf, -math.inf) else number


@functools.cache
def _all_parts(kind: Any) -> dict[str, tuple[str, str]]:  # noqa: ANN401  a class
    """Return the columns that are parts of fields: the field and its part by the name of the column."""
    whole = fields(kind) if hasattr(kind, "__dataclass_fields__") else ()
    return {name: (field.name, part) for field in whole for name, part in _parts(field).items()}


def intervals(kind: type) -> dict[str, tuple[str, ...]]:
    """Return the fields of a kind of row that are intervals, with the names of the columns of their ends."""
    parts = {field.name: _parts(field) for field in fields(kind)}
    return {name: tuple(columns)[1:] for name, columns in parts.items() if "low" in columns.values()}


def _parts(field: Field[Any]) -> dict[str, str]:
    """Return the parts of a field that is several columns for programs, by the names of these columns; else none."""
    prefix = field.metadata.get("prefix")
    prefix = f"{field.name}_" if prefix is None else prefix
    match str(field.type).removesuffix(" | None"):
        case "Interval":
            return {field.name: "value", f"{prefix}low": "low", f"{prefix}high": "high"}
        case "Outcomes":
            return {prefix + part: part for part in ("wins", "draws", "losses")}
    return {}


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
    types = {name: annotation.removesuffix(" | None") for name, annotation in _types(kind).items()}
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
