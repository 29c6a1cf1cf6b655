from __future__ import annotations

import dataclasses
import importlib
import math
import re
from pathlib import Path

import pytest

from agents.errors import InputError
from arena.depth import cost as depths
from arena.games import check
from arena.perfect import tables as quality
from arena.records import Interval, Outcomes
from arena.table import rows
from arena.table.cells import ends, gap, signed
from arena.table.measured import Measured, remaining
from arena.table.parts import cells
from arena.table.rows import Column
from arena.tournament import effort, pool, rounds
from arena.tournament.standings import Crossing
from arena.tournament.stored import StoredOpening
from arena.tournament.sweep import Swept

ROOT = Path(__file__).parents[3]
KINDS = [
    getattr(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)), name)
    for file in sorted((ROOT / "arena").rglob("*.py"))
    for name in re.findall(r"^@table_row\nclass (\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
]


def test_all_rows_are_here():
    assert len(KINDS) > 40


@pytest.mark.parametrize("row", KINDS)
def test_every_field_of_a_row_says_what_it_holds_and_a_number_its_unit(row):
    described = rows.described(row)
    assert [each.name for each in described] == rows.names(row)
    one = {field.name for field in dataclasses.fields(row) if not field.type.startswith("Outcomes")}
    assert one <= set(rows.names(row))
    for each in described:
        assert each.unit or each.meaning, each.name
        assert each.type


def test_a_description_has_the_unit_first_and_keeps_the_order_of_the_fields():
    found = rows.described(Crossing)
    assert [each.name for each in found][:4] == ["agent", "opponent", "games", "points"]
    assert found[3] == rows.Described("points", "float", "points", "The agent's: a win is one, a draw a half.")
    assert (found[0].unit, found[0].meaning) == ("", "Its name in the run.")


def test_rows_are_dataframes_with_their_fields_for_columns_also_where_there_are_none():
    row = Crossing("a", "b", 2, 1.5, 1, 1, 0)
    assert rows.frame([row], Crossing).to_dict(orient="records") == rows.plain([row])
    assert list(rows.frame([], Crossing).columns) == rows.names(Crossing)
    assert rows.from_frame(Crossing, rows.frame([row], Crossing)) == [row]


def test_a_measurement_is_a_table_without_hidden_fields_that_warns_of_agents_that_failed():
    row, faults = Crossing("a", "b", 2, 1.5, 1, 1, 0), (InputError("--x failed"), InputError("y failed"))
    measured = Measured([row], Crossing, {"seed": 1}, hidden=("wins",), faults=faults)
    with pytest.warns(UserWarning, match="^left out") as warned:
        table = measured.frame()
    assert [str(warning.message) for warning in warned] == ["left out: x failed", "left out: y failed"]
    assert {warning.filename for warning in warned} == {__file__}
    assert (list(table.columns), table.attrs) == (
        [name for name in rows.names(Crossing) if name != "wins"], {"meta": {"seed": 1}}
    )  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        dataclasses.replace(measured, interrupted=True).frame()


def test_where_all_agents_failed_the_first_fault_is_raised_and_else_all_are_kept():
    one, two = InputError("one"), InputError("two")
    assert remaining([one, two], ["row"]) == (one, two)
    assert remaining([], []) == remaining([], ["row"]) == ()
    with pytest.raises(InputError, match=r"^one$"):
        remaining([one, two], [])


def test_an_interval_is_one_field_of_a_row_and_three_columns_for_programs():
    row = Swept("a", 3, Interval(10.0, None, 20.0), False, None, "depth", 3.0, None)
    assert rows.names(Swept)[2:5] == ["elo", "low", "high"]
    assert rows.names(Swept)[-3:] == ["step", "step_low", "step_high"]
    (document,) = rows.plain([row])
    assert [document[name] for name in ("elo", "low", "high")] == [10.0, None, 20.0]
    assert [document[name] for name in ("step", "step_low", "step_high")] == [None, None, None]
    assert list(rows.frame([row], Swept).dtypes[["elo", "low", "step_high"]].astype(str)) == ["Float64"] * 3
    assert rows.intervals(Swept) == {"elo": ("low", "high"), "step": ("step_low", "step_high")}
    meanings = {each.name: (each.type, each.unit, each.meaning) for each in rows.described(Swept)}
    assert meanings["low"] == ("float | None", "Elo", "Lower end of its 95 % interval.")
    assert "which allows for what the two ratings share" in meanings["step_low"][2]


