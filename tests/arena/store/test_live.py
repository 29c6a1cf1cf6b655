"""The games in progress, in a small file beside a run's."""

import errno
import json
import os
import time
from pathlib import Path

import pytest

from arena.store import live
from arena.store.live import GameInProgress

GAMES = [GameInProgress("greedy", "random", "4453", 1.5), GameInProgress("random", "mine.py", "", 0.0)]


@pytest.fixture
def run(tmp_path):
    return tmp_path / "run.sqlite"


def test_games_in_progress_are_read_as_they_were_written_last_until_they_end(run):
    assert live.beside(run) == run.with_name("run.sqlite-now")
    assert live.read(run) is None
    for games in (GAMES, GAMES[1:], []):
        live.write(run, games)
        assert live.read(run) == games
        assert [path.name for path in run.parent.iterdir()] == ["run.sqlite-now"]
    live.write(run, GAMES[:1])
    assert json.loads(live.beside(run).read_text()) == [
        {"first": "greedy", "second": "random", "moves": "4453", "seconds": 1.5}
    ]
    live.beside(run).with_name("run.sqlite-now~").touch()  # as a run leaves it that is killed meanwhile
    live.end(run)
    live.end(run)
    assert live.read(run) is None
    assert list(run.parent.iterdir()) == []


@pytest.mark.parametrize(("age", "games"), [(9.0, GAMES), (11.0, None)])
def test_games_of_a_run_that_was_probably_killed_are_none(run, age, games):
    live.write(run, GAMES)
    then = time.time() - age
    os.utime(live.beside(run), (then, then))
    assert live.read(run) == games


@pytest.mark.parametrize("text", ["", "{", "3", '[{"first": "a"}]', '[{"other": 1}]', "[3]"])
def test_what_cannot_be_read_is_no_game(run, text):
    live.beside(run).write_text(text)
    assert live.read(run) is None


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.ENOENT, errno.EROFS])
def test_a_disk_that_refuses_the_file_stops_no_run(run, monkeypatch, number):
    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    live.write(run, GAMES)
    for name in ("write_text", "replace", "unlink"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, name, refuse)
            live.write(run, GAMES[:1])
            files = {path.name for path in run.parent.iterdir()}
            live.end(run)
        assert files <= {"run.sqlite-now"}, name
    assert live.read(run) is None or live.read(run) == GAMES[:1]


def test_who_reads_meanwhile_never_reads_half_a_file(run, monkeypatch):
    live.write(run, GAMES)
    seen = []
    written = Path.write_text

    def looked(path, text, encoding):
        written(path, text[:5], encoding)
        seen.append(live.read(run))
        return written(path, text, encoding)

    monkeypatch.setattr(Path, "write_text", looked)
    live.write(run, GAMES[:1])
    assert seen == [GAMES]
    assert live.read(run) == GAMES[:1]
