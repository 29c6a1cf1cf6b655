import contextlib
import os
import shutil
import sqlite3
import time

import pytest

from agents.agent import Iteration
from agents.board import Outcome
from agents.errors import InputError
from agents.registry import parse
from arena.store.agents import Kept
from arena.store.machine import made
from arena.store.records import GameRecord, Job, MoveRecord, Termination
from arena.store.sqlite import claim, lock
from arena.store.store import Store

PLAN = {"agents": ["random", "greedy"], "seed": 3}
DECISIONS = (
    MoveRecord(0, 3, 0.5, 7, 2, 50, (3, 2), (Iteration(1, 8, 0.1, 5, 4), Iteration(2, 50, 0.4, 7, 3))),
    MoveRecord(1, 2, 0.25, None, 0, 1),
)


def created(path, games=0):
    agents = [Kept(name, parse(name)) for name in ("random", "greedy")]
    store = Store.create(path, PLAN, 3, 4, agents, [("44", 0), ("12", None)])
    for number in range(games):
        job = Job(number % 2, 1 - number % 2, number // 2)
        store.add((job, record(job.key)))
    return store


def record(key="0-1-0", outcome=Outcome.FIRST_WINS, decisions=DECISIONS):
    return GameRecord(key, "4443", outcome, Termination.LINE, "", 1_750_000_000.125, 0.75, decisions)


def rows(path, query):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_a_file_that_was_deleted_while_it_was_written_is_written_again(tmp_path):
    path = tmp_path / "run.sqlite"
    store = created(path, games=1)
    for each in tmp_path.iterdir():
        each.unlink()
    store.add((Job(1, 0, 0), record("1-0-0")))
    store.close()
    assert rows(path, "SELECT key FROM game ORDER BY id") == [("0-1-0",), ("1-0-0",)]
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


def test_a_finished_run_is_one_file_that_any_browser_reads(tmp_path):
    path = tmp_path / "new" / "run.sqlite"
    created(path, games=1).close()
    assert [each.name for each in path.parent.iterdir()] == ["run.sqlite"]
    assert rows(path, "SELECT name, kind FROM agent ORDER BY id") == [("random", "random"), ("greedy", "greedy")]
    assert rows(path, "SELECT moves, value FROM opening ORDER BY id") == [("44", 0), ("12", None)]
    game = "key, first, second, opening, moves, result, termination, detail, started, seconds"
    assert rows(path, f"SELECT {game} FROM game") == [
        ("0-1-0", 1, 2, 1, "4443", "1-0", "line completed", "", "2025-06-15T15:06:40.125+00:00", 0.75)
    ]
    assert rows(path, "SELECT ply, column, depth, nodes, seconds, score FROM move") == [
        (0, 4, 2, 50, 0.5, 7),
        (1, 3, 0, 1, 0.25, None),
    ]


def test_a_search_is_stored_for_each_completed_depth_and_one_where_none_is_told(tmp_path):
    created(tmp_path / "run.sqlite", games=1).close()
    assert rows(tmp_path / "run.sqlite", "SELECT ply, depth, nodes, seconds, score, column FROM search") == [
        (0, 1, 8, 0.1, 5, 5),
        (0, 2, 50, 0.4, 7, 4),
        (1, 0, 1, 0.25, None, 3),
    ]


def test_a_depth_that_an_agent_tells_twice_is_stored_once(tmp_path):
    twice = (Iteration(1, 8, 0.1, 5, 4), Iteration(1, 9, 0.2, 6, 3))
    with created(tmp_path / "run.sqlite") as store:
        store.add((Job(0, 1, 0), record(decisions=(MoveRecord(0, 3, 0.5, 7, 1, 9, (), twice),))))
    assert rows(tmp_path / "run.sqlite", "SELECT depth, nodes FROM search") == [(1, 9)]


@pytest.mark.parametrize(
    ("outcome", "result"),
    [(Outcome.FIRST_WINS, "1-0"), (Outcome.SECOND_WINS, "0-1"), (Outcome.DRAW, "1/2-1/2")],
)
def test_results_are_written_as_everywhere(tmp_path, outcome, result):
    with created(tmp_path / "run.sqlite") as store:
        store.add((Job(0, 1, 0), record(outcome=outcome)))
    assert rows(tmp_path / "run.sqlite", "SELECT result FROM game") == [(result,)]


def test_what_was_asked_for_comes_back(tmp_path):
    created(tmp_path / "run.sqlite", games=3).close()
    with Store.read(tmp_path / "run.sqlite") as store:
        assert store.plan() == PLAN
        assert store.planned() == 4
        assert store.openings() == ["44", "12"]
        assert store.played() == {"0-1-0", "1-0-0", "0-1-1"}


def test_a_game_is_stored_whole_or_not_at_all(tmp_path):
    broken = record("1-0-0", decisions=(*DECISIONS, MoveRecord(2, 3, 0.5, nodes=None)))
    with created(tmp_path / "run.sqlite", games=1) as store:
        with pytest.raises(InputError, match="NOT NULL"):
            store.add((Job(1, 0, 0), broken))
        assert store.played() == {"0-1-0"}
        store.add((Job(1, 0, 0), record("1-0-0")))
    assert rows(tmp_path / "run.sqlite", "SELECT count(*) FROM move") == [(4,)]


def test_a_game_is_never_stored_twice(tmp_path):
    with created(tmp_path / "run.sqlite", games=1) as store, pytest.raises(InputError, match="UNIQUE"):
        store.add((Job(0, 1, 0), record()))


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

    monkeypatch.setattr("arena.store.sqlite.os.open", refuse)
    with pytest.raises(InputError, match=r"run\.sqlite cannot be written: Permission denied"):
        created(tmp_path / "run.sqlite")


def test_a_start_that_fails_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.store.store.SCHEMA", "CREATE TABLE run (id); PRAGMA max_page_count = 1; SELECT nothing;")
    with pytest.raises(InputError):
        created(tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_start_that_is_killed_is_no_run_yet(tmp_path, monkeypatch):
    seen = []

    def look():
        with pytest.raises(InputError, match="is not the record of a run") as caught:
            Store.read(tmp_path / "run.sqlite")
        seen.append(caught.value)
        return {}

    monkeypatch.setattr("arena.store.store.versions", look)
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
            store.add((Job(1, 0, 0), record("1-0-0", decisions=long)))
    with Store.resume(path) as store:
        assert store.played() == {"0-1-0"}
        store.add((Job(1, 0, 0), record("1-0-0", decisions=long)))


def test_a_file_that_is_being_written_is_refused_to_others(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path), pytest.raises(InputError, match="being written by another run"):
        Store.resume(path)
    Store.resume(path).close()


def test_a_file_that_is_being_written_can_be_read(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=2), Store.read(path) as reader:
        assert reader.played() == {"0-1-0", "1-0-0"}


def test_a_snapshot_shows_one_moment(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=1) as store, Store.read(path) as reader:
        with reader.snapshot():
            assert len(reader.played()) == 1
            store.add((Job(1, 0, 0), record("1-0-0")))
            assert len(reader.played()) == 1
        assert len(reader.played()) == 2


def test_a_killed_run_is_complete_up_to_its_last_game(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=2):
        killed = tmp_path / "killed.sqlite"
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    with Store.read(killed) as store:
        assert store.played() == {"0-1-0", "1-0-0"}
    with Store.resume(killed) as store:
        store.add((Job(0, 1, 1), record("0-1-1")))
    assert not killed.with_name("killed.sqlite-wal").exists()


def test_what_was_left_beside_a_file_that_is_gone_is_removed(tmp_path):
    path = tmp_path / "run.sqlite"
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).write_bytes(b"of another file")
    claim(path)
    assert [each.name for each in tmp_path.iterdir()] == ["run.sqlite"]
    path.unlink()
    created(path, games=1).close()
    assert rows(path, "SELECT count(*) FROM game") == [(1,)]


def test_a_reader_does_not_stop_the_writer(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path) as store, Store.read(path) as reader, reader.snapshot():
        reader.played()
        began = time.monotonic()
        store.add((Job(0, 1, 0), record()))
        assert time.monotonic() - began < 5


def text(path):
    path.write_text("first,second\n")


def empty(path):
    path.touch()


def other_database(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE run (id)")
    connection.close()


def newer_version(path):
    created(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 4")
    connection.close()


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
    newer_version: r"written by another version \(format 4, this one reads 1 to 3\)",
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
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE run SET plan = '{'")
    connection.close()
    with Store.read(path) as store, pytest.raises(InputError, match="its plan cannot be read"):
        store.plan()


def test_a_store_can_be_discarded(tmp_path):
    created(tmp_path / "run.sqlite", games=1).discard()
    assert list(tmp_path.iterdir()) == []


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
    held = lock(path)
    with pytest.raises(InputError, match="is being written by another run"):
        created(path)
    os.close(held)


@pytest.mark.parametrize("damage", ["DELETE FROM run", "UPDATE run SET versions = '{'", "UPDATE run SET machine = '1'"])
def test_a_run_that_does_not_say_how_it_was_made_is_damaged(tmp_path, damage):
    path = tmp_path / "run.sqlite"
    created(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    with Store.read(path) as store, pytest.raises(InputError, match="damaged"):
        made(store)
