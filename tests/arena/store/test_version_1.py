"""Runs that were stored in the first format: they are read as they are, and brought up to date when written to."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hand_made import frames
from played import play
from samples import DATA

from agents.errors import InputError
from arena.play.extend import Growth
from arena.play.run import Run
from arena.store import run_file
from arena.store.run_file import Store
from arena.store.schema import VERSION

OLD = DATA / "version-1.sqlite"
GONE = """
def evaluate(own, opp):
    return (own & 0x1F8000) - (opp & 0x1F8000)

class Bot:
    def choose(self, board, limits):
        return board.legal_moves()[-1]
"""
GAME = "SELECT key, first, second, opening, moves, result, termination FROM game ORDER BY key"
SEARCH = "SELECT key, ply, depth, nodes, score, column FROM search JOIN game ON game.id = game ORDER BY key, ply, depth"
NATURE = "SELECT spec, deterministic, stranger, author, digest FROM agent ORDER BY id"


@pytest.fixture
def old(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(OLD, tmp_path / "run.sqlite"))


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def layout(path):
    tables = [name for (name,) in rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return {name: rows(path, f"PRAGMA table_info({name})") for name in tables}


def test_an_old_run_is_read_with_what_it_does_not_say_and_left_as_it_is(old):
    before = old.read_bytes()
    with Store.read(old) as store:
        assert store.select(NATURE)[1] == [
            ("alphabeta:depth=4", 1, 0, None, None),
            ("alphabeta:depth=2", 1, 0, None, None),
            ("alphabeta:depth=2,heuristic=gone.py:evaluate", 1, 0, None, None),
            ("gone.py:Bot", 0, 1, None, None),
        ]
    found = frames(old)
    assert (len(found.games), len(found.moves), found.planned, found.plan["population"]) == (36, 557, 36, 3)
    assert found.agents["parameters"][0]["table-size"] == 16
    assert list(found.moves["seconds"]) == [
        each for (each,) in rows(old, "SELECT seconds FROM move ORDER BY game, ply")
    ]
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]


def test_an_old_run_is_read_while_it_is_written(old):
    with closing(sqlite3.connect(old)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        with writer:
            writer.execute("UPDATE game SET detail = 'new'")
        assert set(frames(old).games["detail"]) == {"new"}
        assert rows(old, "PRAGMA user_version") == [(1,)]


def test_writing_to_an_old_run_brings_it_to_the_layout_of_a_new_one(old, tmp_path):
    games, searches = rows(old, GAME), rows(old, SEARCH)
    Store.resume(old).close()
    Store.create(tmp_path / "new.sqlite", {}, 1, 0, [], []).close()
    assert layout(old) | {"session": None} == layout(tmp_path / "new.sqlite") | {"session": None}  # from resumption on
    assert rows(old, "PRAGMA user_version") == [(VERSION,)]
    assert (rows(old, GAME), rows(old, SEARCH)) == (games, searches)
    assert [row[1:3] for row in rows(old, NATURE)] == [(1, 0), (1, 0), (1, 0), (0, 1)]
    Store.resume(old).close()


def test_an_old_run_whose_change_fails_stays_an_old_run(old, monkeypatch):
    before = layout(old)
    monkeypatch.setattr(run_file, "_author", lambda spec: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Store.resume(old)
    monkeypatch.undo()
    assert layout(old) == before
    assert rows(old, "PRAGMA user_version") == [(1,)]
    Store.resume(old).close()  # nothing holds it


def test_an_old_run_with_files_that_are_gone_cannot_play_on_and_says_so(old):
    Run.resume(old).store.close()  # nothing is left to play
    with closing(sqlite3.connect(old)) as connection, connection:
        for table in ("iteration", "move"):
            connection.execute(f"DELETE FROM {table} WHERE game = 36")
        connection.execute("DELETE FROM game WHERE id = 36")
    with pytest.raises(InputError, match=r"gone\.py"):
        Run.resume(old)


def test_a_resumed_run_plays_with_its_stored_parameters_whatever_the_defaults_are_now(old):
    (old.parent / "gone.py").write_text(GONE)
    games, searches = rows(old, GAME), rows(old, SEARCH)
    with closing(sqlite3.connect(old)) as connection, connection:
        for table in ("search", "move"):
            connection.execute(f"DELETE FROM {table} WHERE game IN (SELECT id FROM game WHERE opening = 3)")
        connection.execute("DELETE FROM game WHERE opening = 3")
    run = Run.resume(old, Growth(keep=True))  # its agents were of an earlier version
    assert [spec.parameters.get("heuristic") for spec in run.setting.specs] == [
        "smart-aware", "smart-aware", "gone.py:evaluate", None,
    ]  # fmt: skip
    play(run)
    assert (rows(old, GAME), rows(old, SEARCH)) == (games, searches)
