"""Runs in a process of their own, killed and interrupted."""

import json
import os
import re
import signal
import time

import pytest
from command import started, stored, wait_for
from played import GAMES, rows
from samples import ODD

from agents.jit.compiler import JIT

pytestmark = pytest.mark.process

SLOW = f"{ODD}:Slow"  # 20 ms a move, so that there is time to interrupt a game
WORDS = ["random", "greedy", SLOW, "--rounds", 2, "--out", "run.sqlite"]


def test_a_killed_run_is_resumed_to_the_same_end(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    process = started(tmp_path, "run", *WORDS, "-j", 2)
    path = tmp_path / "run.sqlite"
    wait_for(lambda: stored(path) >= 3, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    before = rows(path, GAMES)
    assert 3 <= len(before) < 12
    done = arena("run", "--resume", "run.sqlite", "-j", 1, "--json", "-q")
    assert done.code == 0
    assert "stored in run.sqlite" in done.err.splitlines()
    assert json.loads(done.out)["games"] == {"played": 12, "distinct": 12, "planned": 12}
    after = rows(path, GAMES)
    assert set(before) < set(after)
    assert len({game[0] for game in after}) == len(after) == 12
    assert [each.name for each in tmp_path.iterdir()] == ["run.sqlite"]
    assert arena("run", "random", "greedy", SLOW, "--rounds", 2, "-j", 1, "--out", "whole.sqlite", "-q").code == 0
    assert rows(tmp_path / "whole.sqlite", GAMES) == after


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_prints_the_tables_so_far_and_the_command_that_continues(arena, tmp_path, monkeypatch, workers):
    monkeypatch.chdir(tmp_path)
    process = started(tmp_path, "run", *WORDS, "-j", workers)
    path = tmp_path / "run.sqlite"
    wait_for(lambda: stored(path) >= 2, process)
    os.killpg(process.pid, signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 20
    assert process.returncode == 130
    assert "\n\nStandings: " in out
    played = int(re.search(r"^games (\d+), distinct \d+, planned 12$", out, re.MULTILINE)[1])
    assert played == stored(path) >= 2
    *limits, end = err.splitlines()
    assert " ".join(limits).startswith("agents in processes of their own, with your rights ")
    assert end == "interrupted; to play the rest: arena run --resume run.sqlite"
    done = arena("run", "--resume", "run.sqlite", "-j", 1, "-q")
    assert done.code == 0
    assert "games 12, distinct 12" in done.out


def test_ctrl_c_while_processes_start_is_no_traceback(tmp_path):
    process = started(tmp_path, "run", *WORDS, "-j", 2)
    path = tmp_path / "run.sqlite"
    wait_for(path.exists, process)
    time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines()[-1] in {
        "arena: interrupted",
        "interrupted before a game had ended: nothing is stored",
        "interrupted; to play the rest: arena run --resume run.sqlite",
    }


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_ctrl_c_is_heard_in_the_middle_of_a_long_search(tmp_path):
    process = started(tmp_path, "run", "minimax:depth=20", "greedy", "-j", 1, "--out", "run.sqlite")
    wait_for((tmp_path / "run.sqlite").exists, process)
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130
    assert out == ""
    assert re.fullmatch(
        r"minimax:depth=20 thinks for \d s\ninterrupted before a game had ended: nothing is stored\n", err
    )
    assert list(tmp_path.iterdir()) == []
