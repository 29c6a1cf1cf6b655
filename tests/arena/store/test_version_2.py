"""Runs that were stored in the second format, which kept every search twice: they are read as they are."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hand_made import frames
from played import grown, played
from samples import DATA

from arena.analysis.frames import Frames
from arena.report.tables.run import document
from arena.store.run_file import Store
from arena.store.schema import VERSION

OLD = DATA / "version-2.sqlite"
GAMES = "SELECT id, key, first, second, opening, moves, result, termination, detail, started FROM game ORDER BY id"
MOVES = "SELECT game, ply, column, depth, nodes, score FROM move ORDER BY game, ply"
SEARCHES = "SELECT game, ply, depth, nodes, score, column FROM search ORDER BY game, ply, depth"
TIMES = "SELECT seconds FROM search ORDER BY game, ply, depth"


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copy(OLD, tmp_path / "run.sqlite"))


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def layout(path):
    tables = [name for (name,) in rows(path, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY 1")]
    return {name: rows(path, f"PRAGMA table_xinfo({name})") for name in tables}


def test_a_run_of_the_second_format_is_read_where_it_is(old):
    before = old.read_bytes()
    with Store.read(old) as store:
        assert store.value("SELECT file FROM pragma_database_list") == str(old)
    assert len(document(frames(old))["effort"]) == 4
    assert old.read_bytes() == before


def test_writing_to_it_changes_its_layout_and_nothing_that_is_read(old, tmp_path):
    before = [rows(old, query) for query in (GAMES, MOVES, SEARCHES)]
    times = [seconds for (seconds,) in rows(old, TIMES)]
    shown = document(frames(old))
    Store.resume(old).close()
    assert rows(old, "PRAGMA user_version") == [(VERSION,)]
    assert [rows(old, query) for query in (GAMES, MOVES, SEARCHES)] == before
    assert [seconds for (seconds,) in rows(old, TIMES)] == pytest.approx(times, abs=1e-9)
    assert document(frames(old))["crosstable"] == shown["crosstable"]
    Store.create(tmp_path / "new.sqlite", {}, 1, 0, [], []).close()
    assert layout(old) | {"session": None} == layout(tmp_path / "new.sqlite") | {"session": None}  # from resumption on
    assert rows(old, "PRAGMA foreign_key_check") == []


def test_a_search_that_tells_of_no_depths_is_kept_once(old):
    moves = rows(old, "SELECT count(*) FROM move WHERE game IN (SELECT id FROM game WHERE first = 1) AND ply % 2 = 0")
    assert moves[0][0] > 0
    Store.resume(old).close()
    assert rows(old, "SELECT count(*) FROM iteration WHERE depth = 1 AND game IN (SELECT id FROM game WHERE first = 1)"
                " AND ply % 2 = 0") == [(0,)]  # fmt: skip


def test_a_depth_with_another_score_than_its_move_is_kept(old):
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE search SET score = ifnull(score, 0) + 7")
    before = rows(old, SEARCHES)
    Store.resume(old).close()
    assert rows(old, SEARCHES) == before


def test_a_file_of_this_version_that_knows_no_rounds_is_read_and_resumed(tmp_path):
    new, old = (played(tmp_path / f"{name}.sqlite", "random", "greedy") for name in ("new", "old"))
    again = grown(old, replay=("greedy",))  # which makes the table of superseded games
    with closing(sqlite3.connect(old)) as connection:
        for table in ("game", "superseded"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN round")
    assert again == old
    assert list(Frames.read(old).games["round"]) == [None] * 4
    assert list(Frames.read(new).games["round"]) == [1] * 4
    grown(old, rounds=3)
    assert rows(old, "SELECT round FROM game ORDER BY id") == [(None,)] * 4 + [(1,)] * 2
    assert rows(old, "SELECT round FROM superseded") == [(None,)] * 4
