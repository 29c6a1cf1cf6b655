"""What a file of SQLite that one process writes and others read is like from inside: locks, errors, names."""

import errno
import json
import os
import re
import socket
import sqlite3
import sys
import threading
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from changed import update

from agents.errors import InputError
from arena.records import Job
from arena.store import connection
from arena.store.connection import Database, Lock, TakenError, as_input_error, claim, claim_new, must_exist, remove
from arena.store.run_file import Store

from .created import created, record


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The bytes of a run of two games."""
    path = tmp_path_factory.mktemp("kept") / "run.sqlite"
    created(path, games=2).close()
    return path.read_bytes()


@pytest.fixture
def run(kept, tmp_path):
    (tmp_path / "run.sqlite").write_bytes(kept)
    return tmp_path / "run.sqlite"


# Errors.


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (sqlite3.DatabaseError("file is not a database"), "a.sqlite is not the record of a run"),
        (sqlite3.OperationalError("database is locked"), "a.sqlite: database is locked"),
        (sqlite3.IntegrityError("UNIQUE constraint failed"), "a.sqlite: UNIQUE constraint failed"),
        (sqlite3.DatabaseError("database disk image is malformed"), "a.sqlite is damaged: database disk image is malf"),
        (sqlite3.OperationalError("Could not decode to UTF-8 column 'x'"), "a.sqlite is damaged: Could not decode to"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), "a.sqlite is damaged: 'utf-8' codec can't decode byte 0xff"),
        (OSError(errno.ENOSPC, "No space left on device"), "a.sqlite: No space left on device"),
        (OSError("odd"), "a.sqlite: odd"),
        (InputError("a line"), "a line"),
    ],
)
def test_what_sqlite_and_the_system_say_is_said_in_a_line_that_names_the_file(tmp_path, error, said):
    with pytest.raises(InputError) as raised, as_input_error(tmp_path / "a.sqlite"):
        raise error
    assert str(raised.value).replace(f"{tmp_path}/", "").startswith(said)
    assert "\n" not in str(raised.value)
    assert raised.value is error or raised.value.__cause__ is error


@pytest.mark.parametrize("error", [BrokenPipeError(errno.EPIPE, "Broken pipe"), KeyError("x"), KeyboardInterrupt()])
def test_what_is_no_error_of_the_file_stays_what_it_is(tmp_path, error):
    with pytest.raises(type(error)) as raised, as_input_error(tmp_path / "a.sqlite"):
        raise error
    assert raised.value is error


def test_a_query_that_fails_is_an_error_of_one_line_wherever_it_is_asked(run):
    wrong = "SELECT id FROM nowhere"

    def within(manager):
        with manager:
            store.connection.execute(wrong)

    with Store.resume(run) as store:
        for ask in (
            lambda: store.select(wrong), lambda: store.rows(wrong), lambda: next(store.pieces(wrong)),
            lambda: store.columns(wrong), lambda: store.value(wrong), lambda: update(store, wrong),
            lambda: within(store.transaction()), lambda: within(store.snapshot()),
        ):  # fmt: skip
            with pytest.raises(InputError, match=rf"^{run}: no such table: nowhere$"):
                ask()
            assert not store.connection.in_transaction
        with pytest.raises(InputError, match=r"run\.sqlite is damaged: nothing found by SELECT 1 WHERE FALSE"):
            store.value("SELECT 1 WHERE FALSE")
        store.connection.close()
        with pytest.raises(InputError, match="Cannot operate on a closed database"):
            store.use_log()
        store.connection = sqlite3.connect(run)


def test_rows_come_in_pieces_and_columns_whole_however_many_there_are(run, monkeypatch):
    monkeypatch.setattr(connection, "PIECE", 2)
    count = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    numbers = f"{count} SELECT i, 'n' || i AS t FROM n"
    with Database(run) as database:
        for most in (1, 2, 3, 4, 5):
            sizes = [len(rows) for rows in database.pieces(numbers, most, size=2)]
            assert sizes == [2] * (most // 2) + [1] * (most % 2)
            assert database.columns(numbers, most) == {
                "i": [*range(1, most + 1)], "t": [f"n{i}" for i in range(1, most + 1)],
            }  # fmt: skip
        assert database.columns("SELECT id, moves FROM opening WHERE id > 9") == {"id": [], "moves": []}
        assert database.select("SELECT id AS a, moves AS b FROM opening WHERE id = ?", 2) == (["a", "b"], [(2, "12")])
        assert database.value("SELECT moves, id FROM opening ORDER BY id DESC") == "12"
        assert [database.has(name) for name in ("game", "search", "nothing")] == [True, True, False]
        assert [database.has_column("game", name) for name in ("round", "rounds")] == [True, False]
        assert not database.has_column("nothing", "round")


def test_a_transaction_is_kept_whole_or_not_at_all_and_keeps_other_writers_out_from_its_start(run):
    def seen():
        with closing(sqlite3.connect(run)) as other:
            return [moves for (moves,) in other.execute("SELECT moves FROM opening ORDER BY id")]

    with Store.resume(run) as store:
        other = sqlite3.connect(run, timeout=0)
        with store.transaction(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
        with store.transaction() as inside:
            inside.execute("INSERT INTO opening (moves) VALUES ('7')")
            assert seen() == ["44", "12"]
        assert seen() == ["44", "12", "7"]
        with pytest.raises(KeyError), store.transaction() as inside:
            {}[inside.execute("DELETE FROM opening WHERE moves = '7'")]
        assert seen() == ["44", "12", "7"]
        update(store, "UPDATE opening SET moves = ? WHERE moves = ?", "6", "7")
        assert seen() == ["44", "12", "6"]
        with store.snapshot(), store.snapshot():
            assert store.connection.in_transaction
            assert store.openings() == ["44", "12", "6"]
        assert not store.connection.in_transaction


def test_rows_that_name_no_others_are_refused(run):
    with Store.resume(run) as store, pytest.raises(InputError, match="FOREIGN KEY"):
        update(store, "INSERT INTO move VALUES (99, 0, 1, 1, 1, 1, NULL)")


def test_a_reader_changes_nothing(run):
    with Store.read(run) as store, pytest.raises(InputError, match="readonly"):
        update(store, "DELETE FROM opening WHERE id = 2")
    with Database(run) as database:
        database.close()  # a second time, as `with` does it
    assert sorted(path.name for path in run.parent.iterdir()) == ["run.sqlite"]


# The lock.


def test_a_file_that_cannot_be_opened_is_locked_no_longer(tmp_path):
    path = tmp_path / "none.sqlite"
    for _ in range(2):
        with pytest.raises(InputError, match=r"none\.sqlite: unable to open database file"):
            Store(path, Lock(path))
        assert list(tmp_path.iterdir()) == []
    path.write_text("this is no database, and as long as one of these would have to be" * 50)
    for _ in range(2):
        with pytest.raises(InputError, match="is not the record of a run"):
            Store.resume(path)
        assert list(tmp_path.iterdir()) == [path]


def left(store):
    with store:
        pass


def failed(store):
    for error in (InputError("a line"), KeyError("x"), KeyboardInterrupt()):
        with pytest.raises(type(error)), store:
            raise error


def test_a_store_holds_its_lock_until_it_is_closed_or_discarded(run):
    for end in (Store.close, left, failed, Store.discard):
        store = Store.resume(run)
        with pytest.raises(TakenError):
            Lock(run)
        end(store)
        Lock(run).release()
        end(store)  # again, which harms nobody
        assert {*run.parent.iterdir()} <= {run}
        with pytest.raises(InputError, match="closed database"):
            store.agents()
    assert list(run.parent.iterdir()) == []


def test_a_lock_that_was_given_to_another_meanwhile_stays_the_others(tmp_path):
    path = tmp_path / "run.sqlite"
    first = Lock(path)
    first.file.unlink()  # as who clears up a folder by hand
    with Lock(path) as second:
        first.release()
        assert second.file.exists()
        with pytest.raises(TakenError):
            Lock(path)
        first.release()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_is_signed_in_place_of_whoever_held_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["arena", "run", "a b"])
    path = tmp_path / "run.sqlite"
    path.with_name("run.sqlite-lock").write_text(json.dumps({"process": 1, "command": "long " * 200}))
    before = datetime.now(UTC).replace(microsecond=0)
    with Lock(path) as lock:
        owner = json.loads(lock.file.read_text())
        since = datetime.fromisoformat(owner["since"])
        assert owner == {"process": os.getpid(), "host": socket.gethostname(), "since": owner["since"],
                         "command": "arena run a b"}  # fmt: skip
        assert before <= since <= before + timedelta(seconds=60)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", owner["since"])
        said = f"{path} is being written by another run (process {os.getpid()}, since {owner['since']})"
        with pytest.raises(TakenError) as raised:
            Lock(path)
        assert str(raised.value) == said
        assert lock.file.read_text().endswith("}\n")
        lock.release()
        assert not lock.file.exists()
        with Lock(path):
            lock.release()  # which was given back before
            assert lock.file.exists()


def test_a_lock_makes_the_folder_of_its_file_and_names_what_is_in_its_way(tmp_path):
    with Lock(tmp_path / "a" / "b" / "run.sqlite") as lock:
        assert lock.file == tmp_path / "a" / "b" / "run.sqlite-lock"
    (tmp_path / "dir.sqlite-lock").mkdir()
    with pytest.raises(InputError, match=rf"^{tmp_path}/dir\.sqlite cannot be written: Is a directory$"):
        Lock(tmp_path / "dir.sqlite")


def test_a_lock_that_is_interrupted_while_it_is_signed_holds_nothing(tmp_path, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(connection, "_sign", interrupt)
        with pytest.raises(KeyboardInterrupt):
            Lock(tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []
    Lock(tmp_path / "run.sqlite").release()


# New files, and files that are gone.


def test_a_new_run_takes_no_file_that_holds_something_and_clears_what_lies_beside_its_own(run):
    with pytest.raises(TakenError) as raised:
        claim(run)
    assert str(raised.value) == f"{run} exists; --resume {run} continues it, --out names another"
    assert not run.with_name("run.sqlite-lock").exists()
    (run.parent / "text.sqlite").write_text("a text that somebody wrote, which is no database at all" * 20)
    with pytest.raises(TakenError, match="exists; --resume"):
        claim(run.parent / "text.sqlite")
    os.mkfifo(run.parent / "pipe")
    for path in (run.parent, run.parent / "pipe"):
        with pytest.raises(InputError, match="cannot be written: it is no file"):
            claim(path)
    (run.parent / "pipe").unlink()
    remove(run)
    for suffix in ("-journal", "-wal", "-shm"):
        run.with_name(run.name + suffix).write_bytes(b"of another file")
    lock = claim(run)
    assert run.read_bytes() == b""
    assert {each.name for each in run.parent.iterdir()} == {"run.sqlite", "run.sqlite-lock", "text.sqlite"}
    with pytest.raises(TakenError, match="is being written by another run"):
        claim(run)
    lock.release()


def test_files_beside_a_database_go_with_it_or_alone(run):
    beside = [run.with_name(f"run.sqlite{suffix}") for suffix in ("-wal", "-shm", "-journal")]
    for alone in (True, False):
        for path in beside:
            path.touch()
        remove(run, beside=alone)
        assert [path.exists() for path in beside] == [False] * 3
        assert run.exists() == alone
    remove(run)


def test_runs_of_one_second_have_numbers(tmp_path, monkeypatch):
    class Frozen(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2026, 2, 3, 4, 5, 6, tzinfo=tz)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(connection, "datetime", Frozen)
    locks = [claim_new() for _ in range(3)]
    for lock in locks:
        lock.release()
    names = ["run-20260203-040506.sqlite", "run-20260203-040506-2.sqlite", "run-20260203-040506-3.sqlite"]
    assert [str(lock.path) for lock in locks] == [f"results/{name}" for name in names]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == sorted(names)


def test_a_run_that_is_not_there_is_told_with_what_is_near(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("run1", "run2", "run3", "run4"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        (tmp_path / "folder" / f"{name}.sqlite").write_bytes(run.read_bytes())
    (tmp_path / "folder" / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "results" / "deep").mkdir(parents=True)
    (tmp_path / "results" / "deep" / "match.sqlite").write_bytes(run.read_bytes())
    (tmp_path / "results" / "matsh.sqlite").write_text("no run")
    with closing(sqlite3.connect(tmp_path / "rum.sqlite")) as other:  # of another program, with tables of its own
        for table in ("game", "move", "agent"):
            other.execute(f"CREATE TABLE {table} (id)")
    said = {
        "folder": "folder is a folder; in it are folder/run2.sqlite, folder/run3.sqlite, folder/run4.sqlite",
        "empty": "empty is a folder",
        "results": "results is a folder; in it are results/matsh.sqlite",
        "rn.sqlite": "there is no file rn.sqlite: did you mean run.sqlite or results/deep/match.sqlite?",
        "results/mtch.sqlite": "there is no file results/mtch.sqlite: did you mean results/deep/match.sqlite?",
        "latst": "there is no file latst: did you mean latest?",
        "folder/run5.sqlite": (
            "there is no file folder/run5.sqlite: did you mean folder/run4.sqlite or folder/run3.sqlite or "
            "folder/run2.sqlite?"
        ),
    }
    must_exist(run)
    found = {}
    for name in said:
        with pytest.raises(InputError) as raised:
            must_exist(connection.Path(name))
        found[name] = str(raised.value)
    assert found == said


def test_of_runs_of_one_name_the_last_folders_is_near_first_and_a_run_may_have_any_suffix(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("results/1/swiss.sqlite", "results/2/swiss.sqlite", "here/swiss.db"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(run.read_bytes())
    for name, near in (
        ("swiss.sqlite", "results/2/swiss.sqlite or results/1/swiss.sqlite or run.sqlite"),
        ("here/swis.db", "here/swiss.db"),
    ):
        with pytest.raises(InputError) as raised:
            must_exist(connection.Path(name))
        assert str(raised.value) == f"there is no file {name}: did you mean {near}?"


# What killed and deleting processes leave.


@contextmanager
def deleted(run, *, inside):
    """A store whose file and all beside it are deleted while it is open; `inside` a folder that goes, too."""
    store = Store.resume(run)
    store.add(record(Job(0, 1, 1)))
    for path in run.parent.iterdir():
        path.unlink()
    if inside:
        run.parent.rmdir()
    yield store
    store.close()


def test_a_file_that_was_deleted_is_there_again_with_all_games_and_one_whose_folder_is_gone_ends_quietly(run, kept):
    with deleted(run, inside=False):
        pass
    with Store.read(run) as store:
        assert store.count_games() == 3
    assert list(run.parent.iterdir()) == [run]
    lost = run.parent / "lost" / "run.sqlite"
    lost.parent.mkdir()
    lost.write_bytes(kept)
    with deleted(lost, inside=True):
        pass
    assert not lost.exists()


def test_the_thread_of_a_file_keeps_no_program_from_its_end_and_ends_itself_where_the_file_is_gone(run):
    with Store.resume(run):
        assert [thread.daemon for thread in threading.enumerate() if thread.name == "checkpoints"] == [True]
    assert "checkpoints" not in {thread.name for thread in threading.enumerate()}
    connection.Checkpoints(run.with_name("gone.sqlite")).end()
    assert list(run.parent.iterdir()) == [run]


def test_a_reader_of_a_file_that_was_deleted_writes_nothing(run):
    with Store.read(run) as store:
        assert store.count_games() == 2
        run.unlink()
    assert list(run.parent.iterdir()) == []


class Refusing:
    """A connection that can ask nothing, and says so by a code of SQLite."""

    closed = False

    def __init__(self, code):
        self.code = getattr(sqlite3, f"SQLITE_{code}")

    def execute(self, _):
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = self.code
        raise error

    def close(self):
        self.closed = True


@pytest.mark.parametrize("code", ["READONLY", "READONLY_ROLLBACK", "READONLY_RECOVERY", "CANTOPEN"])
def test_what_a_reader_cannot_roll_back_is_rolled_back_under_the_lock_in_its_place(run, code):
    with Database(run) as database:
        database.connection.close()
        database.connection = refusing = Refusing(code)
        with Lock(run), pytest.raises(TakenError):
            database.recover()
        database.connection = refusing
        database.recover()
        assert refusing.closed
        assert database.value("SELECT count(*) FROM game") == 2
        with pytest.raises(InputError, match="readonly"):
            update(database, "DELETE FROM sprt")
    assert list(run.parent.iterdir()) == [run]


@pytest.mark.parametrize(
    ("code", "copied"), [("READONLY", True), ("READONLY_CANTINIT", True), ("CANTOPEN", True), ("IOERR", False)]
)
def test_what_cannot_be_read_beside_its_log_either_is_read_from_memory(run, monkeypatch, code, copied):
    def refusing(path, *, write):
        return connect(path, write=True) if write else Refusing(code)

    connect = connection.connect
    with Database(run) as database:
        database.connection.close()
        database.connection = Refusing("READONLY")
        monkeypatch.setattr(connection, "connect", refusing)
        database.recover()
        assert isinstance(database.connection, Refusing) != copied
        if copied:
            assert database.rows("SELECT moves FROM opening ORDER BY id") == [("44",), ("12",)]
            assert database.value("SELECT file FROM pragma_database_list") == ""
    assert list(run.parent.iterdir()) == [run]


def test_another_error_is_left_to_the_first_query(run):
    class Failing:
        def execute(self, *_):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error

        def close(self):
            pass

    with Database(run) as database:
        database.connection.close()
        database.connection = Failing()
        database.recover()
        with pytest.raises(InputError, match=r"run\.sqlite: disk I/O error"):
            database.rows("SELECT 1")
