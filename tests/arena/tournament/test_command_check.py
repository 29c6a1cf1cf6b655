import json
import re
import textwrap
from types import SimpleNamespace

import pytest

from agents.processes import sandbox, watchdog
from agents.processes.agent import SubprocessAgent

pytestmark = pytest.mark.process

BOTS = {
    "good": "def choose(board):\n    return board.legal_moves()[0]\n",
    "kaggle": """
        import random
        def agent(observation, configuration):
            assert len(observation.board) == configuration["columns"] * configuration.rows
            assert observation["mark"] == 1 + sum(cell > 0 for cell in observation.board) % 2
            assert configuration.inarow == 4 and observation.remainingOverageTime > 0
            return random.choice([c for c in range(configuration.columns) if observation.board[c] == 0])
        """,
    "grid": """
        class Grid:
            def choose(self, board, limits):
                rows = board.grid()
                return rows[0].index(0)
        """,
    "helped": "from shared import leftmost\ndef choose(board, limits):\n    return leftmost(board)\n",
    "shared": "def leftmost(board):\n    return board.legal_moves()[0]\n",
    "full": "def choose(board):\n    return 3\n",
    "late": "import time\ndef choose(board):\n    time.sleep(9)\n",
    "unmade": "class Bot:\n    def __init__(self):\n        raise ValueError('no')\n    def choose(self, b): pass\n",
    "again": "class Bot:\n    def new_game(self, seed):\n        raise ValueError\n    def choose(self, board): pass\n",
}


@pytest.fixture
def bots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in BOTS.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    return tmp_path


def test_check_says_of_every_agent_whether_it_would_forfeit_games(arena, bots):
    done = arena("check", ".", "--seconds", 0.3, "--json")
    assert done.code == 1
    found = {row["agent"]: row for row in json.loads(done.out)}
    assert set(found) == BOTS.keys() - {"shared"}
    assert {name for name, row in found.items() if row["ok"]} == {"good", "kaggle", "grid", "helped"}
    assert list(found["good"]) == [
        "agent", "ok", "problems", "positions", "ms_median", "ms_max", "deterministic", "mirrored",
        "output",
    ]  # fmt: skip
    assert found["good"]["positions"] == 200
    assert 0 < found["good"]["ms_median"] <= found["good"]["ms_max"]
    assert (found["good"]["deterministic"], found["good"]["mirrored"]) == (True, False)
    assert found["kaggle"]["deterministic"] is False
    assert "column 4 is full" in found["full"]["problems"][0]
    assert found["full"]["problems"][0].endswith("; after 5 such faults it was asked no more")
    assert found["full"]["positions"] < 200
    assert "out of time: no answer within 0.4 s" in found["late"]["problems"][0]
    assert found["unmade"]["problems"] == ["does not start: ValueError: no (unmade.py, line 3)"]
    assert found["again"]["problems"] == ["new_game: ValueError (again.py, line 3)"]


EVEN = """
def choose(board):
    mirror = board.mirror()
    if board.key == mirror.key:
        return board.rules.columns // 2
    return board.legal_moves()[0 if board.key < mirror.key else -1]
"""


def test_who_plays_the_mirrored_move_in_the_mirror_is_said_to(arena, tmp_path):
    (tmp_path / "even.py").write_text(EVEN)
    [found] = json.loads(arena("check", tmp_path / "even.py", "--json").out)
    assert (found["problems"], found["deterministic"], found["mirrored"]) == ([], True, True)


def test_check_of_what_is_fine_ends_with_0_and_says_what_protects(arena, bots):
    done = arena("check", "good.py", "greedy")
    assert done.code == 0
    assert [line.split()[:3] for line in done.out.splitlines()[2:]] == [
        ["good.py", "yes", "200"],
        ["greedy", "yes", "200"],
    ]
    assert f"protection: a process group of its own, the referee's clock, {watchdog.in_force()}, a limit" in done.err


def test_a_run_says_what_keeps_the_limits_of_agents_that_have_processes_of_their_own(arena, bots):
    words = ["--rounds", 1, "-j", 1, "--no-store", "-q"]
    line = f"agents in processes of their own, with your rights (others' code: --sandbox): {watchdog.in_force()}"
    assert line in arena("run", "good.py", "greedy", *words).err
    assert "agents in processes" not in arena("run", "random", "greedy", *words).err


