"""Own agents of a person, which a server offers by name."""

import json
import os
import re

import pytest
from needs import needs
from served import ask, client_of

from arena.plugins.serve import own
from arena.plugins.serve.own import Own

BOT = "class Edge:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]\n"
PID = "import os\n\ndef choose(board):\n    open('pid', 'w').write(str(os.getpid()))\n    return 6\n"
HEURISTIC = "def evaluate(own, opp):\n    return own & 7\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_own_agent_plays_in_a_process_of_its_own(here):
    (here / "mybot.py").write_text(PID)
    with client_of(None, agents=["mybot.py"]) as client:
        assert "mybot.py" in client.get("/play").text
        assert ask(client, "/api/move", {"agent": "mybot.py", "moves": "44"}).json()["column"] == 7
        first = (here / "pid").read_text()
        assert int(first) != os.getpid()
        assert ask(client, "/api/move", {"agent": "mybot.py", "moves": "4"}).json()["column"] == 7
        assert (here / "pid").read_text() == first, "its process is kept"


@pytest.mark.process
def test_agents_of_a_folder_and_own_heuristics_are_offered_where_they_are_named_alone(here):
    (here / "bots").mkdir()
    for name in ("one", "two"):
        (here / "bots" / f"{name}.py").write_text(BOT)
    (here / "value.py").write_text(HEURISTIC)
    search = "alphabeta:depth=4,heuristic=value.py:evaluate"
    with client_of(None) as client:
        assert not any(form.get("own") for form in forms(client))
        assert ask(client, "/api/move", {"agent": "bots/:one"}).status_code == 400
    with client_of(None, agents=["bots", search]) as client:
        offered = [form for form in forms(client) if form.get("own")]
        assert [form["name"] for form in offered] == ["bots/:one", "bots/:two", search]
        assert [ask(client, "/api/move", {"agent": form["name"]}).status_code for form in offered] == [200] * 3
        assert ask(client, "/api/move", {"agent": "bots/:one"}).json()["column"] == 1


HOMEWORK = """
class Minimax:
    def choose(self, board, limits):
        return 0

class AlphaBeta(Minimax):
    def __init__(self, depth=1):
        self.depth = depth

    def choose(self, board, limits):
        return self.depth
"""


@pytest.mark.process
def test_of_a_homework_the_alphabeta_plays_and_stands_on_the_first_page(here):
    (here / "hw.py").write_text(HOMEWORK)
    with client_of(None, agents=["hw.py", "hw.py:depth=4", "hw.py:Minimax"]) as client:
        offered = [form["name"] for form in forms(client) if form.get("own")]
        assert offered == ["hw.py:AlphaBeta", "hw.py:AlphaBeta:depth=4", "hw.py:Minimax"]
        assert [ask(client, "/api/move", {"agent": name}).json()["column"] for name in offered] == [2, 5, 1]
        start = client.get("/").text
        assert 'href="/play?second=hw.py%3AAlphaBeta"' in start
        assert start.count("Your own agent, in a process of its own.") == 3
    with client_of(None) as client:
        assert "of your own" not in client.get("/").text


def test_a_file_of_several_agents_without_a_known_name_says_the_rule_in_one_line(here, arena):
    (here / "hw2.py").write_text(HOMEWORK.replace("Minimax", "One").replace("AlphaBeta", "Other"))
    done = arena("serve", "--agent", "hw2.py")
    assert done.code == 2
    assert done.err.splitlines() == [(
        "arena: hw2.py defines One, Other: which plays? the one called Agent, Bot, Player or AlphaBeta, "
        "or the only one with such a word in its name; or write hw2.py:One"
    )]  # fmt: skip


def forms(client):
    """Return the agents that the page to play on offers."""
    return json.loads(re.search(r'<script[^>]*id="agents">(.*?)</script>', client.get("/play").text, re.DOTALL)[1])


@pytest.mark.parametrize("sandbox", [False, True])
def test_the_page_says_how_own_agents_play(here, sandbox):
    (here / "bot.py").write_text(BOT)
    with client_of(None, agents=["bot.py"], sandbox=sandbox) as client:
        form, *others = forms(client)
    assert not any("own" in other for other in others)
    assert form["own"]
    assert form["summary"] == f"your own agent, in a separate process{' in a sandbox' * sandbox}"


class Seated:
    """Stands for the process of an own agent."""

    def __init__(self, name, isolation, stopped):
        self.name, self.isolation, self.stopped = name, isolation, stopped

    def stop(self):
        self.stopped.append(self.name)


@pytest.mark.parametrize("sandbox", [False, True])
def test_the_processes_of_the_last_four_agents_are_kept(monkeypatch, sandbox):
    stopped = []
    monkeypatch.setattr(own, "player", lambda agent, isolation: Seated(agent, isolation, stopped))
    offered = Own(sandbox=sandbox)
    seats = [offered.seat(name) for name in "abcdaef"]
    assert seats[0] is seats[4]
    assert seats[0].isolation == {"everyone": True, "sandbox": sandbox}
    assert (list(offered.seats), stopped) == (["d", "a", "e", "f"], ["b", "c"])


@pytest.mark.process
def test_an_own_agent_that_never_answers_is_ended_and_asked_again(here, monkeypatch):
    monkeypatch.setattr("arena.plugins.serve.searching.SECONDS", 0.5)
    (here / "slow.py").write_text("def choose(board):\n    while board.ply == 1:\n        pass\n    return 3\n")
    with client_of(None, agents=["slow.py"]) as client:
        answer = ask(client, "/api/move", {"agent": "slow.py", "moves": "4"})
        assert (answer.status_code, "found no move within 0.5 seconds" in answer.text) == (400, True)
        assert ask(client, "/api/move", {"agent": "slow.py", "moves": ""}).json()["column"] == 4


@pytest.mark.process
@needs("bwrap")
def test_own_agents_are_kept_from_files_in_a_sandbox(here):
    (here / "spy.py").write_text(PID)
    with client_of(None, agents=["spy.py"], sandbox=True) as client:
        answer = ask(client, "/api/move", {"agent": "spy.py", "moves": ""})
    assert "Read-only file system" in answer.json()["error"]
    assert not (here / "pid").exists()
