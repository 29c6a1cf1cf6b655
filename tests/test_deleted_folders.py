"""Kinds of agents in a folder of their own can be deleted: the rest goes on without a line changed."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.specs.kinds import OPTIONAL

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
GONE = {"processes": [], "language": ["llm"], "network": ["net"], "bridges": []}
TOURNAMENT = ["--rounds", "1", "-j", "1", "-q", "--json", "--out"]


@pytest.fixture
def without(tmp_path):
    """Return a function that runs the arena in a copy of the packages that lacks some folders."""
    for package in ("agents", "arena"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))

    def run(*words):
        command = [sys.executable, "-P", "-m", "arena", *map(str, words)]
        place = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, cwd=tmp_path, env=place, capture_output=True, text=True, check=False)

    def delete(*folders):
        for folder in folders:
            shutil.rmtree(tmp_path / "agents" / folder)
        return run

    return delete


def listed(run):
    return {row["name"] for row in json.loads(run("agents", "--json").stdout)}


@pytest.mark.parametrize("folders", [*((folder,) for folder in OPTIONAL), OPTIONAL], ids=str)
def test_built_in_agents_play_a_tournament_without_a_folder_of_other_kinds(folders, without, tmp_path):
    """Other sources have other kernels, which are compiled where all the folders are gone."""
    search = "alphabeta:depth=2" if folders == OPTIONAL else "alphabeta:depth=2,heuristic=zero,compiled=no"
    before = listed(without())
    run = without(*folders)
    assert before - listed(run) == {kind for folder in folders for kind in GONE[folder]}
    done = run("run", "random", "greedy", search, *TOURNAMENT, tmp_path / "run.sqlite")
    assert done.returncode == 0, done.stderr
    assert {row["games"] for row in json.loads(done.stdout)["standings"]} == {4}


@pytest.mark.parametrize(("folder", "spec"), [
    ("processes", "cmd:./bot"), ("processes", "uci:./engine"), ("processes", "pons:./c4solver"),
    ("language", "llm:some"), ("network", "net"), ("network", "onnx:a.onnx"), ("bridges", "openspiel:mcts"),
])  # fmt: skip
def test_a_kind_whose_folder_is_deleted_is_unknown(folder, spec, without):
    done = without(folder)("move", spec)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{spec.partition(':')[0]}': " in done.stderr
    assert done.stderr.count("\n") == 1


def imported(path):
    """Return the modules that a file imports, wherever the import stands."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }


@pytest.mark.parametrize("folder", OPTIONAL)
def test_nothing_imports_from_a_folder_that_can_be_deleted_but_itself_and_the_bridges_to_it(folder):
    files = {path.relative_to(ROOT) for package in ("agents", "arena") for path in (ROOT / package).rglob("*.py")}
    others = [path for path in files if folder != path.parts[1] and "bridges" not in path.parts]
    inside = re.compile(rf"agents\.{folder}\b")
    assert [(path, name) for path in others for name in imported(ROOT / path) if inside.match(name)] == []
    assert len(others) > 200


def test_without_processes_an_agent_of_a_file_plays_in_the_arenas_own_process_alone(without, tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    run = without("processes")
    words = ["run", "bot.py", "greedy", "--rounds", "1", "-j", "1", "-q", "--out", tmp_path / "run.sqlite"]
    for more in ([], ["--sandbox"]):
        done = run(*words, *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "arena: no agent can have a process of its own: the package agents.processes is not there\n"
        )
    done = run(*words, "--in-process")
    assert done.returncode == 0, done.stderr


def test_a_folder_whose_own_imports_fail_is_not_taken_for_a_deleted_one(without, tmp_path):
    run = without()
    with (tmp_path / "agents" / "network" / "__init__.py").open("a") as file:
        file.write("import no_such_package\n")
    assert "No module named 'no_such_package'" in run("agents").stderr