def test_check_names_all_that_is_wrong_and_not_only_the_first(arena, bots):
    (bots / "broken.py").write_text("def choose(:\n")
    rows = json.loads(arena("check", "nowhere.py", "broken.py", "good.py", "--json").out)
    assert [row["ok"] for row in rows] == [False, False, True]
    assert "broken.py, line 1: invalid syntax" in rows[1]["problems"][0]


def test_problems_are_said_in_sentences_and_are_no_column_that_a_terminal_may_lack(arena, bots, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    done = arena("check", "unmade.py", "--wide")
    assert done.out.split() == ["agent", "ok", "positions", "-" * 9, "-" * 2, "-" * 9, "unmade.py", "no", "0"]
    assert "unmade.py: does not start: ValueError: no" in done.err


def test_faults_are_shown_with_what_helps(arena, bots):
    telling = "from agents.agent import Analysis\ndef choose(board):\n    return Analysis(board.legal_moves()[0], 3)\n"
    (bots / "tells.py").write_text(telling)
    done = arena("run", "again.py", "full.py", "tells.py", "--rounds", 1, "-j", 1, "--out", "r.sqlite", "--json", "-q")
    assert done.code == 0
    shown = arena("show", "r.sqlite").out
    assert "nodes and scores of tells.py are as they reported, unverified" in shown
    assert re.search(r"no nodes from .*tells\.py: to show them, return Analysis\(column, score, nodes=…\)", shown)
    text = arena("show", "r.sqlite", "--table", "faults").out
    assert "again.py: exception, 4 games\n  ValueError (again.py, line 3)\n    Traceback" in text
    assert "agents/processes" not in text
    rows = json.loads(arena("show", "r.sqlite", "--table", "faults", "--json").out)
    assert rows[0]["command"].startswith("arena move again.py ")
    agent, moves = rows[0]["command"].split()[2:]
    assert arena("move", agent, moves).code in (0, 2)


def test_a_folder_plays_under_its_names(arena, bots):
    for name in ("kaggle", "late", "unmade", "again"):
        (bots / f"{name}.py").unlink()
    done = arena("run", ".", "--rounds", 1, "-j", 2, "--out", "r.sqlite", "--json", "-q")
    assert done.code == 0, done.err
    assert {row["agent"] for row in json.loads(done.out)["standings"]} == {"good", "grid", "helped", "full"}
    games = json.loads(arena("games", "r.sqlite", "--json").out)
    assert {game["first"] for game in games} == {"good", "grid", "helped", "full"}
    (bots / "zz.py").write_text("def choose(:\n")
    assert "zz.py, line 1" in arena("run", ".", "-q", "--rounds", 1, "--no-store").err


def test_a_run_in_the_arenas_own_process_says_so(arena, bots):
    words = ["--rounds", 1, "-j", 1, "--out", "r.sqlite", "-q", "--in-process"]
    assert (
        "--in-process: agents from files played in the arena's own process"
        in arena("run", "good.py", "greedy", *words).out
    )


def test_check_says_on_macos_which_limits_are_missing(arena, bots, monkeypatch):
    monkeypatch.setattr("arena.tournament.command_check.sys", SimpleNamespace(platform="darwin"))
    done = arena("check", bots / "good.py")
    assert done.code == 0
    assert done.err.splitlines()[-1] == (
        "protection: a process group of its own, the referee's clock, a limit of file size;"
        " this system limits neither its memory nor its processes, and has no --sandbox"
    )
    monkeypatch.setattr("agents.processes.sandbox.sys", SimpleNamespace(platform="darwin"))
    sandbox.bubblewrap.cache_clear()
    done = arena("check", bots / "good.py", "--sandbox")
    assert (done.code, done.err) == (2, "arena: --sandbox needs bubblewrap on Linux: apt-get install bubblewrap\n")
    sandbox.bubblewrap.cache_clear()


def test_ctrl_c_keeps_what_was_found(arena, bots, monkeypatch):
    asked = SubprocessAgent.choose

    def choose(agent, board, limits):
        if "grid" in agent.source.words[0] and board.text == "1122":
            raise KeyboardInterrupt
        return asked(agent, board, limits)

    monkeypatch.setattr(SubprocessAgent, "choose", choose)
    done = arena("check", "good.py", "grid.py", "kaggle.py", "--positions", 5)
    assert done.code == 130
    rows = [line.split()[:3] for line in done.out.splitlines()[2:]]
    assert rows == [["good.py", "yes", "5"], ["grid.py", "yes", "2"]]
    assert done.err.splitlines()[-1] == "interrupted at grid.py, after 2 of 5 positions"
