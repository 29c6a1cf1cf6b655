"""Engines in a run: their names, the folder they read in a sandbox, conversations, and environments of their own."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs

pytestmark = pytest.mark.process

ENGINE = f"""#!{sys.executable}
import sys
heights = []
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name Deep  Four 3\\nid author x\\noption name Hash type spin default 1 min 1 max 9")
        print("option name UCI_Variant type combo default cfour var cfour\\nuciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        heights = [sum(drop[2] == letter for drop in words) for letter in "abcdefg"]
    elif words[:1] == ["go"]:
        column = min(range(7), key=lambda each: (heights[each] > 5, -each))
        print(f"bestmove P@{{'abcdefg'[column]}}{{heights[column] + 1}}", flush=True)
"""


@pytest.fixture
def engine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("engine").write_text(ENGINE)
    Path("engine").chmod(0o755)
    return "uci:./engine"


def test_engines_have_their_own_names_and_twins_a_number(arena, engine, tmp_path):
    agents = [engine, f"{engine};Hash=2", "greedy"]
    pair = f"{engine};Hash=2 v greedy"
    done = arena("run", *agents, "--rounds", 1, "-j", 1, "--pair", pair, "--out", "r.sqlite", "--json")
    played = {row["agent"]: row["games"] for row in json.loads(done.out)["standings"]}
    assert played == {"Deep Four 3": 0, "Deep Four 3#2": 2, "greedy": 2}
    done = arena("run", "--resume", "r.sqlite", "-j", 1, "--rounds", 2, "--json", "--debug", "talk.txt")
    assert json.loads(done.out)["games"]["played"] == 4
    talk = Path("talk.txt").read_text()
    assert re.search(r"^\d+\.\d{3} \d+ > setoption name Hash value 2$", talk, re.MULTILINE)
    assert re.search(r"^\d+\.\d{3} \d+ < bestmove P@g\d$", talk, re.MULTILINE)
    assert "debug" not in Path("r.sqlite").read_bytes().decode(errors="replace").replace("--debug", "")


def test_an_engine_joins_a_stored_run_by_its_name(arena, engine):
    arena("run", engine, "greedy", "--rounds", 1, "-j", 1, "--out", "r.sqlite")
    assert len(json.loads(arena("games", "r.sqlite", "--agent", "deep", "--json").out)) == 2
    done = arena("run", "--resume", "r.sqlite", "--add", f"{engine};Hash=3", "-j", 1, "--json")
    assert {row["agent"] for row in json.loads(done.out)["standings"]} == {"Deep Four 3", "Deep Four 3#2", "greedy"}
    for name in ("Deep Four 3#2", f"{engine};Hash=3"):
        assert len(json.loads(arena("games", "r.sqlite", "--agent", name, "--json").out)) > 0
    assert arena("games", "r.sqlite", "--agent", "deep").code == 2
    done = arena("run", "--resume", "r.sqlite", "--replay", f"{engine};Hash=3", "-j", 1, "--json")
    assert (done.code, "4 games deleted, to be played again" in done.err) == (0, True)


def test_a_value_beyond_the_list_is_refused_before_play(arena, engine, tmp_path):
    done = arena("run", f"{engine};Hash=10", "greedy", "--out", "r.sqlite")
    assert (done.code, done.err) == (2, "arena: engine engine: Hash is a whole number from 1 to 9, not '10'\n")
    assert not (tmp_path / "r.sqlite").exists()


@needs("bwrap")
def test_a_program_reads_the_folder_that_it_lies_in_in_a_sandbox(arena, tmp_path, monkeypatch):
    folder, elsewhere = tmp_path / "engines", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "move.txt").write_text("4\n")
    (folder / "bot").write_text('#!/bin/sh\nwhile read -r line; do cat "$(dirname "$0")/move.txt"; done\n')
    (folder / "bot").chmod(0o755)
    monkeypatch.chdir(elsewhere)
    done = arena("check", "cmd:../engines/bot", "--sandbox", "--positions", 1, "--json")
    [row] = json.loads(done.out)
    assert row["ok"], row


def test_an_agent_may_have_an_environment_of_its_own(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], check=True)
    [site] = Path("env").glob("lib/*/site-packages")
    (site / "theirs.py").write_text("COLUMN = 2\n")
    text = "import theirs\n\nclass Bot:\n    def __init__(self, by=0):\n        self.by = by\n\n"
    Path("bot.py").write_text(f"{text}    def choose(self, board, limits):\n        return theirs.COLUMN + self.by\n")
    assert json.loads(arena("move", "bot.py:Bot:by=1,python=env/bin/python", "--json").out)["move"] == 4
    assert "No module named 'theirs'" in arena("move", "bot.py:Bot:by=1").err
    assert "there is no program 'pyton' on the PATH" in arena("move", "bot.py:python=pyton").err
    assert "in a process of its own" in arena("move", "bot.py:python=env/bin/python", "--in-process").err
    arena("run", "bot.py:python=env/bin/python", "greedy", "--rounds", 1, "--out", "r.sqlite")
    assert "played" in arena("run", "--resume", "r.sqlite", "--rounds", 2, "--json").out


def test_check_takes_nodes(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(
        "def choose(board, limits):\n    assert limits.nodes == 77, limits\n    return board.legal_moves()[0]\n"
    )
    assert arena("check", "bot.py", "--positions", 3, "--nodes", 77).code == 0
    assert arena("check", "bot.py", "--positions", 3, "--nodes", 78).code == 1
