"""Own agents and heuristics of a person, and tournaments that a page begins."""

import json
import os
import subprocess
import sys
import time
from subprocess import PIPE
from types import SimpleNamespace

import pytest
from needs import needs
from served import ADDRESS, ask, client_of

from arena.api import own, runs
from arena.web.own import Own
from arena.web.runs import Runs
from arena.web.tournaments import Tournaments

pytestmark = pytest.mark.process

BOT = "import os\n\nclass Edge:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]\n"
PID = "import os\n\ndef choose(board):\n    open('pid', 'w').write(str(os.getpid()))\n    return 6\n"
HEURISTIC = "def evaluate(own, opp):\n    return own & 7\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(run, wanted, seconds=60.0):
    """Wait until so many games of a run that a page began are stored."""
    until = time.monotonic() + seconds
    while (found := runs.state(run, 1))["played"] < wanted:
        assert time.monotonic() < until, found
        time.sleep(0.05)
    return found


def test_an_own_agent_plays_in_a_process_of_its_own(here):
    (here / "mybot.py").write_text(PID)
    with client_of(None, agents=["mybot.py"]) as client:
        assert "mybot.py" in client.get("/play").text
        assert ask(client, "/api/move", {"agent": "mybot.py", "moves": "44"}).json()["column"] == 7
        first = (here / "pid").read_text()
        assert int(first) != os.getpid()
        assert ask(client, "/api/move", {"agent": "mybot.py", "moves": "4"}).json()["column"] == 7
        assert (here / "pid").read_text() == first, "its process is kept"


def test_files_of_the_folder_are_offered_behind_a_switch_alone(here):
    (here / "edge.py").write_text(BOT + HEURISTIC)
    with client_of(None) as client:
        assert "edge.py" not in client.get("/play").text
        assert ask(client, "/api/move", {"agent": "edge.py:Edge"}).status_code == 400
    with client_of(None, files=True) as client:
        assert "edge.py:Edge" in client.get("/play").text
        assert ask(client, "/api/move", {"agent": "edge.py:Edge"}).json()["column"] == 1
        assert ask(client, "/api/move", {"agent": "alphabeta:depth=4,order=centre,heuristic=edge.py:evaluate"}).json()


def test_an_own_agent_that_never_answers_is_ended_and_asked_again(here, monkeypatch):
    monkeypatch.setattr("arena.web.searching.SECONDS", 0.5)
    (here / "slow.py").write_text("def choose(board):\n    while board.ply == 1:\n        pass\n    return 3\n")
    with client_of(None, agents=["slow.py"]) as client:
        answer = ask(client, "/api/move", {"agent": "slow.py", "moves": "4"})
        assert (answer.status_code, "found no move within 0.5 seconds" in answer.text) == (400, True)
        assert ask(client, "/api/move", {"agent": "slow.py", "moves": ""}).json()["column"] == 4


@pytest.mark.parametrize("path", ["/api/file", "/api/run", "/api/resume", "/api/stop"])
def test_nothing_is_changed_without_the_servers_key_or_from_another_site(here, path):
    words = {"name": "mine.py", "text": HEURISTIC, "agents": ["greedy", "random"], "rounds": 1, "run": "x"}
    with client_of(None) as client:
        for answer in (
            ask(client, path, words, key="another"),
            ask(client, path, words, key=""),
            ask(client, path, words, origin="http://evil.example"),
            client.post(path, data=words, headers={"Origin": ADDRESS}),
        ):
            assert answer.status_code == 403
    with client_of(None, token="") as client:
        assert "other machines can reach it" in ask(client, path, words, key="").json()["error"]
    assert list(here.iterdir()) == []


def test_a_typed_heuristic_is_stored_checked_and_replaced_when_asked(here):
    with client_of(None) as client:
        told = ask(client, "/api/file", {"name": "mine.py", "text": HEURISTIC}).json()
        assert (told["file"], told["heuristics"], told["agents"]) == ("mine.py", ["mine.py:evaluate"], [])
        [row] = told["checked"]
        assert (row["ok"], row["positions"]) == (True, own.POSITIONS), row
        again = ask(client, "/api/file", {"name": "mine.py", "text": BOT})
        assert again.json() == {"exists": "there is a mine.py already; it stays unless you replace it"}
        assert (here / "mine.py").read_text() == HEURISTIC
        told = ask(client, "/api/file", {"name": "mine.py", "text": BOT, "replace": True}).json()
        assert told["agents"] == ["mine.py:Edge"]
        assert "mine.py:Edge" in client.get("/new").text
        wrong = {"name": "other.py", "text": "def choose(board):\n    return 1 // 0\n"}
        [row] = ask(client, "/api/file", wrong).json()["checked"]
        assert not row["ok"]
        assert "ZeroDivisionError" in row["problems"][0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("../mine.py", BOT, "not a name such as mine.py"),
        ("/tmp/mine.py", BOT, "not a name such as mine.py"),
        ("mine", BOT, "not a name such as mine.py"),
        (".py", BOT, "not a name such as mine.py"),
        ("mine.py\n", BOT, "not a name such as mine.py"),
        ("random.py", BOT, "would hide the module random"),
        ("numba.py", BOT, "would hide the module numba"),
        ("mine.py", "x = 1\n", "neither an agent"),
        ("mine.py", "def (", "mine.py, line 1"),
        ("mine.py", f"{BOT}# {'x' * own.LARGEST}", "larger than 64 kB"),
        ("link.py", BOT, "no plain file"),
    ],
)
def test_what_cannot_be_stored_is_said_and_nothing_is_written(here, name, text, message):
    outside = here.parent / "outside.py"
    outside.write_text("mine")
    (here / "link.py").symlink_to(outside)
    with client_of(None) as client:
        answer = ask(client, "/api/file", {"name": name, "text": text, "replace": True})
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert outside.read_text() == "mine"
    assert [each.name for each in here.iterdir()] == ["link.py"]


