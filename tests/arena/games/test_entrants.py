"""Agents outside of tournaments: what they are made of, under which names and limits, and who is left out."""

from dataclasses import astuple
from pathlib import Path

import pytest
from scripted import Leftmost, Middle

from agents.agent import Limits
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from arena.games import entrants as made
from arena.games.entrants import ProcessSpec, attended, entrant, entrants, outlived
from arena.games.entries import read_entries

BOT = "class Bot:\n    def choose(self, board, limits):\n        return 0\n"
ROSTER = """
[[agent]]
name = "low"
spec = "greedy"
[[agent]]
name = "slow"
spec = "greedy"
seconds = 0.5
[[agent]]
name = "low"
spec = "students/ann.py:Bot"
environment = {KEY = "v"}
nodes = 9
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("students").mkdir()
    for name in ("ann", "bob"):
        Path(f"students/{name}.py").write_text(BOT)
    Path("students/ann.json").touch()
    Path("students/cat.py").write_text("def choose(:\n")
    Path("all.toml").write_text(ROSTER)
    return tmp_path


def shown(specs, folder):
    """Return of each agent its name and kind, and how it starts, if it does so in a process of its own."""
    return [
        [each.text, each.kind.replace(str(folder), "~"), dict(each.parameters),
         *([each.origin.words[0].replace(str(folder), "~"), each.origin.folder.replace(str(folder), "~"),
            each.origin.environment, each.origin.limits, [Path(file).name for file in each.origin.files]]
           if isinstance(each, ProcessSpec) else [])]
        for each in specs
    ]  # fmt: skip


def test_specs_files_folders_rosters_and_objects_become_agents_in_their_order(place):
    lines = []
    found = entrants(
        ["minimax:depth=1..2", Middle, Path("students"), "all.toml", Middle, "greedy", "greedy", "students/bob.py:Bot"],
        warn=lines.append,
    )
    none = Limits()
    assert shown(found, place) == [
        ["minimax:depth=1", "minimax", {"depth": 1}],
        ["minimax:depth=2", "minimax", {"depth": 2}],
        ["Middle", "object:scripted:Middle", {}],
        ["ann", "~/students/ann.py:Bot", {}, "~/students/ann.py", "~/students", (), none, ["ann.json", "ann.py"]],
        ["bob", "~/students/bob.py:Bot", {}, "~/students/bob.py", "~/students", (), none, ["bob.py"]],
        ["low", "greedy", {}],
        ["slow", "greedy", {}, "greedy", "~", (), Limits(seconds=0.5), []],
        ["low#2", "~/students/ann.py:Bot", {}, "~/students/ann.py", "~/students", (("KEY", "v"),), Limits(nodes=9), []],
        ["Middle", "object:scripted:Middle", {}],
        ["greedy", "greedy", {}],
        ["greedy", "greedy", {}],
        ["students/bob.py:Bot", "students/bob.py:Bot", {}, "~/students/bob.py", "~/students", (), none, []],
    ]
    assert [line.replace(str(place), "~") for line in lines] == [
        "left out: students/cat.py, line 1: invalid syntax",
        "all.toml: 'low' is the agent of all.toml; this one is 'low#2'",
    ]


@pytest.mark.parametrize("walls", [False, True])
def test_they_live_under_the_limits_that_were_asked_for_and_apart_from_each_other_in_walls(place, monkeypatch, walls):
    checked = []
    monkeypatch.setattr(made, "check_sandbox", lambda: checked.append("walls"))
    found = entrants(["students/ann.py", "students/bob.py"], {"patience": 3.0, "memory": 99, "sandbox": walls})
    assert [each.process_limits for each in found] == [ProcessLimits(3.0, 0.1, 99, sandbox=walls)] * 2
    files = [[Path(file).name for file in each.source().files] for each in found]
    assert files == ([["ann.json", "ann.py"], ["bob.py"]] if walls else [[], []])
    assert checked == ["walls"] * walls
    one = found[0].build()
    assert (type(one), one.source, one.process_limits) == (SubprocessAgent, found[0].origin, found[0].process_limits)
    assert one.running is False


def test_what_cannot_play_is_an_error_where_nobody_is_left_and_what_is_isolated_is_said_by_isolation(place):
    Path("broken").mkdir()
    Path("broken/one.py").write_text("def choose(:\n")
    with pytest.raises(InputError, match=r"^broken/one\.py, line 1: invalid syntax$"):
        entrants(["broken"])
    assert [each.text for each in entrants(["broken", "greedy"])] == ["greedy"]
    assert isinstance(entrants(["greedy"], {"everyone": True})[0], ProcessSpec)
    assert type(entrants(["students/ann.py"], {"nobody": True})[0]).__name__ == "Spec"
    with pytest.raises(InputError, match="memory must be from 64"):
        entrants(["greedy"], {"memory": 1})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("minimax:depth=1..3", "'minimax:depth=1..3' stands for 3 agents, one is needed"),
        ("students", "students holds several agents: write students/:ann; there are ann, bob"),
        ("students/", "students/ holds several agents: write students/:ann; there are ann, bob"),
        ("all.toml", "all.toml holds several agents: write all.toml:low; there are low, slow, low#2"),
        ("students/:eve", "'eve': there are ann, bob"),
    ],
)
def test_one_agent_is_one(place, text, message):
    with pytest.raises(InputError) as raised:
        entrant(text)
    assert str(raised.value).endswith(message)


def test_one_agent_of_many_is_the_one_that_was_named(place):
    assert entrant("students/:bob").text == "bob"
    [low, *_] = read_entries("all.toml").agents
    assert astuple(entrant(low)) == ("low", "greedy", {})
    assert entrant("students/bob.py", {"everyone": True}).text == "students/bob.py"


def test_parameters_are_given_to_an_agent_as_its_spec_or_its_options(place):
    ours = entrant("alphabeta:depth=2,table=on", {"everyone": True}).having(depth=3, table=False)
    assert ours.source().words == ("alphabeta:depth=3,table=off",)
    assert ours.parameters == {"depth": 3, "table": False}
    Path("own.py").write_text(
        "class Own:\n    def __init__(self, depth=1, near=0): pass\n    def choose(self, b): pass\n"
    )
    theirs = entrant("own.py:Own:near=4,python=/bin/sh")
    assert theirs.source().options == (("near", 4), ("python", "/bin/sh"))
    again = theirs.having(depth=3, near=5)
    assert again.source().options == (("near", 5), ("python", "/bin/sh"), ("depth", 3))
    assert again.parameters == {"near": 5, "python": "/bin/sh", "depth": 3}
    assert (again.text, again.source().words) == (theirs.text, theirs.source().words)


class Closing(SubprocessAgent):
    """Knows that it was closed."""

    ends = 0

    def __init__(self):
        super().__init__(Source("cmd", ("/none",), "/"))

    def close(self):
        self.ends += 1


def test_whatever_ends_the_block_processes_of_agents_end_with_it():
    one, other = Closing(), Closing()
    with pytest.raises(ZeroDivisionError), attended([one, Leftmost(), other]):
        raise ZeroDivisionError
    assert (one.ends, other.ends) == (1, 1)


def test_an_agent_apart_that_fails_is_left_out_where_faults_are_gathered_and_all_else_is_raised():
    error, faults = InputError("no answer"), []
    with outlived(Closing(), faults):
        raise error
    assert faults == [error]
    for agent, gathered, raised in (
        (Closing(), None, error),
        (Leftmost(), faults, error),
        (Closing(), faults, KeyError()),
    ):
        with pytest.raises(type(raised)), outlived(agent, gathered):
            raise raised
    assert faults == [error]
