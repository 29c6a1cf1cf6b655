"""Rosters and folders on the command line: what is stored of their variables, and how one agent of them is asked."""

import json
import shlex

import pytest
from changed import update

pytestmark = pytest.mark.process

SECRET, CALLERS = "sk-4e1f-of-the-roster", "sk-77aa-of-the-caller"
BOT = """
import os, sys
def choose(board):
    key, passed = os.environ["ROSTER_KEY"], os.environ["CALLER_KEY"]
    print("connecting with", key, file=sys.stderr, flush=True)
    if board.ply > 11:
        raise ValueError(f"{passed} is refused, and so is {key}")
    if board.ply > 9:
        return passed
    return board.legal_moves()[0]
"""
ROSTER = f"""
[[agent]]
name = "keen"
spec = "bot.py"
folder = "bots"
environment = {{ROSTER_KEY = "{SECRET}"}}
pass_environment = ["CALLER_KEY"]

[[agent]]
name = "script"
command = "./script.sh"
folder = "bots"
"""
RUN = ("run", "roster.toml", "greedy", "--rounds", 1, "-j", 1, "-q", "--json")


@pytest.fixture
def rosters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CALLER_KEY", CALLERS)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bot.py").write_text(BOT)
    (tmp_path / "bots" / "script.sh").write_text("#!/bin/sh\nwhile read -r line; do cat column; done\n")
    (tmp_path / "bots" / "script.sh").chmod(0o755)
    (tmp_path / "bots" / "column").write_text("4\n")
    (tmp_path / "roster.toml").write_text(ROSTER)
    return tmp_path