@pytest.mark.parametrize(
    "module", ["perfect.tables", "comparison.tables", "tournament.effort_tables", "depth.tables", "tournament.tables"]
)
def test_a_column_takes_no_field_that_no_row_has(module):
    known = {name for kind in KINDS for name in (*rows.names(kind), *kind.__dataclass_fields__)} | {"#"}
    others = [each for module in (pool, effort, rounds, depths, check, quality) for each in vars(module).values()]
    kinds = [each for each in others if isinstance(each, type) and dataclasses.is_dataclass(each)]
    known |= {name for kind in kinds for name in (*rows.names(kind), *vars(kind))}  # properties among them
    lists = [each for each in vars(importlib.import_module(f"arena.{module}")).values() if isinstance(each, list)]
    columns = [each for listed in lists for each in listed if isinstance(each, Column) and not callable(each.of)]
    assert len(columns) > 5
    assert {name for column in columns for name in (column.of, column.beside) if name} <= known


def test_whole_numbers_stay_whole_beside_a_gap():
    table = rows.frame([StoredOpening(1, "44", 1), StoredOpening(2, "12", None)], StoredOpening)
    assert table["value"].dtype == "Int64"
    assert [repr(row.value) for row in rows.from_frame(StoredOpening, table)] == ["1", "None"]


def both(one, two):
    return f"{one}/{two}"


@rows.table_row
class Base:
    """What stands first."""

    name: str = rows.cell("Its name.", "agent", str)
    hidden: int = rows.cell("[plies] Not shown\nin a table.", default=3)


@rows.table_row
class Whole(Base):
    """A row of all kinds of fields."""

    score: Interval | None = rows.cell(
        "[share] Points [a game].",
        "score", both, rows.known, beside="hidden", missing="none", least=2, note="a note",
        ends=Column("95 %", rows.MEASURED, str, note="ends"), by="by openings", default=None,
    )  # fmt: skip
    named: Interval | None = rows.cell("Of other ends.", prefix="of_", default=None)
    parts: tuple[int, ...] = rows.cell("[games]", "parts", when=any, default=())
    sure: bool | None = rows.cell("Whether.", "sure", default=None)


ROW = Whole("a", 4, Interval(0.5, 0.25, None), Interval(2.0, 1.0, 3.0), (1, 2), True)


