"""What a check of several agents asks of each; tests/arena/games has the check of one."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tqdm import tqdm

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits
from arena.games.check import Checked
from arena.tournament.check import Checks, check

BOT = "def choose(board):\n    return board.legal_moves()[0]\n"


@pytest.fixture
def asked(monkeypatch):
    """What the check of one agent was given, each time."""
    given = []
    monkeypatch.setattr(
        "arena.games.check.check", lambda row, spec, *more: given.append((row.agent, spec.text, *more[:4]))
    )
    return given


def test_each_agent_is_asked_within_the_limits_on_the_board(asked, here):
    Path("bots").mkdir()
    for name in ("ada", "ben"):
        Path("bots", f"{name}.py").write_text(BOT)
    Path("bots", "broken.py").write_text("def choose(board:\n")
    Path("more").mkdir()
    Path("more", "cem.py").write_text(BOT)
    for name in ("bots", "more"):
        Path(name, "notes.py").write_text("x = 1\n")
    settings = {"seconds": 0.5, "nodes": 7, "margin": 0.3, "rules": "5x4", "positions": 9}
    shown = tqdm(file=io.StringIO())
    agents = ["bots", "greedy", "nobody", "more"]
    done = check(agents, **settings, progress=lambda _, total: shown.reset(total) or shown)
    assert shown.n == shown.total == 6 * 9
    assert [row[:2] for row in asked] == [("ada", "ada"), ("ben", "ben"), ("greedy", "greedy"), ("cem", "cem")]
    assert done.remarks == ["bots: not agents: notes.py", "more: not agents: notes.py"]
    assert {row[2:] for row in asked} == {(Limits(nodes=7, seconds=0.5), 0.3, Rules(5, 4), 9)}
    assert [(row.agent, row.ok) for row in done.rows] == [
        ("broken", False), ("ada", True), ("ben", True), ("greedy", True), ("nobody", False), ("cem", True),
    ]  # fmt: skip
    assert "'nobody'" in done.rows[4].problems[0]


def test_an_agent_has_a_process_of_its_own_within_the_limits_that_were_asked_for(here, monkeypatch):
    def missing():
        raise InputError("no sandbox here")

    given = []
    monkeypatch.setattr("arena.games.check.check", lambda row, spec, *_: given.append(spec.process_limits))
    monkeypatch.setattr("agents.processes.sandbox.bubblewrap", lambda: None)
    check(["greedy"], patience=7.0, memory=99, sandbox=True, debug="/log.txt")
    check(["greedy"])
    check(["greedy"], seconds=0.5, nodes=7, margin=0.3, patience=8.0)
    assert given.pop().start_timeout == 8.0, "a limit of a move is none of the start"
    assert given == [ProcessLimits(7.0, 0.1, 99, sandbox=True, debug="/log.txt"), ProcessLimits()]
    monkeypatch.setattr("agents.processes.sandbox.bubblewrap", missing)
    for wrong, said in (({"sandbox": True}, "no sandbox here"), ({"positions": 0}, "positions is a whole number")):
        with pytest.raises(InputError, match=said):
            check(["greedy"], **wrong)


def test_an_interruption_keeps_the_rows_so_far(asked, monkeypatch):
    def interrupted(row, *_):
        row.positions = 3
        if row.agent == "random":
            raise KeyboardInterrupt

    monkeypatch.setattr("arena.games.check.check", interrupted)
    done = check(["greedy", "random", "minimax"], positions=9)
    assert [row.agent for row in done.rows] == ["greedy", "random"]
    assert done.interrupted == "at random, after 3 of 9 positions"


def test_the_command_says_of_each_agent_what_is_wrong_and_what_protects(arena, monkeypatch):
    rows = [
        Checked("good", True, ["good: is slow"], 200, 0.01234, 1234.5, True, False, "hello\n"),
        Checked("bad", False, ["answers 9", "bad: and fails"], 3, output="one\ntwo\n"),
    ]
    found = Checks(rows, ["x: not agents: y.py"])
    monkeypatch.setattr("arena.tournament.check.check", lambda *_, **__: found)
    monkeypatch.setattr("arena.tournament.check.limits_in_force", lambda: "limited")
    monkeypatch.setattr("arena.tournament.command_check.sys", SimpleNamespace(platform="linux"))
    done = arena("check", "good", "bad")
    assert (done.code, [line.split() for line in done.out.splitlines()[2:]]) == (
        1, [["good", "yes", "200", "0.0123", "1,234", "yes", "no"], ["bad", "no", "3", "-", "-", "-", "-"]],
    )  # fmt: skip
    end = "the end of its output:"
    problems = ["good: is slow", "bad: answers 9", "bad: and fails", "bad printed", end, "    one", "    two"]
    protection = "protection: a process group of its own, the referee's clock, limited, a limit of file size"
    *lines, last = done.err.splitlines()
    assert lines == [*problems, "x: not agents: y.py"]
    assert last.startswith(f"{protection}; ")
    assert "--sandbox" in last
    assert arena("check", "good", "--sandbox").err.splitlines()[-1] == f"{protection}, a sandbox"
    lines = arena("check", "good", "--verbose").err.splitlines()
    assert lines[:4] == ["good: is slow", "good printed", end, "    hello"]
    done = arena("check", "good", "--json")
    assert (done.code, done.err, [row["agent"] for row in json.loads(done.out)]) == (1, "", ["good", "bad"])
    found = Checks(rows[:1], [], "at good, after 3 of 9 positions")
    done = arena("check", "good")
    assert (done.code, done.err.splitlines()[-1]) == (130, "interrupted at good, after 3 of 9 positions")
    found = Checks(rows[:1], [])
    assert arena("check", "good").code == 0
    found = Checks([], ["nothing here"])
    done = arena("check", "empty")
    assert (done.code, done.out, done.err.splitlines()[0]) == (0, "", "nothing here")
    assert arena("check", "empty", "--json").out == "[]\n"
