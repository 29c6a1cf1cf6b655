"""A class's run that grows: late hand-ins join, and changed ones are named."""

import json
import shutil

import pytest

WORDS = ("-q", "-j", "1", "--in-process")
PLAYS = "def choose(board):\n    return board.legal_moves()[{0}]\n"


@pytest.fixture
def students(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "students"
    folder.mkdir()
    for place, name in enumerate(("anna", "carla", "tom")):
        (folder / f"{name}.py").write_text(PLAYS.format(place % 2 - 1) + f"# {name}\n")
    assert arena("run", "students/", "--rounds", 1, "--out", "class.sqlite", *WORDS).code == 0
    return folder


def grow(arena, *words):
    done = arena("run", "--resume", "class.sqlite", "--json", "-q", "-j", "1", *words)
    return done, json.loads(done.out) if done.code == 0 else {}


def test_only_those_who_are_new_join_and_it_is_said(arena, students):
    (students / "rosa.py").write_text(PLAYS.format(0) + "# rosa\n")
    done, shown = grow(arena, "--add", "students/")
    assert "3 play already; added: rosa" in done.err
    assert shown["games"]["played"] == 12
    done, shown = grow(arena, "--add", "students/")
    assert "4 play already; added: nobody" in done.err
    assert shown["games"]["played"] == 12


def test_a_folder_that_was_moved_brings_nobody_twice(arena, students):
    shutil.copytree(students, students.parent / "moved")
    shutil.copy(students / "tom.py", students.parent / "moved" / "tim.py")
    done, shown = grow(arena, "--add", "moved/")
    assert "3 play already; added: tim" in done.err
    assert {row["agent"] for row in shown["standings"]} == {"anna", "carla", "tom", "tim"}


def test_a_changed_file_is_named_with_what_replaces_it(arena, students):
    (students / "carla.py").write_text(PLAYS.format(0))
    done, _ = grow(arena, "--add", "students/")
    assert done.code == 2
    assert "carla has changed since its 4 games; --replay carla deletes them and plays again" in " ".join(
        done.err.split()
    )
    done, shown = grow(arena, "--add", "students/", "--replay", "carla")
    assert shown["games"]["played"] == 6


def test_agents_beside_resume_are_told_of_add(arena, students):
    assert "write --add students/" in grow(arena, "students/")[0].err
