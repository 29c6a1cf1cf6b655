"""What is broken by hand or by the system is told in one line."""

import os
import shlex
import sqlite3
import subprocess
from contextlib import closing

import pytest
from command import PROGRAM

MANGLED = "CAST(x'fffe' AS TEXT)"
DAMAGE = {
    "UPDATE sqlite_master SET sql = 'CREATE TABLE game (rubbish' WHERE name = 'game'": "malformed database schema",
    f"UPDATE sqlite_master SET sql = {MANGLED} WHERE name = 'game'": "malformed database schema",
    f"UPDATE sqlite_master SET name = {MANGLED} WHERE name = 'sprt'": "run.sqlite",
    "UPDATE sqlite_master SET sql = replace(sql, 'moves', 'moven') WHERE name = 'game'": "its table game is defined",
    "UPDATE run SET plan = '[1,2]'": "its plan cannot be read: ",
    f"UPDATE run SET plan = {MANGLED}": "run.sqlite is damaged: ",
    "UPDATE run SET plan = json_set(plan, '$.seconds', 'x')": "its plan cannot be read: it has words",
    "UPDATE run SET plan = json_set(plan, '$.rules', json('{\"columns\": \"x\"}'))": "the stored plan cannot be read",
}
EDITED = {
    "'$.sprt', 5": "the stored plan cannot be read: AttributeError",
    "'$.pairs', json('[1]')": "the stored plan cannot be read: TypeError",
    "'$.isolation', json('{\"memory\": 1}')": "the stored plan cannot be read: KeyError",
    "'$.rounds', 50": "its plan has other agents or openings",
    '\'$.agents\', json(\'["greedy", "random", "greedy"]\')': "its plan has other agents or openings",
}


@pytest.fixture
def run(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", "run.sqlite").code == 0
    return tmp_path / "run.sqlite"


def edit(path, change):
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA writable_schema = 1")
        file.execute(change)
        file.commit()


def refused(done, message):
    assert done.code == 2, done
    assert message in done.err
    assert done.err.count("\n") == 1, done.err


@pytest.mark.parametrize("change", DAMAGE)
def test_damage_is_one_line(arena, run, change):
    edit(run, change)
    if "$.rules" not in change:  # a table of standings has no board
        refused(arena("show", run.name), DAMAGE[change])
    refused(arena("run", "-j", 1, "-q", "--resume", run.name), DAMAGE[change])


@pytest.mark.parametrize("change", EDITED)
def test_a_plan_edited_by_hand_is_not_resumed(arena, run, change):
    edit(run, f"UPDATE run SET plan = json_set(plan, {change})")
    refused(arena("run", "-j", 1, "-q", "--resume", run.name), EDITED[change])


def test_a_game_that_its_moves_cannot_produce_is_not_resumed(arena, run):
    edit(run, "UPDATE game SET moves = '1111111' WHERE id = 2")
    refused(arena("run", "-j", 1, "-q", "--resume", run.name), "run.sqlite, game 2: ")


def test_a_game_that_ends_by_a_fault_after_its_end_is_refused(arena, run):
    edit(run, "UPDATE game SET termination = 'exception' WHERE id = 2")
    message = "run.sqlite, game 2: it ends by a fault, but its moves had already ended it"
    refused(arena("run", "-j", 1, "-q", "--resume", run.name), message)


def test_a_closed_stdin_is_told():
    command = f"{shlex.join([*PROGRAM, 'play', 'greedy'])} <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "arena: stdin is closed\n")


@pytest.mark.parametrize("command", ["games", "show"])
@pytest.mark.process
def test_a_reader_that_stops_is_no_damage_of_the_file(run, command):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:  # as `arena games RUN | head -0` does
        done = subprocess.run(
            [*PROGRAM, command, str(run)], stdout=closed, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    "words", ["play greedy greedy --delay", "run random greedy --margin", "depths greedy --budget"]
)
def test_what_is_not_a_number_is_no_number(arena, words):
    refused(arena(*words.split(), "nan"), "'nan' is not a number")


@pytest.mark.parametrize("words", ["engine greedy", "solve -", "uci greedy"])
@pytest.mark.process
def test_input_that_is_not_utf_8_is_one_line(words, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    done = subprocess.run([*PROGRAM, *words.split()], input=b"\xff\xfe\n", capture_output=True, check=False)
    assert done.returncode == (0 if words.startswith("uci") else 2)
    assert (done.stdout + done.stderr).count(b"\n") == 1, done


@pytest.mark.parametrize("command", [["show"], ["run", "--resume"]])
def test_a_run_of_another_version_is_told(arena, tmp_path, command):
    path = tmp_path / "run.sqlite"
    assert arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", path).code == 0
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    done = arena(*command, path)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"arena: {path} was written by another version (format 99, this one reads 4)\n"


def test_an_empty_file_is_no_run_and_stays_empty(arena, tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    for command in (["show"], ["run", "--resume"]):
        said = f"arena: {path} is not the record of a run: nothing was stored in it; --out {path} begins a run there\n"
        assert arena(*command, path).err == said
    assert path.read_bytes() == b""
