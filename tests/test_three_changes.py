"""The recipes of CONTRIBUTING.md that are diffs: each is made in a copy of the program, and does what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = {
    title: (int(files), int(lines), diff)
    for title, files, lines, diff in re.findall(
        r"^\*\*([^*]+)\*\* \((\d+) files, (\d+) lines\)\..+?```diff\n(.+?)```", TEXT, re.MULTILINE | re.DOTALL
    )
}


def files_of(diff):
    """Yield the path of each file of a diff with its hunks, lists of lines that begin with a blank or a plus sign."""
    for path, body in re.findall(r"^\+\+\+ (.+)\n((?:(?!\+\+\+ ).*\n)+)", diff, re.MULTILINE):
        yield path, [hunk.splitlines() for hunk in body.split("@@\n")]


def apply(diff, folder):
    """Make the changes of a diff; the lines around each must stand in their file once."""
    for path, hunks in files_of(diff):
        file = folder / path
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for hunk in hunks:
            before = "".join(f"{line[1:]}\n" for line in hunk if line[:1] != "+")
            after = "".join(f"{line[1:]}\n" for line in hunk)
            assert text.count(before) == 1 or not text, f"{path} has not once:\n{before}"
            text = text.replace(before, after) if text else after
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def changed(tmp_path):
    """Return a function that makes a recipe in a copy of the packages, and returns one that runs Python there."""
    for package in ("agents", "arena"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))

    def run(*words):
        place = os.environ | {"PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-P", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, env=place, capture_output=True, text=True, check=False)

    def make(title):
        apply(RECIPES[title][2], tmp_path)
        return run

    return make


def test_there_are_three_recipes():
    assert [*RECIPES] == ["A search option", "A heuristic with weights", "A protocol"]


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_says_how_many_files_and_lines_it_takes(title):
    files, lines, diff = RECIPES[title]
    changes = dict(files_of(diff))
    added = [line for hunks in changes.values() for hunk in hunks for line in hunk if line.startswith("+")]
    assert (len(changes), len(added)) == (files, lines)


@needs("ruff")
@pytest.mark.parametrize("title", RECIPES)
def test_what_a_recipe_adds_is_in_the_form_of_this_project(title, changed, tmp_path):
    changed(title)
    paths = [tmp_path / path for path, _ in files_of(RECIPES[title][2])]
    for words in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, "--no-cache", "--config", ROOT / "pyproject.toml", *paths]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


COMPARE = """
import random
from agents.agent import Limits
from agents.board import Board
from agents.specs.registry import parse

chance, nodes = random.Random(1), [0, 0]
plain, forced = (parse(f"alphabeta:table=on{more}").build() for more in ("", ",forced=on"))
for _ in range(60):
    board = Board()
    for _ in range(chance.randrange(16)):
        if board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
    if board.outcome is None:
        for depth in (1, 2, 3, 6):
            one, other = (agent.choose(board, Limits(depth=depth)) for agent in (plain, forced))
            assert (one.column, one.score) == (other.column, other.score), (board.text, depth)
            nodes = [nodes[0] + one.nodes, nodes[1] + other.nodes]
print(*nodes)
"""


@pytest.mark.compiles
def test_a_search_option_changes_neither_value_nor_move_and_saves_nodes(changed):
    run = changed("A search option")
    done = run("-c", COMPARE)
    assert done.returncode == 0, done.stderr
    plain, forced = map(int, done.stdout.split())
    assert 0 < forced < 0.9 * plain
    assert "    forced  " in run("-m", "arena", "agents").stdout


@pytest.mark.compiles
def test_a_heuristic_with_weights_counts_by_them_and_its_agents_play(changed):
    run = changed("A heuristic with weights")
    spec = "columns(middle=3,beside=1)"
    rows = json.loads(run("-m", "arena", "eval", "4", "43", "435", "--heuristic", spec, "--json").stdout)
    assert [row["first"] for row in rows] == [3, 2, 3]
    words = ["--rounds", "1", "-j", "1", "-q", "--json", "--out", "run.sqlite"]
    done = run("-m", "arena", "run", "alphabeta:depth=3,heuristic=columns(middle=2..3,beside=1)", "random", *words)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["standings"]) == 3
    missing = run("-m", "arena", "eval", "4", "--heuristic", "columns")
    assert missing.stderr == "arena: heuristic 'columns' needs its weights: columns(middle,beside)\n"
    assert "columns(middle,beside): discs by the middle" in run("-m", "arena", "heuristics").stdout


BOT = """#!{python}
import json, sys
for line in sys.stdin:
    moves = json.loads(line)["moves"]
    print(json.dumps({{"column": next(column for column in range(1, 8) if moves.count(column) < 6)}}), flush=True)
"""


def test_a_protocol_plays_a_tournament_and_its_faults_are_quoted(changed, tmp_path):
    run = changed("A protocol")
    for name, text in (
        ("bot", BOT.format(python=sys.executable)),
        ("lost", "#!/bin/sh\nwhile read x; do echo 4; done\n"),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    words = ["--rounds", "1", "-j", "1", "-q", "--json", "--out"]
    done = run("-m", "arena", "run", "json:./bot", "random", *words, "run.sqlite")
    assert done.returncode == 0, done.stderr
    assert {row["agent"]: (row["games"], row["faults"]) for row in json.loads(done.stdout)["standings"]} == {
        "json:./bot": (2, 0),
        "random": (2, 0),
    }
    done = run("-m", "arena", "run", "json:./lost", "random", *words, "lost.sqlite")
    assert "protocol error" in done.stdout + done.stderr
    assert "answered '4', which is not" in done.stdout + done.stderr
