"""Classes that no file holds, as in a notebook, play in worker processes and are found again."""

import subprocess
import sys
from pathlib import Path

import pytest
from needs import needed

from arena.games.object_agent import ObjectAgent

pytestmark = pytest.mark.usefixtures("here")


TYPED = """
import json, os, sqlite3, warnings
import arena
from agents import Analysis
from agents.errors import InputError

warnings.simplefilter("error")

class Base:
    def first(self, board):
        return board.legal_moves()[0]

class Mine(Base):
    def __init__(self, n):
        self.n = n

    def choose(self, board, limits):
        return Analysis(self.first(board), extra={"n": self.n, "process": os.getpid()})

def last(board):
    return board.legal_moves()[-1]

agents = {"mine": Mine(3), "last": last, "greedy": "greedy"}
arena.run(agents, rounds=2, workers=2, out="run.sqlite")
stored = sqlite3.connect("run.sqlite").execute
extras = [json.loads(text) for (text,) in stored("SELECT extra FROM extra")]
assert {each["n"] for each in extras} == {3}
assert os.getpid() not in {each["process"] for each in extras}
assert stored("SELECT kind, parameters FROM agent").fetchall()[0] == ("object:__main__:Mine", '{"n": 3}')
again = {"mine": Mine(3), "last": last}
assert arena.run(resume="run.sqlite", agents=again, rounds=3, workers=1).counts.played == 18
try:
    arena.run(resume="run.sqlite", agents={**again, "mine": Mine(4)}, rounds=4)
except InputError as error:
    assert "mine has changed since its 12 games" in str(error), error
    print("done")
"""


def test_typed_classes_and_functions_play_in_workers_and_are_found_again(tmp_path):
    needed("cloudpickle")
    done = subprocess.run(
        [sys.executable, "-"], input=TYPED, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_the_digest_of_a_typed_class_is_that_of_its_source(monkeypatch):
    import linecache

    def typed(text):
        linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(keepends=True), "<cell 1>")
        space = {"__name__": "__main__"}
        exec(compile(text, "<cell 1>", "exec"), space)
        return ObjectAgent.of(space["Mine"]()).digest()

    class Home:
        """Stands for the module of a notebook, which has no file."""

    monkeypatch.setitem(sys.modules, "__main__", Home())
    text = "class Mine:\n    def choose(self, board):\n        return {0}\n"
    one = typed(text.format(1))
    assert one == typed(f"x = 1\n\n{text.format(1)}")
    assert one is not None
    assert one != typed(text.format(2))
    assert not Path("<cell 1>").exists()
