"""Kinds of agents in a folder of their own can be deleted: the rest goes on without a line changed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.specs.kinds import OPTIONAL

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
GONE = {"language": ["llm"], "network": ["net"], "bridges": []}
TOURNAMENT = ["run", "random", "greedy", "alphabeta:depth=2", "--rounds", "1", "-j", "1", "-q", "--json", "--out"]


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
    before = listed(without())
    run = without(*folders)
    assert before - listed(run) == {kind for folder in folders for kind in GONE[folder]}
    done = run(*TOURNAMENT, tmp_path / "run.sqlite")
    assert done.returncode == 0, done.stderr
    assert {row["games"] for row in json.loads(done.stdout)["standings"]} == {4}


@pytest.mark.parametrize(("folder", "spec"), [
    ("language", "llm:some"), ("network", "net"), ("network", "onnx:a.onnx"), ("bridges", "openspiel:mcts"),
])  # fmt: skip
def test_a_kind_whose_folder_is_deleted_is_unknown(folder, spec, without):
    done = without(folder)("move", spec)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"arena: no agent '{spec.partition(':')[0]}': ")
    assert done.stderr.count("\n") == 1
