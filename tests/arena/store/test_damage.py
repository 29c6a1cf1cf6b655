"""Which values of which columns are damage, and where it is said to be; a run may write all others."""

import json
import math
import re
import sqlite3
from contextlib import closing

import pytest
from damaged import damage as spoilt
from damaged import loosened
from hand_made import AGENTS, GAMES, audit_of, stored
from recorded import holds

from agents.board import Rules
from arena.records import Job
from arena.statistics.sprt import Evidence
from arena.store import damage, findings
from arena.store.extend import supersede
from arena.store.machine import Load, add_loads
from arena.store.run_file import Store

SMALL = Rules(5, 4)
TEXTS = (
    "", "x", "33", "56", "5", "1 2", "1 2 3 4 5", "1,2,3", "{", "{}", "[]", "3", "null", '{"a": 1}', '{"rules": {}}',
    '{"rules": {"columns": 5, "rows": 4, "connect": 4}}',
    '{"rules": {"columns": 5, "rows": 4, "connect": 4}, "seed": "1"}',
    "1-0", "0-1", "1/2-1/2", "1-1", "2026-01-02T03:04:05+00:00", "2026-01-02", "yesterday", "continue",
)  # fmt: skip
NUMBERS = (
    0, 1, 7, 64, 65, -1, -64, -65, 1.5, 0.0, -0.5, 1 << 53, (1 << 53) + 1, -(1 << 53), -(1 << 53) - 1, 1e308, math.inf,
    -math.inf, damage._LATEST, damage._LATEST + 1,
)  # fmt: skip


def test_every_column_takes_what_a_run_writes_and_nothing_else(request):
    """Recorded is, for each column, its type, whether it may be empty, and which of the values are sound."""
    found = {}
    for table, columns in damage._columns().items():
        for name, (kind, empty) in columns.items():
            values = TEXTS if kind == "TEXT" else NUMBERS
            sound = [value for value in values if damage._is_sound(name, value, kind, empty, SMALL)]
            others = NUMBERS[:2] if kind == "TEXT" else TEXTS[:1]
            assert not any(damage._is_sound(name, value, kind, empty, SMALL) for value in (*others, b"\xff")), name
            assert damage._is_sound(name, None, kind, empty, SMALL) is empty, name
            found[f"{table}.{name}"] = [kind, empty, "any" if sound == [*values] else [repr(value) for value in sound]]
    assert next(iter(found)).startswith("run.")
    holds("store-damage", found, request)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A run with a row in every table that a run's file may have, in a file that takes any value."""
    path = tmp_path_factory.mktemp("sound") / "run.sqlite"
    stored(path, AGENTS, GAMES, openings=(("44", 0), ("12", None)))
    audit_of(path, [(1, 2, 1, 0, 7, 2), (1, 3, 0, 0, 7, 3, 5, 4, 1, "1 2")])
    with Store.resume(path) as store:
        store.add_evidence([(1, Evidence(-0.5, -2.9, 2.9, "continue"))])
        findings.set_times(store, [("44", 1, 0, 5, 0.5)])
        add_loads(store, [("2026-01-02T03:04:05+00:00", "games", Load(0.5, 2))])
        supersede(store, [Job(2, 0, 0)])
    return loosened(path)


CELLS = {
    ("move", "nodes", 1, 1.5): "table move, game 1, ply 3: nodes is 1.5",
    ("move", "nodes", 1, None): "table move, game 1, ply 3: nodes is None",
    ("audit", "keepers", 1, "1 x"): "table audit, game 1, ply 3: keepers is '1 x'",
    ("audit", "score", 1, "x"): "table audit, game 1, ply 3: score is 'x'",
    ("timing", "turn", 0, -1): "table timing, position '44', agent 1: turn is -1",
    ("load", "begun", 0, "then"): "table load: begun is 'then'",
    ("session", "machine", 0, "[]"): "table session, id 1: machine is '[]'",
    ("agent", "name", 1, b"\xff"): "table agent, id 2: name is b'\\xff'",
    ("game", "detail", 2, None): "table game, id 3: detail is None",
    ("agent", "parameters", 2, "x" * 99): f"table agent, id 3: parameters is '{'x' * 39}…",
    ("opening", "moves", 1, "48"): "table opening, id 2: moves is '48'",
    ("game", "result", 4, "1-1"): "table game, id 6: result is '1-1'",
    ("game", "moment", 0, -1): "table game, id 1: moment is -1",
    ("superseded", "moves", 0, "x"): "table superseded, id 4: moves is 'x'",
    ("superseded_move", "depth", 0, 65): "table superseded_move, game 4, ply 2: depth is 65",
    ("run", "plan", 0, "{"): "table run, id 1: plan is '{'",
    ("run", "planned", 0, -1): "table run, id 1: planned is -1",
    ("sprt", "decision", 0, None): "table sprt, pairs 1: decision is None",
}  # fmt: skip


@pytest.mark.parametrize(("cell", "said"), CELLS.items(), ids=[f"{cell[0]} {cell[1]}" for cell in CELLS])
def test_a_wrong_cell_is_named_by_its_table_its_row_and_its_column(sound, tmp_path, cell, said):
    path = tmp_path / "run.sqlite"
    assert spoilt(sound, path, *cell)
    assert damage.find(path) == f"{path} is damaged: {said}"


@pytest.mark.parametrize(("table", "column"), [
    ("move", "score"), ("audit", "score"), ("audit", "keepers"), ("opening", "value"),
    ("agent", "author"), ("agent", "digest"), ("game", "round"),
])  # fmt: skip
def test_what_may_be_missing_is_no_damage(sound, tmp_path, table, column):
    path = tmp_path / "run.sqlite"
    assert spoilt(sound, path, table, column, 0, None)
    assert damage.find(path) is None


def test_a_sound_run_has_no_damage_and_rows_without_their_games_are_named(sound, tmp_path):
    assert damage.find(sound) is None
    path = tmp_path / "run.sqlite"
    for table in ("game", "agent", "opening"):
        path.write_bytes(sound.read_bytes())
        with closing(sqlite3.connect(path)) as file, file:
            file.execute(f"DELETE FROM {table} WHERE id = 1")
        said = rf"^{path} is damaged: table (\w+) names rows that are not in table {table}$"
        assert re.match(said, damage.find(path))[1] in {"game", "move", "audit", "timing", "superseded"}
    path.write_bytes(sound.read_bytes())
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE run SET plan = ?", (json.dumps({"rules": {"columns": 5, "rows": 4, "connect": 4}}),))
    assert damage.find(path) == f"{path} is damaged: table game, id 6: moves is '446'"
    path.write_bytes(b"no database, and as long as one has to be" * 50)
    assert damage.find(path) == f"{path} is damaged: file is not a database"
