"""Files that the program writes for its user are whole, or as they were before."""

import errno
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hand_made import pairs_of, run_of

from agents.errors import InputError
from arena.store import writing
from arena.store.writing import read_json, replacing, write, write_json


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_of(tmp_path / "run.sqlite", ["greedy", "random"], pairs_of("10"))
    return tmp_path / "run.sqlite"


WORDS = [
    ("report", "run.sqlite", "--out", "run.sqlite"),
    ("tree", "minimax:depth=1", "--html", "run.sqlite"),
    ("show", "run.sqlite", "--plot", "figure.svg"),
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: f"{words[0]} {words[-2]}")
def test_no_command_writes_over_a_stored_run(arena, run, words):
    run.with_name("figure.svg").write_bytes(run.read_bytes())
    before = {each.name: each.read_bytes() for each in run.parent.iterdir()}
    done = arena(*words)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "is a database" in done.err
    assert {each.name: each.read_bytes() for each in run.parent.iterdir()} == before


def test_a_damaged_run_is_not_written_over_either(run):
    run.write_bytes(run.read_bytes()[:5000])
    with pytest.raises(InputError, match="is a database"), replacing(run) as beside:
        beside.write_text("a page")


def test_a_run_that_another_program_holds_is_not_written_over_either(run):
    with closing(sqlite3.connect(run)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        honest = writing.connect
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writing, "connect", lambda path, write: patient(honest(path, write=write)))
            with pytest.raises(InputError, match="is a database"):
                write(run, "a page")
    assert run.read_bytes().startswith(b"SQLite format 3")


def patient(connection):
    """Return a connection that does not wait for others."""
    connection.execute("PRAGMA busy_timeout = 0")
    return connection


def test_a_full_disk_leaves_the_page_that_was_there(arena, run, monkeypatch):
    page = run.with_name("page.html")
    page.write_text("the old page")

    def full(path, text, encoding):
        path.write_bytes(text.encode(encoding)[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        done = arena("report", "run.sqlite", "--out", "page.html")
    assert (done.code, done.err) == (2, "arena: page.html cannot be written: No space left on device\n")
    assert page.read_text() == "the old page"
    assert {each.name for each in run.parent.iterdir()} == {"run.sqlite", "page.html"}
    assert arena("report", "run.sqlite", "--out", "page.html").code == 0
    assert "</html>" in page.read_text()


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    with replacing(link) as beside:
        beside.write_text("new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode), link.is_symlink()) == ("new", 0o640, True)
    assert set(tmp_path.iterdir()) == {file, link}


def test_a_new_file_comes_where_a_link_leads_and_an_empty_one_is_replaced(tmp_path):
    link, empty = tmp_path / "link", tmp_path / "empty"
    link.symlink_to(tmp_path / "new")
    empty.touch()
    for path in (link, empty):
        write(path, "Zoë")
    assert (link.is_symlink(), (tmp_path / "new").read_bytes(), empty.read_bytes()) == (True, *["Zoë".encode()] * 2)
    assert {path.name for path in tmp_path.iterdir()} == {"link", "new", "empty"}


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_whatever_ends_the_writing_leaves_the_old_file_and_no_other(tmp_path, error):
    (path := tmp_path / "page.html").write_text("the old page")
    with pytest.raises(error), replacing(path) as beside:  # noqa: PT012  half of it is written
        beside.write_text("half")
        raise error
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("page.html", "the old page")]


def test_a_file_of_a_folder_that_cannot_be_changed_is_written_itself(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(writing.os, "access", lambda *given: asked.append(given))
    (path := tmp_path / "page.html").write_text("the old page")
    with replacing(path) as beside:
        beside.write_text("new")
        assert [*tmp_path.iterdir()] == [beside] == [path]
    assert (path.read_text(), asked) == ("new", [(tmp_path, os.W_OK)])
    with replacing(tmp_path / "other") as beside:
        beside.touch()
        assert beside != tmp_path / "other", "there is no file yet, and a half-written one must not be"


def test_what_cannot_be_written_is_named_with_the_reason(tmp_path):
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "none" / "a", "No such file or directory")):
        with pytest.raises(InputError, match=f"^{path} cannot be written: {reason}$"):
            write(path, "text")
    with pytest.raises(InputError, match=r"a cannot be written: of another kind$"), replacing(tmp_path / "a"):
        raise OSError("of another kind")


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="the system has no such device")
def test_a_device_is_written_itself():
    with replacing(Path("/dev/null")) as beside:
        beside.write_text("gone")
    assert Path("/dev/null").is_char_device()


def test_a_document_is_written_as_it_reads_with_its_letters_and_no_number_that_is_none(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"name": "Zoë", "games": [1, 2.5, None]})
    whole = '{\n  "name": "Zoë",\n  "games": [\n    1,\n    2.5,\n    null\n  ]\n}\n'
    assert path.read_bytes() == whole.encode()
    with pytest.raises(ValueError, match="Out of range"):
        write_json(path, [float("nan")])
    assert path.read_bytes() == whole.encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_read_only_file_system_is_told_of_the_file_that_was_asked_for(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system", ".beside")

    for name in ("write_text", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(InputError, match=r"new\.toml cannot be written: Read-only file system$"):
        write(tmp_path / "new.toml", "text")


ODD = [
    '{"rows": 3, "seed": 3}', '{"rows": [3], "seed": 3}', '{"rows": {}, "seed": 3}', "{}", "[]", "3", '{"rows": [',
    None, '{"rows": []}', '{"seed": 3}',
    '{"rows": [{"name": 1}, {}], "seed": 3}', '{"rows": [], "seed": "3"}', '{"rows": [{"name": "ë"}], "seed": 3}',
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_a_document_of_another_form_is_damaged(tmp_path, text):
    path = tmp_path / "costs.json"
    if text is not None:
        path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=r"costs\.json is missing or damaged: measure again$"):
        read_json(path, {"rows": [{"name": None}], "seed": 0}, "measure again")


def test_a_document_of_the_form_may_have_more(tmp_path):
    path = tmp_path / "costs.json"
    for rows in ([{"name": 1, "more": 2}, {"name": "Zoë"}], []):
        write_json(path, document := {"rows": rows, "more": [], "seed": 3})
        assert read_json(path, {"rows": [{"name": None}], "seed": 0}, "") == document
