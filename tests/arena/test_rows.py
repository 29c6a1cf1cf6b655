import dataclasses
import importlib

import pytest

from arena import rows
from arena.analysis import effort, pool, rounds
from arena.analysis.comparison import Swept
from arena.analysis.standings import Crossing
from arena.analysis.stored import StoredOpening
from arena.measure import check, depths
from arena.report.tables import quality
from arena.rows import Column
from arena.statistics.intervals import Interval

ROWS = {
    "audited": ["AgentAudit", "AgentDistance", "RangeAudit", "Coverage"],
    "comparison": ["HeuristicStrength", "HeuristicDuel"],
    "crosstable": ["Crossing"],
    "difference": ["Change"],
    "effort": ["Effort"],
    "evidence": ["Look"],
    "faults": ["Fault"],
    "pairings": ["Duel"],
    "regret": ["Regret"],
    "standings": ["Standing"],
    "stored": ["StoredAgent", "StoredOpening", "StoredGame", "StoredMove", "StoredSearch", "StoredReply"],
    "sweep": ["Swept"],
}
MEASURED = {"agreement": ["AtDepth"], "bench": ["Speed"], "benchmark": ["Benchmarked"], "costs": ["Cost"],
            "divided": ["Divided"], "grades": ["Grade"], "tuning.tuning": ["Held"], "tuning.confirmation": ["Match"],
            "position": ["Value", "Tried"], "savings": ["Saving"], "slowdown": ["Slowdown"], "stages": ["StageGrade"],
            "verify": ["Effort"]}  # fmt: skip
MODULES = {
    "audited": "audit",
    "crosstable": "standings",
    "evidence": "pairings",
    "sweep": "comparison",
    "costs": "depths",
    "divided": "position",
    "grades": "grading",
    "savings": "verify",
    "slowdown": "bench",
    "stages": "grading",
}
KINDS = [
    getattr(importlib.import_module(f"{package}.{MODULES.get(module, module)}"), name)
    for package, kinds in (("arena.analysis", ROWS), ("arena.measure", MEASURED))
    for module, names in kinds.items()
    for name in names
]


@pytest.mark.parametrize("row", KINDS)
def test_every_field_of_a_row_says_what_it_holds_and_a_number_its_unit(row):
    described = rows.described(row)
    assert [each.name for each in described] == rows.names(row)
    assert {field.name for field in dataclasses.fields(row)} <= set(rows.names(row))
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
    assert rows.read(Crossing, rows.frame([row], Crossing)) == [row]


def test_an_interval_is_one_field_of_a_row_and_three_columns_for_programs():
    row = Swept("a", 3, Interval(10.0, None, 20.0), False, None, None, "depth", 3.0, None)
    assert rows.names(Swept)[2:5] == ["elo", "low", "high"]
    assert rows.names(Swept)[-3:] == ["step", "step_low", "step_high"]
    (document,) = rows.plain([row])
    assert [document[name] for name in ("elo", "low", "high")] == [10.0, None, 20.0]
    assert [document[name] for name in ("step", "step_low", "step_high")] == [None, None, None]
    assert list(rows.frame([row], Swept).dtypes[["elo", "low", "step_high"]].astype(str)) == ["Float64"] * 3
    assert rows.intervals(Swept) == {"elo": ("low", "high"), "step": ("step_low", "step_high")}
    meanings = {each.name: (each.type, each.unit, each.meaning) for each in rows.described(Swept)}
    assert meanings["low"] == ("float | None", "Elo", "Lower end of its 95 % interval.")
    assert "which knows what the two ratings share" in meanings["step_low"][2]


@pytest.mark.parametrize(
    "module", ["tables.quality", "tables.strength", "tables.effort", "tables.measures", "tables.run"]
)
def test_a_column_takes_no_field_that_no_row_has(module):
    known = {name for kind in KINDS for name in rows.names(kind)} | {"#"}
    others = [each for module in (pool, effort, rounds, depths, check, quality) for each in vars(module).values()]
    kinds = [each for each in others if dataclasses.is_dataclass(each)]
    known |= {name for kind in kinds for name in (*rows.names(kind), *vars(kind))}  # properties among them
    lists = [
        each for each in vars(importlib.import_module(f"arena.report.{module}")).values() if isinstance(each, list)
    ]
    columns = [each for listed in lists for each in listed if isinstance(each, Column) and isinstance(each.of, str)]
    assert len(columns) > 5
    assert {name for column in columns for name in column.of.split()} <= known


def test_whole_numbers_stay_whole_beside_a_gap():
    table = rows.frame([StoredOpening(1, "44", 1), StoredOpening(2, "12", None)], StoredOpening)
    assert table["value"].dtype == "Int64"
    assert [repr(row.value) for row in rows.read(StoredOpening, table)] == ["1", "None"]
