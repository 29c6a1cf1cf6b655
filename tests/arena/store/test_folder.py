import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from changed import connect
from hand_made import pairs_of, run_of

from agents.errors import InputError
from arena.store.folder import latest, run_file, stored


def made(path, created, *, planned=None, decision=None, command=""):
    """Store a run of two games with what its file says of itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    run_of(path, ["greedy", "random"], pairs_of("10"))
    connection = connect(path)
    with connection:
        connection.execute("UPDATE run SET created = ?, command = ?", (created, command))
        if planned:
            connection.execute("UPDATE run SET planned = ?", (planned,))
        if decision:
            connection.execute("INSERT INTO sprt VALUES (1, 0.5, -2.9, 2.9, ?)", (decision,))
    connection.close()
    return path


@pytest.fixture
def folder(tmp_path):
    made(tmp_path / "old.sqlite", "2026-01-01T00:00:00.000+00:00", command="arena run greedy random")
    made(tmp_path / "deep" / "new.sqlite", "2026-03-01T00:00:00.000+00:00", planned=9)
    made(tmp_path / "middle.sqlite", "2026-02-01T00:00:00.000+00:00", planned=9, decision="H1")
    os.utime(tmp_path / "old.sqlite")  # touched last, and still the oldest run
    return tmp_path


def test_runs_come_newest_first_with_what_they_say_of_themselves(folder):
    found, errors = stored(folder)
    assert errors == []
    files = ("deep/new.sqlite", "middle.sqlite", "old.sqlite")
    assert [run.file for run in found] == [str(folder / name) for name in files]
    assert [(run.played, run.planned, run.complete) for run in found] == [(2, 9, False), (2, 9, True), (2, 2, True)]
    assert [run.command for run in found] == [None, None, "arena run greedy random"]
    assert found[0].agents == ["greedy", "random"]


def test_what_is_no_run_is_left_out_and_said(arena, folder):
    (folder / "other.sqlite").write_bytes(b"no database at all, and long enough to be read as one" * 20)
    (folder / "a folder.sqlite").mkdir()
    [first, second] = stored(folder)[1]
    assert ("a folder.sqlite" in first, "other.sqlite" in second) == (True, True)
    (folder / "a folder.sqlite").rmdir()
    done = arena("list", folder, "--json")
    assert [list(run) for run in json.loads(done.out)] == [
        ["file", "created", "agents", "played", "planned", "complete"]
    ] * 3
    assert done.err.count("left out") == 1
    assert "other.sqlite is not the record of a run" in done.err


def test_the_table_says_how_much_is_played(arena, folder):
    lines = arena("list", folder).out.splitlines()
    assert "2 of 9" in lines[2]
    assert "2026-03-01 00:00" in lines[2]
    assert lines[4].rstrip().endswith("arena run greedy random")


def test_latest_is_the_newest_run_wherever_a_file_is_asked(arena, folder, monkeypatch):
    (folder / "results").mkdir()
    made(folder / "results" / "a.sqlite", "2026-03-01T00:00:00.000+00:00")
    made(folder / "results" / "b.sqlite", "2025-01-01T00:00:00.000+00:00", planned=9)
    monkeypatch.chdir(folder)
    assert latest().name == "a.sqlite"
    assert json.loads(arena("show", "latest", "--json").out)["games"]["planned"] == 2
    assert len(json.loads(arena("games", "latest", "--json").out)) == 2
    assert "diff" not in arena("diff", "latest", "latest").err


def test_where_nothing_is_stored_there_is_no_latest_run(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = arena("show", "latest")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "nothing is stored in results or the current folder" in done.err
    assert arena("list").err == "arena: nothing is stored yet: arena run makes the folder results\n"
    (tmp_path / "file").touch()
    for name in ("none", "file"):
        with pytest.raises(InputError, match=f"^there is no folder {tmp_path / name}$"):
            stored(tmp_path / name)


def test_a_run_beside_the_folder_of_results_is_found(arena, folder, monkeypatch):
    made(folder / "results" / "old.sqlite", "2026-01-01T00:00:00.000+00:00")
    made(folder / "first.sqlite", "2026-06-01T00:00:00.000+00:00")
    made(folder / "below" / "other.sqlite", "2026-07-01T00:00:00.000+00:00")
    monkeypatch.chdir(folder)
    found = [run["file"] for run in json.loads(arena("list", "--json").out)]
    assert found[0] == "first.sqlite"
    assert "results/old.sqlite" in found
    assert "below/other.sqlite" not in found
    assert latest().name == "first.sqlite"


def test_a_run_is_complete_by_the_last_look_of_its_test_or_by_its_games(tmp_path):
    """A test that has been decided stays so; one whose looks all go on has its games to play."""
    looks = {
        "decided": ["continue", "continue", "H0"], "going-on": ["continue", "continue"], "again": ["H1", "continue"],
        "full": [],
    }  # fmt: skip
    for name, decisions in looks.items():
        path = made(tmp_path / f"{name}.sqlite", "2026-01-01", planned=2 if name == "full" else 9)
        with closing(connect(path)) as file, file:
            rows = [(pairs, 0.5, -2.9, 2.9, decision) for pairs, decision in enumerate(decisions, 1)]
            file.executemany("INSERT INTO sprt VALUES (?, ?, ?, ?, ?)", rows)
    found, errors = stored(tmp_path)
    assert {Path(run.file).stem: run.complete for run in found} == {
        "decided": True, "going-on": False, "again": False, "full": True,
    }  # fmt: skip
    assert [Path(run.file).stem for run in found] == ["going-on", "full", "decided", "again"], "of one time by name"
    assert errors == []


def test_a_run_that_does_not_say_what_it_was_is_left_out_with_a_line(folder):
    damages = {
        "DELETE FROM run": "is damaged: it does not say what was planned",
        "UPDATE run SET created = x'00'": "is damaged: it does not say what was planned, and when",
    }
    for number, statement in enumerate(damages):
        path = made(folder / f"{number}.sqlite", "2026-01-01T00:00:00.000+00:00")
        with closing(connect(path)) as file, file:
            file.execute("PRAGMA ignore_check_constraints = ON")
            file.execute("PRAGMA writable_schema = ON")
            file.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'run'")
        with closing(connect(path)) as file, file:
            file.execute(statement)
    found, errors = stored(folder)
    assert len(found) == 3
    assert [line.startswith(f"{folder}/{number}.sqlite {said}") for number, (line, said) in
            enumerate(zip(errors, damages.values(), strict=True))] == [True, True], errors  # fmt: skip


def test_a_path_is_taken_as_it_is_and_latest_only_where_no_file_has_that_name(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert run_file("old.sqlite") == Path("old.sqlite")
    assert run_file(Path("none")) == Path("none")
    assert run_file("latest") == run_file(Path("latest")) == Path("middle.sqlite")
    Path("latest").touch()
    assert run_file("latest") == Path("latest")
