"""Runs that were killed, begun and not finished, or had no room left."""

import contextlib
import shutil
import sqlite3
import threading

import pytest

from agents.errors import InputError
from arena.records import Job, MoveRecord
from arena.store.connection import Lock, claim
from arena.store.run_file import Store

from .created import created, record, rows


def test_a_file_that_was_deleted_while_it_was_written_is_written_again(tmp_path):
    path = tmp_path / "run.sqlite"
    store = created(path, games=1)
    for each in tmp_path.iterdir():
        each.unlink()
    store.add(record(Job(1, 0, 0)))
    store.close()
    assert rows(path, "SELECT key FROM game ORDER BY id") == [("0-1-0",), ("1-0-0",)]
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA journal_mode") == [("delete",)], "a file of its own, without a log beside it"


def test_a_start_that_fails_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "arena.store.run_file.SCHEMA", "CREATE TABLE run (id); PRAGMA max_page_count = 1; SELECT nothing;"
    )
    with pytest.raises(InputError):
        created(tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("named", [True, False])
def test_a_start_that_is_interrupted_leaves_neither_file_nor_lock(tmp_path, monkeypatch, error, named):
    def interrupt():
        raise error

    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.sqlite" if named else None
    with monkeypatch.context() as patch:
        patch.setattr("arena.store.run_file.versions", interrupt)
        with pytest.raises(error):
            created(path)
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []
    created(path).close()  # nothing holds it


def test_a_start_that_is_killed_is_no_run_yet(tmp_path, monkeypatch):
    seen = []

    def look():
        with pytest.raises(InputError, match="is not the record of a run") as caught:
            Store.read(tmp_path / "run.sqlite")
        seen.append(caught.value)
        return {}

    monkeypatch.setattr("arena.store.run_file.versions", look)
    created(tmp_path / "run.sqlite").close()
    assert len(seen) == 1
    Store.read(tmp_path / "run.sqlite").close()


def test_a_full_disk_keeps_what_was_stored(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=1) as store:
        pages = store.select("PRAGMA page_count")[1][0][0]
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        long = tuple(MoveRecord(ply, 3, 0.5, 7, 2, 50) for ply in range(2000))
        with pytest.raises(InputError, match="database or disk is full"):
            store.add(record(Job(1, 0, 0), decisions=long))
    with Store.resume(path) as store:
        assert store.played() == {Job(0, 1, 0)}
        store.add(record(Job(1, 0, 0), decisions=long))


def test_a_killed_run_is_complete_up_to_its_last_game(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=2):
        killed = tmp_path / "killed.sqlite"
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    with Store.read(killed) as store:
        assert store.played() == {Job(0, 1, 0), Job(1, 0, 0)}
    with Store.resume(killed) as store:
        store.add(record(Job(0, 1, 1)))
    assert not killed.with_name("killed.sqlite-wal").exists()


def test_what_a_kill_left_half_written_is_rolled_back_by_whoever_reads(tmp_path):
    path, killed = tmp_path / "run.sqlite", tmp_path / "killed.sqlite"
    created(path, games=2).close()
    with contextlib.closing(sqlite3.connect(path)) as half:
        half.execute("PRAGMA cache_size = 1")  # so that pages are written before they are committed
        half.execute("BEGIN")
        half.execute("UPDATE game SET detail = ?", ("x" * 100_000,))
        for suffix in ("", "-journal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
        half.rollback()
    with Store.read(killed) as store:
        assert store.select("SELECT key, detail FROM game")[1] == [("0-1-0", ""), ("1-0-0", "")]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["killed.sqlite", "run.sqlite"]


def test_the_mode_of_a_file_changes_without_a_journal_that_a_kill_could_leave(tmp_path):
    path = tmp_path / "run.sqlite"
    created(path).close()
    seen, ended = set(), threading.Event()

    def watch():
        while not ended.is_set():
            seen.update(each.name for each in tmp_path.iterdir())

    thread = threading.Thread(target=watch)
    thread.start()
    for _ in range(50):
        Store.resume(path).close()
    ended.set()
    thread.join()
    assert "run.sqlite-journal" not in seen
    assert path.read_bytes()[18:20] == b"\1\1"  # which any program reads, also where it cannot write


def test_a_file_in_which_nothing_was_stored_says_so(tmp_path):
    (tmp_path / "run.sqlite").touch()
    with pytest.raises(InputError, match=r"nothing was stored in it; --out .*run\.sqlite begins a run there"):
        Store.resume(tmp_path / "run.sqlite")


def test_a_start_that_was_killed_half_way_is_begun_again(tmp_path):
    path = tmp_path / "run.sqlite"
    with contextlib.closing(sqlite3.connect(tmp_path / "half.sqlite")) as half:
        half.execute("PRAGMA journal_mode = PERSIST")
        half.execute("PRAGMA user_version = 3")  # the file has a page
        half.execute("PRAGMA cache_size = 1")
        half.execute("BEGIN")
        for number in range(50):
            half.execute(f"CREATE TABLE t{number} (id)")
        for suffix in ("", "-journal"):
            shutil.copy(tmp_path / f"half.sqlite{suffix}", f"{path}{suffix}")
        half.rollback()
    created(path, games=1).close()
    assert rows(path, "SELECT count(*) FROM game") == [(1,)]


def test_what_was_left_beside_a_file_that_is_gone_is_removed(tmp_path):
    path = tmp_path / "run.sqlite"
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).write_bytes(b"of another file")
    claim(path).release()
    assert [each.name for each in tmp_path.iterdir()] == ["run.sqlite"]
    path.unlink()
    created(path, games=1).close()
    assert rows(path, "SELECT count(*) FROM game") == [(1,)]


def test_a_file_whose_making_was_interrupted_is_begun_again(tmp_path):
    (tmp_path / "touched.sqlite").touch()
    with contextlib.closing(sqlite3.connect(tmp_path / "marked.sqlite")) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA user_version = 0")
    for name in ("touched", "marked"):
        store = created(tmp_path / f"{name}.sqlite", games=1)
        assert len(store.played()) == 1
        store.close()


def test_a_file_that_another_run_is_making_is_left_to_it(tmp_path):
    path = tmp_path / "run.sqlite"
    path.touch()
    with Lock(path), pytest.raises(InputError, match="is being written by another run"):
        created(path)