def test_a_tournament_is_begun_stopped_and_resumed(here):
    (here / "edge.py").write_text(BOT)
    with client_of(None, agents=["edge.py"]) as client:
        begun = ask(client, "/api/run", {"agents": ["edge.py", "alphabeta:depth=5..6"], "rounds": 500}).json()
        run = here / begun["run"].removeprefix("/run/")
        assert run.parent == here / "results"
        played(run, 1)
        assert '"ours":true' in client.get(begun["run"]).text
        second = ask(client, "/api/run", {"agents": ["greedy", "random"], "rounds": 1})
        assert "a tournament is being played here" in second.json()["error"]
        assert ask(client, "/api/stop", {}).status_code == 200
        before = runs.state(run, 1)
        assert 0 < before["played"] < before["planned"]
        assert "stopped; what was played is kept" in client.get(begun["run"]).text
        assert ask(client, "/api/resume", {"run": begun["run"].removeprefix("/run/")}).json() == begun
        played(run, before["played"] + 1)
        ask(client, "/api/stop", {})
        [stored] = runs.stored()[0]
        assert stored.command == "arena run edge.py alphabeta:depth=5 alphabeta:depth=6 --rounds 500"


def test_a_tournament_ends_quietly_with_its_server(here):
    words = {"agents": ["minimax:depth=6", "greedy"], "own": False, "sandbox": False, "rounds": 200, "command": ""}
    command = [sys.executable, "-P", "-m", "arena.web.job"]
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE) as job:
        job.stdin.write(json.dumps(words | {"name": "run.sqlite", "folder": str(here)}) + "\n")
        job.stdin.flush()
        assert json.loads(job.stdout.readline()) == {"file": str(here / "run.sqlite")}
        played(here / "run.sqlite", 1)
        job.stdout.close()
        job.stdin.close()
        assert (job.stderr.read(), job.wait(20)) == ("", 0)
    assert not runs.state(here / "run.sqlite", 1)["done"]


def test_heuristics_are_compared(here):
    (here / "mine.py").write_text(HEURISTIC)
    with client_of(None, files=True) as client:
        words = {"heuristics": ["mine.py:evaluate", "smart-aware"], "depth": "1..2", "rounds": 2}
        begun = ask(client, "/api/run", words).json()
        assert played(here / begun["run"].removeprefix("/run/"), 8)["done"]
        ask(client, "/api/stop", {})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"agents": ["greedy", "cmd:touch x"], "rounds": 1}, "built-in agent"),
        ({"agents": ["greedy", "edge.py"], "rounds": 1}, "built-in agent"),
        ({"agents": ["greedy", "alphabeta:heuristic=edge.py:evaluate"], "rounds": 1}, "only built-in"),
        ({"agents": ["greedy"], "rounds": 1}, "2 to 50 agents here, not 1"),
        ({"agents": ["greedy", "random"], "rounds": 0}, "rounds is a whole number"),
        ({"agents": "greedy", "rounds": 1}, "agents must be a list of texts"),
        ({"heuristics": ["smart-aware", "edge.py:evaluate"], "rounds": 1}, "not a heuristic of this page"),
        ({"heuristics": ["smart-aware"], "rounds": 1}, "two or more"),
        ({"heuristics": ["smart-aware", "zero"], "depth": "1..99", "rounds": 1}, "depth is a range"),
    ],
)
def test_what_cannot_be_played_is_said(here, words, message):
    (here / "edge.py").write_text(BOT + HEURISTIC)
    with client_of(None) as client:
        answer = ask(client, "/api/run", words)
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert not (here / "results").exists()


@needs("bwrap")
def test_own_agents_are_kept_from_files_in_a_sandbox(here):
    (here / "spy.py").write_text(PID)
    with client_of(None, agents=["spy.py"], sandbox=True) as client:
        answer = ask(client, "/api/move", {"agent": "spy.py", "moves": ""})
    assert "Read-only file system" in answer.json()["error"]
    assert not (here / "pid").exists()


def test_only_the_run_that_is_played_says_so(tmp_path):
    tournaments = Tournaments(Runs(tmp_path), Own(tmp_path))
    tournaments.job = SimpleNamespace(file=tmp_path / "one.sqlite", running=True, said="a line")
    assert tournaments.status(tmp_path / "one.sqlite") == {"ours": True, "said": "a line"}
    assert tournaments.status(tmp_path / "other.sqlite") == {"ours": False, "said": ""}
