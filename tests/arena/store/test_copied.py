"""A run's file that is copied alone, while it is played, after a kill, or after it was shown, has its games."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hand_made import AGENTS, GAMES, stored

from agents.errors import InputError
from arena.store import connection, live
from arena.store.run_file import Store


def games(path):
    """Count the games of a file without the arena, which could mend it."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)) as file:
        return file.execute("SELECT count(*) FROM game").fetchone()[0]
    return None


def later(path, seconds=30):
    """Wait until a copy of the file has games, and return how many."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not games(path):
        time.sleep(0.05)
    return games(path)


PLAYS = """
from arena.__main__ import main
from arena.store import connection
connection.CHECKPOINT = 0.1
main()
"""
"""The command, but for the time after which the file alone has what was stored."""


def killed(path, seconds):
    """Play a long run, kill it once its file alone has games, and return how many it had."""
    words = ["run", "greedy", "random", "--openings", "plies:6", "--rounds", "4000", "-j", "1", "-q", "--out"]
    command = [sys.executable, "-c", PLAYS, *words, str(path)]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return later(path, seconds)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()


def test_a_copy_of_a_run_that_plays_has_what_was_stored_a_second_ago(tmp_path, monkeypatch):
    assert connection.CHECKPOINT == 1.0
    monkeypatch.setattr(connection, "CHECKPOINT", 0.02)
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    with Store.resume(path) as store:
        for planned in (77, 78, 79):
            store.set_planned(planned)
            end = time.monotonic() + 30
            while time.monotonic() < end and copied(path) != (planned, len(GAMES)):
                time.sleep(0.01)
            assert time.monotonic() < end


def copied(path):
    """Return the numbers of planned and of played games in a copy of the file alone."""
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    with suppress(InputError), Store.read(copy) as store:  # it may have been written as it was copied
        return store.planned(), store.count_games()


@pytest.mark.parametrize("shown", [False, pytest.param(True, marks=pytest.mark.process)])
def test_a_copy_of_a_killed_run_has_its_games(arena, tmp_path, shown):
    path, away = tmp_path / "run.sqlite", tmp_path / "away" / "run.sqlite"
    away.parent.mkdir()
    assert killed(path, 60)
    if shown:
        assert arena("show", path).code == 0
        assert not [*tmp_path.glob("run.sqlite-wal"), *tmp_path.glob("run.sqlite-shm")]
    shutil.copy(path, away)
    done = arena("show", away)
    assert done.code == 0, done.err
    assert games(away)
    assert sorted(file.name for file in away.parent.iterdir()) == ["run.sqlite"]


def test_a_run_that_is_written_is_shown_without_its_lock(tmp_path):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    with Store.resume(path) as writer:
        writer.set_planned(77)
        with Store.read(path) as reader:
            assert reader.planned() == 77


@pytest.mark.process
def test_a_killed_run_in_a_folder_without_write_permission_is_read_with_its_log(tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    assert killed(path, 60)
    Path(f"{path}-shm").unlink()
    with monkeypatch.context() as patch:
        patch.setattr("arena.store.connection.Lock", refused)
        with Store.read(path) as store:
            games_then = store.count_games()
    with Store.read(path) as store:
        assert store.count_games() == games_then > 0


def refused(path):
    raise InputError(f"{path} cannot be written")


def test_a_file_and_its_log_are_read_where_nothing_can_be_written_also_by_way_of_a_link(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "CHECKPOINT", 60)
    path, away, link = tmp_path / "run.sqlite", tmp_path / "away", tmp_path / "link.sqlite"
    away.mkdir()
    with Store.resume(stored(path, AGENTS, GAMES)) as store:
        store.set_planned(77)
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", away)
    link.symlink_to(away / "run.sqlite")
    for name in (away / "run.sqlite", link):
        with Store(name) as store:
            store._read_from_memory()
            assert (store.planned(), store.count_games()) == (77, len(GAMES))
    assert sorted(file.name for file in away.iterdir()) == ["run.sqlite", "run.sqlite-wal"]


def test_a_full_disk_leaves_no_file_of_games_in_progress(tmp_path, monkeypatch):
    def full(self, *_, **__):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    live.write(tmp_path / "run.sqlite", [])
    assert list(tmp_path.iterdir()) == []
