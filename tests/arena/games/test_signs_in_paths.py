"""Whatever splits a spec may stand in the path of a file: where the file is there, it is that file."""

import itertools
import json
import shlex

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.specs.notation import every, protect, restore
from agents.specs.registry import expand, parse
from arena.cli.types import PAIR
from arena.games.entrants import entrant, entrants
from arena.games.openings import candidates
from arena.table.labels import shorter

NAMES = ["v=3", "a,b", "one|two", "1..3", "x;y", "bot (1)", "(", "a)b", "a:b", "cmd:x", "uci:y", "plies:4", "it's",
         "a.py:b", "depth=4,order=centre", "llm:m@x;y=1", '"', "alphabeta:depth=2"]  # fmt: skip
AGENT = """
class Bot:
    def __init__(self, column=2):
        self.column = column
    def choose(self, board, limits):
        return int(self.column)
"""
HEURISTIC = "def evaluate(own, opp):\n    return 0\n\ndef make(rules, *, w):\n    return evaluate\n"
ENGINE = "#!/bin/sh\nwhile read line; do case $line in *) echo 3;; esac; done\n"


def answer(spec):
    """Return what an agent answers on the empty board."""
    agent = spec.build()
    try:
        return agent.choose(Board(), Limits()).column
    finally:
        getattr(agent, "close", lambda: None)()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["file", "folder", "both"])
def test_an_agent_of_a_file_with_a_sign_in_its_path_plays(tmp_path, monkeypatch, name, place):
    monkeypatch.chdir(tmp_path)
    path = {"file": f"{name}.py", "folder": f"{name}/bot.py", "both": f"{name}/{name}.py"}[place]
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(AGENT)
    bare, three, five = entrants([path, f"{path}:Bot:column=3|5"])
    assert (three.parameters, five.parameters) == ({"column": 3}, {"column": 5})
    assert bare.source().words == five.source().words == (str(tmp_path / path), "Bot")
    assert place != "both" or answer(five) == 5  # each is a process
    assert [spec.text for spec in expand(f"{path}:Bot:column=1..2")] == [f"{path}:Bot:column={n}" for n in (1, 2)]
    assert parse(f"{tmp_path / path}:column=4").parameters == {"column": 4}
    assert len(set(shorter([path, f"{path}:Bot", f"{path}:Bot:column=3", "random"])[0].values())) == 4


@pytest.mark.parametrize("name", NAMES)
def test_a_heuristic_of_a_file_with_a_sign_in_its_path_searches(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = f"{name}.py"
    (tmp_path / path).write_text(HEURISTIC)
    spec = f"alphabeta:heuristic={path}:evaluate|zero,depth=1..2,compiled=no"
    assert [each.parameters["heuristic"] for each in expand(spec)] == [f"{path}:evaluate"] * 2 + ["zero"] * 2
    assert answer(expand(spec)[0]) in range(7)
    assert [each.parameters["heuristic"] for each in expand(f"alphabeta:heuristic={path}:make(w=1..2)")] == [
        f"{path}:make(w=1)",
        f"{path}:make(w=2)",
    ]
    assert every([f"{path}:evaluate|zero"]) == [f"{path}:evaluate", "zero"]
    assert PAIR.read(f"{path},random") == (path, "random")


@pytest.mark.parametrize("name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.process) for name in NAMES[1:])])
def test_a_class_in_a_folder_with_a_sign_in_its_name_plays(arena, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / name
    (folder / "kim").mkdir(parents=True)
    (folder / "kim" / "main.py").write_text(AGENT)
    (folder / f"{name}.py").write_text(AGENT)
    (folder / f"{name}.engine").write_text(ENGINE)
    (folder / f"{name}.engine").chmod(0o755)
    (folder / "roster.txt").write_text("")
    near, far = entrants([f"{name}/"]), entrants([str(folder)])
    assert [answer(spec) for spec in near] == [2, 2, 2]
    assert [spec.source() for spec in far] == [spec.source() for spec in near]
    assert answer(entrant(f"{name}/:kim")) == 2
    if name in ("v=3", "a)b", "cmd:x", "it's"):
        done = arena("run", f"{name}/", f"{name}/kim/main.py", "--rounds", "1", "--out", "run.sqlite", "--quiet")
        assert (done.code, "left out" in done.err) == (0, False)
        added = arena("run", "--resume", "run.sqlite", "--add", f"{name}/{name}.py:Bot:column=3", "--quiet")
        assert added.code == 0
        shown_run = arena("show", "run.sqlite", "--json")
        assert len(json.loads(shown_run.out)["standings"]) == 5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prefix", ["cmd", "uci", "kaggle", "pettingzoo"])
def test_a_command_with_a_sign_in_its_path_starts(tmp_path, monkeypatch, name, prefix):
    monkeypatch.chdir(tmp_path)
    path = f"./{name}.py"
    (tmp_path / path).write_text(ENGINE if prefix in ("cmd", "uci") else "def agent(obs, config):\n    return 3\n")
    (tmp_path / path).chmod(0o755)
    text = f"{prefix}:{path}" + {"uci": ";Hash=16;EvalFile=none", "pettingzoo": ":agent"}.get(prefix, "")
    [spec] = expand(text)
    source = spec.source()
    assert source.words[0] == str(tmp_path / path)
    assert source.options == ((("Hash", "16"), ("EvalFile", "none")) if prefix == "uci" else ())
    if prefix in ("cmd", "uci"):
        assert parse(f"{prefix}:sh {path} 7").source().words[1:] == (path, "7")
        assert parse(f"{prefix}:{shlex.quote(path)}").source().words[0] == str(tmp_path / path)


def test_openings_are_those_of_a_file_that_is_called_as_a_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("plies:4", "fair:2:pairs", "a=b,c.txt"):
        (tmp_path / name).write_text("44\n45\n")
        assert [board.text for board in candidates(name)] == ["44", "45"]


def test_signs_are_hidden_in_the_longest_path_alone_and_shown_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a=1.py", "a=1.py,b"):
        (tmp_path / name).touch()
    for before, after in itertools.product(["", "x=", "x:y=", "p|"], ["", ":f", ",c=2", ";d"]):
        text = f"{before}a=1.py,b{after}"
        changed = protect(text)
        assert restore(changed) == text
        assert (changed.startswith(before), changed.endswith(after)) == (True, True)
        assert not set("=,") & set(changed[len(before) : len(changed) - len(after)])
    assert protect("x=a=2.py,b") == "x=a=2.py,b"
