"""A stored run explains itself: its tables are the same when the files of its agents are gone."""

import sqlite3
from contextlib import closing

import pytest

pytestmark = pytest.mark.process

MINE = """
def evaluate(own, opp):
    return own % 7 - opp % 5


def score(own, opp, column):
    return column


class Edge:
    def choose(self, board, limits):
        return board.legal_moves()[0]
"""
AGENTS = ["alphabeta:depth=1..2,heuristic=mine.py:evaluate", "alphabeta:depth=1,order=mine.py:score", "mine.py:Edge"]
COMMANDS = [
    *(["show", "run.sqlite", "--style", style] for style in ("plain", "github", "csv", "latex", "html")),
    ["show", "run.sqlite", "--json"],
    ["rate", "run.sqlite"],
    ["elo", "run.sqlite"],
    ["elo", "run.sqlite", "--json"],
    ["diff", "run.sqlite", "run.sqlite"],
    ["audit", "run.sqlite", "--quiet"],
    ["audit", "run.sqlite", "--quiet", "--json"],
]


@pytest.fixture
def played(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    words = ["--openings", "plies:1", "--rounds", 3, "--board", "5x4", "--out", "run.sqlite", "-j", 1, "--audit"]
    assert arena("run", *AGENTS, *words).code == 0
    return tmp_path


def test_every_table_of_a_run_is_the_same_bytes_without_its_agents_files(arena, played):
    before = [arena(*words) for words in COMMANDS]
    assert {done.code for done in before} == {0}
    (played / "mine.py").unlink()
    assert [arena(*words) for words in COMMANDS] == before
    assert "Strength by depth" in before[0].out


def test_a_run_keeps_how_it_was_made(played):
    with closing(sqlite3.connect(played / "run.sqlite")) as connection:
        ((command, machine),) = connection.execute("SELECT command, machine FROM run")
        digests = connection.execute("SELECT digest FROM agent ORDER BY id").fetchall()
    assert command.startswith("arena run alphabeta:depth=1..2,heuristic=mine.py:evaluate ")
    assert command.endswith("--out run.sqlite -j 1 --audit")
    assert '"processor": "' in machine
    assert len(set(digests)) == 1
    assert len(digests[0][0]) == 64