def holding(folder):
    """Return the files below a folder that hold a value, but for the roster itself."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in {"roster.toml", "copy.toml"}]
    return [path for path in files for value in (SECRET, CALLERS) if value[3:].encode() in path.read_bytes()]


def test_no_value_of_a_variable_is_stored_or_printed(arena, rosters):
    said = [arena(*RUN, "--out", f"{name}.sqlite", "--seed", seed) for name, seed in (("one", 1), ("two", 1))]
    assert [done.code for done in said] == [0, 0], said[0].err
    said += [
        arena("show", "one.sqlite"), arena("show", "one.sqlite", "--table", "faults"), arena("games", "one.sqlite"),
        arena("report", "one.sqlite", "--out", "page.html"),
    ]  # fmt: skip
    assert [done.code for done in said] == [0] * len(said), [done.err for done in said]
    assert "connecting with ***" in said[3].out
    assert holding(rosters) == []
    assert not any(value[3:] in done.out + done.err for done in said for value in (SECRET, CALLERS))
    assert b"ROSTER_KEY" in (rosters / "one.sqlite").read_bytes()


@pytest.mark.parametrize("gone", ["roster", "caller", ""])
def test_a_resumed_run_takes_values_from_where_they_were(arena, rosters, monkeypatch, gone):
    assert arena(*RUN, "--games", 1, "--out", "r.sqlite").code == 0
    monkeypatch.chdir(rosters / "bots")
    if gone == "roster":
        (rosters / "roster.toml").rename(rosters / "copy.toml")
    elif gone:
        monkeypatch.delenv("CALLER_KEY")
    done = arena("run", "--resume", "../r.sqlite", "-j", 1, "-q", "--json")
    if not gone:
        assert done.code == 0, done.err
        assert holding(rosters) == []
        return
    name, where = ("ROSTER_KEY", f"in {rosters}/roster.toml nor ") if gone == "roster" else ("CALLER_KEY", "")
    said = f"arena: agent 'keen': there is no {name} {where}in the environment: export {name}=VALUE\n"
    assert (done.code, done.err) == (2, said)
    monkeypatch.setenv(name, SECRET)
    assert arena("run", "--resume", "../r.sqlite", "-j", 1, "-q", "--json").code == 0


def test_a_run_of_before_goes_on_with_the_values_that_it_holds(arena, rosters):
    from arena.store.run_file import Store

    assert arena(*RUN, "--games", 1, "--out", "r.sqlite").code == 0
    with Store.resume(rosters / "r.sqlite") as store:
        plan = store.plan()
        for entry in filter(None, plan["isolation"]["entries"]):
            entry["environment"] = [[name, SECRET] for name in entry["environment"]]
            passed = entry.pop("pass_environment")
            entry["environment"] += [[name, CALLERS] for name in passed]
            del entry["roster"]
        update(store, "UPDATE run SET plan = ?", json.dumps(plan))
    (rosters / "roster.toml").unlink()
    done = arena("run", "--resume", "r.sqlite", "-j", 1, "-q", "--json")
    assert done.code == 0, done.err
    for words in (("show", "r.sqlite", "--table", "faults"), ("report", "r.sqlite", "--out", "page.html")):
        done = arena(*words)
        assert SECRET not in done.out + done.err
    assert SECRET.encode() not in (rosters / "page.html").read_bytes()
    assert arena("run", "--resume", "r.sqlite", "--add", "random", "-j", 1, "-q", "--games", 1).code in (0, 2)


def test_move_and_play_take_one_agent_of_a_roster_or_a_folder(arena, rosters):
    assert json.loads(arena("move", "roster.toml:script", "44", "--json").out)["move"] == 4
    assert json.loads(arena("move", "roster.toml:keen", "44", "--json").out)["agent"] == "keen"
    done = arena("move", "roster.toml")
    assert (done.code, done.err) == (
        2, "arena: roster.toml holds several agents: write roster.toml:keen; there are keen, script\n"
    )  # fmt: skip
    (rosters / "students").mkdir()
    (rosters / "students" / "alice.py").write_text("def choose(board):\n    return 3\n")
    for spec in ("students", "students/", "students/:alice"):
        assert json.loads(arena("move", spec, "44", "--json").out)["move"] == 4
    done = arena("play", "students/:alice", "roster.toml:keen", "--delay", 0, "--json")
    assert [json.loads(done.out)[side] for side in ("first", "second")] == ["alice", "keen"]
    done = arena("play", "students", stdin="4\nquit\n")
    assert (done.code, "alice plays 4" in done.out or "plays 4" in done.out) == (0, True)
    done = arena("move", "students/:bob")
    assert (done.code, done.err) == (2, "arena: no agent in students/ 'bob': there are alice\n")


def test_what_asks_again_asks_the_agent_in_its_own_folder(arena, rosters, monkeypatch):
    (rosters / "bots" / "column").write_text("9\n")
    assert arena(*RUN, "--out", "r.sqlite").code == 0
    rows = {row["agent"]: row for row in json.loads(arena("show", "r.sqlite", "--table", "faults", "--json").out)}
    assert rows["script"]["command"].startswith(f"arena move {rosters}/roster.toml:script ")
    monkeypatch.chdir("/")
    for row in rows.values():
        done = arena(*shlex.split(row["command"])[1:])
        assert done.code == 2
        assert row["detail"] in done.err


def test_one_bad_entry_is_left_out(arena, rosters):
    with (rosters / "roster.toml").open("a") as file:
        file.write('[[agent]]\nname = "nobody"\nspec = "nope"\n')
    done = arena(*RUN, "--out", "r.sqlite")
    assert done.code == 0
    assert "left out: roster.toml: agent 'nobody': no agent 'nope'" in done.err
    assert {row["agent"] for row in json.loads(done.out)["standings"]} == {"keen", "script", "greedy"}


def test_a_toml_file_in_a_folder_is_named_and_does_not_play(arena, rosters):
    students = rosters / "students"
    students.mkdir()
    (students / "alice.py").write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    (students / "evil.toml").write_text('name = "alice"\ncommand = "./x"\nenvironment = {LD_PRELOAD = "./x.so"}\n')
    done = arena("check", "students")
    assert (done.code, "alice" in done.out) == (0, True)
    assert "students: not agents: evil.toml (a roster plays where it is named itself)" in done.err