def test_a_field_says_its_unit_its_meaning_and_of_an_interval_its_ends():
    told = [(each.name, each.type.replace(" | None", "?"), each.unit, each.meaning) for each in rows.described(Whole)]
    by = "Lower end of its 95 % interval, by openings."
    assert told == [
        ("name", "str", "", "Its name."), ("hidden", "int", "plies", "Not shown\nin a table."),
        ("score", "float?", "share", "Points [a game]."), ("score_low", "float?", "share", by),
        ("score_high", "float?", "share", "Upper end of it."), ("named", "float?", "", "Of other ends."),
        ("of_low", "float?", "", "Lower end of its 95 % interval."), ("of_high", "float?", "", "Upper end of it."),
        ("parts", "tuple[int, ...]", "games", ""), ("sure", "bool?", "", "Whether."),
    ]  # fmt: skip
    assert Whole("b") == Whole("b", 3, None, None, (), None)
    assert len({ROW, dataclasses.replace(ROW), dataclasses.replace(ROW, hidden=5)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        ROW.hidden = 1
    with pytest.raises(TypeError, match="name"):
        Whole()


@pytest.mark.parametrize(
    ("order", "headers"),
    [
        ((), ["agent", "score", "95 %", "parts", "sure"]),
        (("sure", "name"), ["sure", "agent"]),
        (("score", "hidden", "name"), ["score", "95 %", "agent"]),
    ],
)
def test_a_table_has_the_columns_of_the_fields_that_are_named_in_their_order(order, headers):
    assert [column.header for column in rows.columns(Whole, *order)] == headers


def test_a_column_keeps_what_its_field_says_but_for_what_the_table_changes():
    name, score, ends, parts, _ = rows.columns(Whole)
    assert (name.of, name.write, name.when, name.missing, name.least, name.note) == (
        "name",
        str,
        rows.always,
        "-",
        0,
        "",
    )
    assert score == Column("score", "score", both, rows.known, "none", 2, note="a note", beside="hidden")
    assert (ends.of, ends.header, ends.note, ends.missing) == (
        rows.Whole(unbounded=False, field="score"),
        "95 %",
        "ends",
        "-",
    )
    assert (parts.of, parts.when([(), (1,)]), parts.when([(), ()])) == ("parts", True, False)
    _, other, lower, *_ = rows.columns(Whole, score={"header": "points", "least": 7}, score_low={"note": "other"})
    assert other == dataclasses.replace(score, header="points", least=7)
    assert lower == dataclasses.replace(ends, note="other")


@rows.table_row
class Match:
    """Two fields of several columns: outcomes, and an interval that one cell shows whole."""

    first: Outcomes | None = rows.cell("[games] as the first player.", "as first")
    total: Outcomes | None = rows.cell("[games]", "W-D-L", prefix="")
    gap: Interval | None = rows.cell(
        "[Elo]", "behind", gap, of=rows.INTERVAL, ends=Column("95 %", rows.MEASURED, ends(signed)), prefix="gap_"
    )  # fmt: skip


def test_outcomes_are_one_cell_and_three_columns_for_programs():
    row = Match(Outcomes(3, 1, 0), Outcomes(4, 1, 2), None)
    told = [(each.name, each.type, each.unit, each.meaning) for each in rows.described(Match)]
    assert told[:4] == [
        ("first_wins", "int", "games", "Wins as the first player."),
        ("first_draws", "int", "games", "Draws as the first player."),
        ("first_losses", "int", "games", "Losses as the first player."), ("wins", "int", "games", ""),
    ]  # fmt: skip
    assert list(rows.plain([row])[0].values()) == [3, 1, 0, 4, 1, 2, None, None, None]
    assert rows.frame([row, Match(None, None, None)], Match)["losses"].dtype == "Int64"
    shown = cells([row, Match(None, None, None)], rows.columns(Match))
    assert [column.cells for column in shown] == [["3-1-0", "-"], ["4-1-2", "-"], ["-", "-"], ["-", "-"]]
    assert [list(column.values) for column in shown[:2]] == [[3, None], [4, None]]


@pytest.mark.parametrize(
    ("interval", "unbounded", "texts"),
    [
        (Interval(30.0, 20.0, 40.0), False, ["30 ± 10", "+20 … +40"]),
        (Interval(30.0, None, 40.0), False, ["30 [← … 40]", "← … +40"]),
        (Interval(30.0, None, None), False, ["30 [← … →]", "-"]),
        (Interval(30.0, None, None), True, ["30 [← … →]", "← … →"]),
        (Interval(math.inf, 90.0, None), True, ["inf [90 … →]", "+90 … →"]),
        (None, True, ["-", "-"]),
    ],
)
def test_a_cell_shows_an_interval_whole_or_its_ends(interval, unbounded, texts):
    *_, whole, ends = rows.columns(Match)
    ends = dataclasses.replace(ends, of=rows.Whole(unbounded=unbounded, field="gap"))
    shown = cells([Match(None, None, interval)], [whole, ends])
    assert [column.cells for column in shown] == [[text] for text in texts]
    assert shown[0].values == [None if interval is None or interval.value == math.inf else interval.value]


def test_a_row_is_read_by_the_names_of_its_columns():
    names = ["score", "score_low", "score_high", "of_low", "of_high", "name", "parts", "nothing"]
    assert [rows.value(ROW, name) for name in names] == [0.5, 0.25, None, 1.0, 3.0, "a", (1, 2), None]
    assert [rows.value(Whole("b"), name) for name in names[:4]] == [None] * 4
    assert rows.plain([ROW, Whole("b")]) == [
        {"name": "a", "hidden": 4, "score": 0.5, "score_low": 0.25, "score_high": None, "named": 2.0, "of_low": 1.0,
         "of_high": 3.0, "parts": [1, 2], "sure": True},
        {"name": "b", "hidden": 3, "score": None, "score_low": None, "score_high": None, "named": None, "of_low": None,
         "of_high": None, "parts": [], "sure": None},
    ]  # fmt: skip
    assert rows.without(ROW, "score", "named", "parts") == {"name": "a", "hidden": 4, "sure": True}


def test_tables_have_the_types_of_their_fields_and_what_they_are_of():
    for given in ([ROW, Whole("b")], []):
        found = rows.frame(given, Whole, {"run": "x"})
        assert found.attrs == {"meta": {"run": "x"}}
        assert {name: str(kind) for name, kind in found.dtypes.items()} == {
            "name": "string", "hidden": "Int64", "parts": "object", "sure": "boolean",
            **dict.fromkeys(("score", "score_low", "score_high", "named", "of_low", "of_high"), "Float64"),
        }  # fmt: skip
    assert rows.frame([], Whole).attrs == {}
    wide = rows.frame([ROW], Whole).assign(more=1)
    assert list(rows.typed(wide[wide.columns[::-1]], Whole).columns) == rows.names(Whole)


def test_a_column_shows_where_its_values_ask_for_it():
    assert [rows.always(each) for each in ([], [None])] == [True, True]
    assert [rows.known(each) for each in ([], [None, None], [None, 0])] == [False, False, True]
    assert [rows.varied(each) for each in ([], [3, 3], [3, 4], [3])] == [False, False, True, False]
    assert [rows.several(each) for each in ([], [3], [3, 3])] == [False, False, True]


@rows.table_row
class Rated:
    """An interval with a field among its columns."""

    name: str = rows.cell("Its name.")
    elo: Interval | None = rows.cell("[Elo] Its rating.", "Elo", prefix="")
    elo_error: float | None = rows.cell("[Elo] Half the width.")


@pytest.mark.parametrize(
    ("elo", "flat"),
    [
        (Interval(3.0, 1.0, 5.0), (3.0, 1.0, 5.0)),
        (Interval(3.0, None, None), (3.0, None, None)),
        (Interval(math.inf, 90.0, None), (None, 90.0, None)),
        (Interval(-math.inf, None, -90.0), (None, None, -90.0)),
        (None, (None, None, None)),
    ],
)
def test_an_infinite_value_is_missing_in_tables_and_comes_back(elo, flat):
    row = Rated("a", elo, 2.0)
    (document,) = rows.plain([row])
    assert list(document.items()) == [
        ("name", "a"), ("elo", flat[0]), ("low", flat[1]), ("high", flat[2]), ("elo_error", 2.0)
    ]  # fmt: skip
    assert [each.name for each in rows.described(Rated)] == list(document) == list(rows.frame([row], Rated).columns)
    assert rows.restored(Rated, document) == row


@pytest.mark.parametrize("change", [{"more": 1}, {"low": ...}])
def test_a_row_with_other_columns_is_not_restored(change):
    (document,) = rows.plain([Rated("a", None, None)])
    changed = {name: each for name, each in (document | change).items() if each is not ...}
    with pytest.raises((KeyError, TypeError)):
        rows.restored(Rated, changed)


@pytest.mark.parametrize(
    "elo",
    [Interval(3.0, 1.0, 5.0), Interval(3.0, None, 5.0), Interval(3.0, 1.0, None), Interval(3.0, None, None), None],
)
def test_rows_of_a_table_have_its_columns_and_an_interval_where_all_three_are_there(elo):
    table = rows.frame([Rated("a", elo, None), Rated("b", Interval(0.0, -1.0, 1.0), 2.0)], Rated)
    ends = (None, None) if elo is None else (elo.low, elo.high)
    one, two = map(vars, rows.rows_of(table.assign(more=[7, 8]), Rated))
    assert one == {"name": "a", "elo": elo, "low": ends[0], "high": ends[1], "elo_error": None, "more": 7}
    assert two == {"name": "b", "elo": Interval(0.0, -1.0, 1.0), "low": -1.0, "high": 1.0, "elo_error": 2.0, "more": 8}
    value = elo if elo is None else elo.value
    for part in (["name", "elo"], ["elo", "low"], ["elo", "high"]):
        assert rows.rows_of(table[part], Rated)[0].elo == value
    assert rows.rows_of(table[:0], Rated) == []
