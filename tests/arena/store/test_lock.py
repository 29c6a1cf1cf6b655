"""Who may write a run's file: one process at a time, whatever else is opened and closed meanwhile."""

import errno
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command import ENVIRONMENT, finished
from played import played

from agents.errors import InputError
from arena.records import Job
from arena.store import connection
from arena.store.connection import Lock
from arena.store.folder import stored
from arena.store.run_file import Store

from .created import created, record, rows

WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from created import created, record
from agents.errors import InputError
from arena.records import Job
from arena.store.run_file import Store
path = Path({path!r})
store = created(path, games=1)
for opening in (Store.resume, created):
    try:
        opening(path)
    except InputError as error:
        print(error, flush=True)
sys.stdin.readline()
store.add(record(Job(1, 0, 0)))
print("stored", flush=True)
sys.stdin.readline()
"""
COUNT = "import sqlite3, sys\nprint(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM game').fetchone()[0])"


@pytest.fixture
def writer(tmp_path):
    """A process that has stored one game, was refused a second opening of its file, and stores another when told."""
    program = WRITER.format(tests=str(Path(__file__).parent), path=str(tmp_path / "run.sqlite"))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    yield process
    process.kill()
    process.communicate()


def count(path):
    """Return how many games another process reads, which opens the file as any SQLite browser does, and closes it."""
    return int(subprocess.run([sys.executable, "-c", COUNT, path], capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(connection.fcntl is None, reason="the system has no such locks")
def test_a_refused_second_opening_costs_no_game(tmp_path, writer):
    path = tmp_path / "run.sqlite"
    refused = [writer.stdout.readline() for _ in range(2)]
    said = rf"{path} is being written by another run \(process {writer.pid}, since 20\S+\)\n"
    for line in refused:
        assert re.fullmatch(said, line)
    assert count(path) == 1
    assert path.with_name("run.sqlite-wal").exists(), "another process has taken a log in use for a dead one's"
    print(file=writer.stdin, flush=True)
    assert writer.stdout.readline() == "stored\n"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert count(path) == 2


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the system does not tell")
def test_a_refused_second_opening_leaves_sqlite_its_own_locks(tmp_path):
    path = tmp_path / "run.sqlite"

    def held():
        inode = f":{path.stat().st_ino} "
        return [line.split(maxsplit=1)[1] for line in Path("/proc/locks").read_text().splitlines() if inode in line]

    with created(path, games=1):
        before = held()
        assert before
        for way in (Store.resume, created):
            with pytest.raises(InputError, match=f"process {os.getpid()}, since"):
                way(path)
        Store.read(path).close()
        assert held() == before


def test_the_lock_says_whose_it_is_and_is_gone_after_the_run(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path):
        [beside] = tmp_path.glob("*-lock")
        owner = json.loads(beside.read_text())
        assert owner.keys() == {"process", "host", "since", "command"}
        assert owner["process"] == os.getpid()
        assert [run.file for run in stored(tmp_path)[0]] == [str(path)]
    assert list(tmp_path.iterdir()) == [path]


def test_one_file_under_two_names_has_one_lock(tmp_path):
    path = tmp_path / "run.sqlite"
    (tmp_path / "latest.sqlite").symlink_to(path)
    with created(path), pytest.raises(InputError, match="is being written by another run"):
        Store.resume(tmp_path / "latest.sqlite")


def test_the_lock_of_a_killed_process_holds_nothing(tmp_path):
    path = tmp_path / "run.sqlite"
    created(path, games=1).close()
    path.with_name("run.sqlite-lock").write_text('{"process": 1, "host": "elsewhere", "since": "then"}\n')
    with Store.resume(path) as store:
        assert json.loads(path.with_name("run.sqlite-lock").read_text())["process"] == os.getpid()
        store.add(record(Job(1, 0, 0)))
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_that_was_removed_while_it_was_asked_for_is_asked_for_again(tmp_path):
    """Of many that ask at once for a lock that is taken and given back, never two have it."""
    path, inside, most = tmp_path / "run.sqlite", [], []

    def ask():
        for _ in range(200):
            try:
                with Lock(path):
                    inside.append(1)
                    most.append(len(inside))
                    inside.pop()
            except InputError as error:
                assert "is being written by another run" in str(error)  # noqa: PT017  some are refused, not all

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(most) == {1}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(connection.fcntl is None, reason="the system has no such locks")
def test_a_file_system_without_locks_is_named_as_such(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(connection.fcntl, "flock", refuse)
    with pytest.raises(InputError, match=r"run\.sqlite cannot be written: its file system has no locks \(Function not"):
        created(tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_system_without_such_locks_writes_files_without_them(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    spec = importlib.util.spec_from_file_location("connection_elsewhere", connection.__file__)
    elsewhere = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(elsewhere)
    path = tmp_path / "new" / "run.sqlite"
    with elsewhere.Database(path, elsewhere.claim(path)) as database:
        database.use_log()
        with database.transaction() as inside:
            inside.execute("CREATE TABLE game (id)")
    assert list(path.parent.iterdir()) == [path]
    assert rows(path, "SELECT * FROM game") == []
    with pytest.raises(InputError, match="exists; --resume"):
        elsewhere.claim(path)


def test_the_lock_is_said_in_one_line_on_the_command_line(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", games=1)
    with Store.resume(path):
        code, out, err = finished(tmp_path, "run", "--resume", "run.sqlite")
    assert (code, out) == (2, "")
    assert err.startswith(f"arena: run.sqlite is being written by another run (process {os.getpid()}, since ")
    assert err.count("\n") == 1


def test_runs_that_are_begun_at_once_each_get_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stores = [created(None, games=1) for _ in range(3)]
    for store in stores:
        store.close()
    created(None).close()
    assert len(list(Path("results").iterdir())) == 4


def test_of_those_that_begin_one_file_at_once_one_gets_it(tmp_path):
    for number in range(40):
        path, begun = tmp_path / f"{number}.sqlite", []
        ready = threading.Barrier(2)

        def begin(path=path, begun=begun, ready=ready):
            ready.wait()
            try:
                store = created(path, games=1)
            except InputError as error:
                begun.append(str(error))
                ready.wait()
                return
            ready.wait()
            store.close()

        threads = [threading.Thread(target=begin) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        [refused] = begun
        assert "exists; --resume" in refused or "is being written by another run" in refused
        assert rows(path, "SELECT count(*) FROM game") == [(1,)]


@pytest.mark.skipif(connection.fcntl is None, reason="the system has no such locks")
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL, errno.EIO, errno.EPERM])
def test_what_the_system_says_of_a_lock_is_said_in_one_line(tmp_path, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(connection.fcntl, "flock", refuse)
    path = tmp_path / "run.sqlite"
    with pytest.raises(InputError) as raised:
        Lock(path)
    said = f"{path} cannot be written: run.sqlite-lock: {os.strerror(number)}"
    if number not in {errno.EIO, errno.EPERM}:
        said = (
            f"{path} cannot be written: its file system has no locks ({os.strerror(number)}), so that two runs could "
            "write it at once; name a file on another"
        )
    assert str(raised.value) == said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("written", "holder"),
    [
        ('{"process": 7, "host": "HERE", "since": "noon"}', " (process 7, since noon)"),
        ('{"process": 7, "host": "elsewhere", "since": "noon"}', " (process 7 on elsewhere, since noon)"),
        ('{"process": 7, "host": "HERE"}', ""),
        ("[]", ""),
        ("7", ""),
        ("no JSON", ""),
        ("", ""),
    ],
)
def test_a_lock_that_is_taken_says_by_whom_as_far_as_it_can_be_read(tmp_path, written, holder):
    path = tmp_path / "run.sqlite"
    with Lock(path) as lock:
        lock.file.write_text(written.replace("HERE", socket.gethostname()))
        with pytest.raises(InputError) as raised:
            Lock(path)
        assert str(raised.value) == f"{path} is being written by another run{holder}"
