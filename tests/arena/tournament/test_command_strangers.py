"""Files, folders and rosters in commands beside `run`: in processes of their own, within limits, and left out alone."""

import json
import os

import pytest
from needs import needs

import arena as package
from agents.errors import InputError
from agents.specs.plugins import find
from arena.store.run_file import Store

SPY = """
import os
from beside import first
from agents import Analysis


class Spy:
    def __init__(self, depth=0):
        self.depth = depth

    def choose(self, board, limits):
        print("I run in", os.getpid(), "and see", sorted(os.listdir(os.path.dirname(__file__))))
        return Analysis(first(board), 7, limits.depth or 1, os.getpid())
"""
HANGS = "import time\n\ndef choose(board):\n    print('I hang', flush=True)\n    time.sleep(600)\n"
WALLS = [pytest.param((), id="open"), pytest.param(("--sandbox",), id="sandbox", marks=needs("bwrap"))]


@pytest.fixture
def students(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "students"
    folder.mkdir()
    (folder / "spy.py").write_text(SPY)
    (folder / "beside.py").write_text("def first(board):\n    return board.legal_moves()[0]\n")
    (folder / "hangs.py").write_text(HANGS)
    return folder


TABLES = {
    "depths": ("--depth", "1..2"),
    "grade": ("--positions", 4, "--board", "4x4", "--plies", "8..10"),
}


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.parametrize("command", TABLES)
@pytest.mark.process
def test_a_table_of_a_folder_has_its_agents_and_leaves_out_the_one_that_hangs(arena, students, command, walls):
    done = arena(command, "students/", *TABLES[command], "--patience", 1, "--json", "-q", *walls)
    rows = json.loads(done.out)
    assert {row["agent"] for row in rows} == {"spy"}
    assert done.code == 2
    left_out = [line for line in done.err.splitlines() if line.startswith("left out")]
    assert len(left_out) == 1
    assert left_out[0].startswith("left out: agent 'hangs' on ")
    assert "no answer within 1 s" in left_out[0]
    assert "    I hang" in done.err
    assert all(row["nodes"] != os.getpid() for row in rows)
    assert "I run in" not in done.out + done.err


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.process
def test_a_move_is_asked_of_another_process_which_imports_what_stands_beside_the_file(arena, students, walls):
    done = arena("move", "students/spy.py", "44", "--json", *walls)
    made = json.loads(done.out)
    assert (made["move"], made["score"]) == (1, 7)
    assert made["nodes"] != os.getpid()
    assert "I run in" in made["output"]
    said = arena("move", "students/:spy", "44", *walls)
    assert ("'hangs.py'" in said.err) == (not walls)
    assert said.out.startswith("move 1")
    assert arena("move", "students/:hangs", "--patience", 0.5, *walls).code == 2


def test_what_an_agent_prints_is_seen_at_the_board(arena, students):
    done = arena("play", "students/:spy", "greedy", "--position", "121212", "--delay", 0, "--seed", 1)
    assert done.code == 0
    assert done.out.count("spy prints: I run in") == 1


def test_in_process_an_agent_of_a_file_runs_here(arena, students):
    (students.parent / "bot.py").write_text(
        "import os\nfrom agents import Analysis\ndef choose(board):\n    return Analysis(0, nodes=os.getpid())\n"
    )
    made = json.loads(arena("move", "bot.py", "--in-process", "--json").out)
    assert made["nodes"] == os.getpid()
    assert made["output"] == ""


def test_a_parameter_reaches_an_agent_in_a_process_of_its_own(students):
    from arena.games.entrants import entrant

    spec = entrant("students/spy.py:Spy").having(depth=3)
    assert (spec.parameters, spec.source().options) == ({"depth": 3}, (("depth", 3),))
    ours = entrant("alphabeta:depth=2,table=on", {"everyone": True}).having(depth=5)
    assert ours.source().words == ("alphabeta:depth=5,table=on",)
    assert entrant("alphabeta:depth=2").having(depth=5).parameters["depth"] == 5


def test_no_tree_is_drawn_of_a_file_and_nothing_of_it_is_run(arena, students):
    (students / "evil.py").write_text("open('touched', 'w')\ndef choose(board):\n    return 0\n")
    done = arena("tree", "students/evil.py")
    assert done.code == 2
    assert "no tree to show" in done.err
    assert not (students.parent / "touched").exists()


@pytest.mark.process
def test_check_shows_what_agents_print_where_that_is_asked_for(arena, students):
    (students / "hangs.py").unlink()
    (students / "spy.py").write_text(
        SPY.replace("first(board), 7,", "first(board), None,")
    )  # whose claims are not wrong
    assert "I run in" not in arena("check", "students/").err
    assert "I run in" in arena("check", "students/", "--verbose").err


@pytest.mark.parametrize("compiled", ["yes", "no"])
def test_a_heuristic_imports_what_stands_beside_its_file_and_not_what_stands_beside_another(arena, tmp_path, compiled):
    for folder, worth in (("one", 3), ("two", 5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "worth.py").write_text(f"def worth(discs):\n    return {worth} * (discs & 1)\n")
        (tmp_path / folder / "mine.py").write_text(
            "from worth import worth\ndef evaluate(own, opp):\n    return worth(own) - worth(opp)\n"
        )
    files = [f"{tmp_path}/{folder}/mine.py:evaluate" for folder in ("one", "two")]
    names = [word for file in files for word in ("--heuristic", file)]
    values = json.loads(arena("eval", "12", *names, "--compiled", compiled, "--json").out)
    assert [row["mover"] for row in values] == [3, 5]
    (tmp_path / "two" / "worth.py").write_text("def worth(discs):\n    return 7 * (discs & 1)\n")
    assert find("heuristic", files[1], {})(1, 0) == 7
    assert not (tmp_path / "two" / "__pycache__").exists()


def test_in_process_an_agent_imports_what_stands_beside_its_file(arena, students):
    assert json.loads(arena("move", "students/spy.py", "--in-process", "--json").out)["nodes"] == os.getpid()


def test_no_file_is_run_to_be_refused_as_the_search_of_a_tuning(arena, students):
    (students / "evil.py").write_text("open('touched', 'w')\ndef choose(board):\n    return 0\n")
    done = arena("tune", "windows(1,10,100,1000)", "--search", "students/evil.py:choose", "--positions", 20)
    assert done.code == 2
    assert not (students.parent / "touched").exists()


@pytest.mark.process
def test_from_python_the_one_that_fails_is_warned_of_and_alone_it_is_an_error(students):
    with pytest.warns(UserWarning, match="left out: agent 'hangs' on the empty board: no answer within 0.5 s"):
        table = package.depths(["students/"], 1, isolation={"patience": 0.5})
    assert list(table["agent"]) == ["spy"]
    with pytest.raises(InputError, match=r"no answer within 0\.5 s"):
        package.depths(["students/hangs.py"], 1, isolation={"patience": 0.5})
    with pytest.raises(InputError, match="did you mean patience"):
        package.move("students/:spy", isolation={"patient": 1})


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.process
def test_the_search_of_a_comparison_lives_as_the_options_say(arena, tmp_path, monkeypatch, walls):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(
        "class Own:\n    def __init__(self, heuristic=None, depth=1):\n        self.heuristic = heuristic\n"
        "    def choose(self, board):\n        while self.heuristic == 'zero':\n            pass\n"
        "        return board.legal_moves()[0]\n"
    )
    words = ["compare", "zero", "smart-aware", "--search", "own.py:Own", "--depth", 1, "--rounds", 1, "-j", 1, "-q"]
    words += ["--out", "own.sqlite"]
    answer = arena(*words, "--patience", 0.5, "--memory", 300, *walls)
    assert answer.code == 1
    assert "no answer within 0.5 s" in answer.err
    with Store.read(tmp_path / "own.sqlite") as store:
        lives = store.plan()["isolation"]
    assert (lives["patience"], lives["memory"], lives["sandbox"]) == (0.5, 300, bool(walls))
    assert lives["folder"] == str(tmp_path)
