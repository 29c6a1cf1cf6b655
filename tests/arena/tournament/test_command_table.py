import csv
import json

import pytest
from audited import SMALL, audit_all
from columns import RUN
from played import played
from samples import ODD

from arena.table.rows import described
from arena.table.styles import STYLES, Style, csv_grid

RUN_FILE = "run.sqlite"
COMMANDS = {
    "audit": (["audit", RUN_FILE], {"audit": "of these kept", "ranges": "ply 0-13"}),
    "diff": (["diff", RUN_FILE, RUN_FILE], {"changes": "same moves"}),
    "grade": (["grade", "greedy", "--positions", "2", "--plies", "36", "-q"], {"grades": "clear-cut good"}),
    "rate": (["rate", RUN_FILE], {"ratings": "elo"}),
    "verify": (
        ["verify", "minimax", "alphabeta", "--positions", "1", "--depth", "2", "-q"],
        {"agreement": "same value"},
    ),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """An audited run on a small board that has rows for almost every table."""
    agents = ["minimax:depth=1", "minimax:depth=2", "random", f"{ODD}:Nine", f"{ODD}:Raises"]
    path = played(tmp_path_factory.mktemp("run") / RUN_FILE, *agents, openings="plies:4", rounds=2, rules=SMALL)
    audit_all(path)
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_one_table_of_a_command_is_asked_for_by_name(arena, run, monkeypatch, name):
    monkeypatch.chdir(run.parent)
    words, tables = COMMANDS[name]
    for table, header in tables.items():
        out = arena(*words, "--table", table).out
        assert header in out
        rows = json.loads(arena(*words, "--table", table, "--json").out)
        head, *lines = arena(*words, "--table", table, "--style", "csv").out.splitlines()
        assert [key for key in rows[0] if key != "meta"] == head.split(",")
        assert len(rows) == len(lines)
    done = arena(*words, "--table", "nobody")
    assert done.code == 2
    assert all(table in done.err for table in tables)


def test_the_table_of_faults_is_text_for_people_and_rows_for_programs(arena, run, monkeypatch):
    rows = json.loads(arena("show", run, "--table", "faults", "--json").out)
    lines = list(
        csv.DictReader(arena("show", run, "--table", "faults", "--style", "csv").out.splitlines(keepends=True))
    )
    assert len(rows) > 1
    assert lines == [{name: str(value) for name, value in row.items()} for row in rows]
    text = arena("show", run, "--table", "faults").out
    assert all(row["command"] in text for row in rows)
    monkeypatch.setitem(STYLES, "lines", Style(csv_grid, data=True))
    for table in ("faults", "blunders", "agents", "effort"):
        one, other = (arena("show", run, "--table", table, "--style", style).out for style in ("lines", "csv"))
        assert one == other != "", table


@pytest.mark.parametrize("name", [name for name in RUN if name != "models"])  # no language model played
def test_every_table_of_a_run_has_all_its_documented_columns_in_csv_and_in_json(arena, run, tmp_path, name):
    if name == "rounds":
        run = tmp_path / "swiss.sqlite"
        assert arena("run", "random", "greedy", "--format", "swiss:1", "-j", 1, "-q", "--out", run).code == 0
    head, *lines = csv.reader(arena("show", run, "--table", name, "--style", "csv").out.splitlines())
    documented = [each.name for each in described(RUN[name])]
    assert head == documented
    rows = json.loads(arena("show", run, "--table", name, "--json").out)
    assert [list(row) for row in rows] == [head] * len(lines)
    assert lines or name == "replies"
