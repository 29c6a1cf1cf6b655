"""Files that are no runs, and places where none can be begun: they are left as they were."""

import sqlite3
from contextlib import closing

import pytest

from agents.errors import InputError
from arena.store.machine import made
from arena.store.run_file import Store

from .created import created, rows


def test_an_existing_file_is_never_overwritten(tmp_path):
    created(tmp_path / "run.sqlite", games=1).close()
    with pytest.raises(InputError, match=r"exists; --resume .*run\.sqlite continues it"):
        created(tmp_path / "run.sqlite")
    assert rows(tmp_path / "run.sqlite", "SELECT count(*) FROM game") == [(1,)]


def test_a_file_in_place_of_the_directory_is_named(tmp_path):
    (tmp_path / "results").write_text("")
    with pytest.raises(InputError, match=r"run\.sqlite cannot be written: .*results: (File exists|Not a directory)"):
        created(tmp_path / "results" / "run.sqlite")


def test_a_directory_in_place_of_the_file_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be written: it is no file"):
        created(tmp_path)


def test_a_directory_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(InputError, match=r"run\.sqlite cannot be written: Permission denied"):
        created(tmp_path / "run.sqlite")


def text(path):
    path.write_text("first,second\n")


def empty(path):
    path.touch()


def other_database(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE run (id)")


def newer_version(path):
    created(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 5")


def older_version(path):
    created(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")


def truncated(path):
    created(path, games=2).close()
    path.write_bytes(path.read_bytes()[:5000])


def missing(path):
    created(path.with_name("other.sqlite")).close()


def directory(path):
    created(path / "inside.sqlite").close()


FOREIGN = {
    text: "is not the record of a run",
    empty: "is not the record of a run",
    other_database: "is not the record of a run",
    newer_version: r"written by another version \(format 5, this one reads 4\)",
    older_version: r"run\.sqlite is a run of format 2, .*: version 0\.2\.0 reads it, and arena run --resume there",
    truncated: "malformed",
    missing: r"there is no file .*run\.sqlite: did you mean .*other\.sqlite",
    directory: r"run\.sqlite is a folder; in it are .*inside\.sqlite",
}


@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__)
@pytest.mark.parametrize("way", [Store.read, Store.resume])
def test_what_is_no_run_is_refused_and_left_as_it_was(tmp_path, make, way):
    path = tmp_path / "run.sqlite"
    make(path)
    before = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    with pytest.raises(InputError, match=FOREIGN[make]):
        way(path)
    assert {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()} == before


def test_a_plan_that_is_damaged_is_named(tmp_path):
    path = tmp_path / "run.sqlite"
    created(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE run SET plan = '{'")
    with Store.read(path) as store, pytest.raises(InputError, match="its plan cannot be read"):
        store.plan()


@pytest.mark.parametrize("damage", ["DELETE FROM run", "UPDATE run SET versions = '{'", "UPDATE run SET machine = '1'"])
def test_a_run_that_does_not_say_how_it_was_made_is_damaged(tmp_path, damage):
    path = tmp_path / "run.sqlite"
    created(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    with Store.read(path) as store, pytest.raises(InputError, match="damaged"):
        made(store)
