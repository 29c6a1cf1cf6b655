"""Weights in parentheses, as they are given on the command line."""

import json
import shlex

import pytest

from arena.plugins.tune import tune
from arena.store.machine import meta


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "from agents.heuristics import popcount\n"
        "def make(rules, w4, w3=17):\n"
        "    def evaluate(own, opp):\n"
        "        return w4 * popcount(own) - w3 * popcount(opp)\n"
        "    return evaluate\n"
    )
    return "mine.py:make"


def values(arena, *words):
    done = arena("eval", "444", *words, "--json")
    assert done.code == 0, done.err
    return {row["heuristic"]: row["mover"] for row in json.loads(done.out)}


def test_choices_and_ranges_in_parentheses_are_valued_one_by_one(arena, mine):
    found = values(
        arena, "--compiled=no", "--heuristic", f"{mine}(w4=20..22|-1,w3=2)|zero", "--heuristic", f"{mine}(3)"
    )
    expected = {f"{mine}(w4={w4},w3=2)": w4 - 2 * 2 for w4 in (20, 21, 22, -1)}
    assert found == expected | {"zero": 0, f"{mine}(3)": 3 - 2 * 17}


def test_agents_of_one_run_differ_in_a_weight_alone(arena, mine, tmp_path):
    words = ["--rounds", 1, "-j", 1, "--out", tmp_path / "run.sqlite", "--json"]
    done = arena("run", f"alphabeta:depth=1,heuristic={mine}(w4=1..2,w3=1),compiled=no", *words)
    assert done.code == 0, done.err
    assert {row["agent"] for row in json.loads(done.out)["standings"]} == {
        f"alphabeta:depth=1,heuristic={mine}(w4={w4},w3=1),compiled=no" for w4 in (1, 2)
    }
    text = arena("show", tmp_path / "run.sqlite").out
    assert f"heuristic={mine}(w4=1,w3=1)" in text


def test_a_comparison_takes_choices_likewise(arena):
    words = ["--search", "alphabeta:compiled=no", "--depth", 1, "--rounds", 1, "-j", 1, "-q", "--no-store", "--json"]
    done = arena("compare", "zero", "windows(1,10,100|50,1000)", *words)
    assert done.code == 0, done.err
    assert "windows(1,10,50,1000)" in done.out


@pytest.mark.parametrize(
    "heuristic",
    [
        "windows(1,10,100",
        "windows1,10,100)",
        "windows(1,10,100)",
        "windows(1,10,100,1000,10000)",
        "windows(1,10,100,10**6)",
        "windows(1,10,100,1000000)",
        "windows(1,10,,1000)",
        "windows(1,10,100,five=5)",
        "aware(40,17,15,4,2)",
        "aware(40,17,15,4,2,blockd=13)",
        "aware(40,17,15,4,2,1.3)",
        "zero()",
        "smart-aware(1)",
        "windows",
        "mine.py:make",
        "mine.py:make(w5=1)",
        "mine.py:make()",
        "mine.py:make(((1)))",
        "mine.py:evaluate(1)",
    ],
)
@pytest.mark.parametrize("words", [["eval", "44", "--heuristic", "{}"], ["move", "alphabeta:depth=1,heuristic={}"]])
def test_weights_that_cannot_be_are_told_in_one_line(arena, mine, words, heuristic):
    done = arena(*(word.format(heuristic) for word in words))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("arena: ")
    assert done.err.count("\n") == 1


@pytest.mark.compiles
def test_a_tuning_says_how_it_was_made(arena):
    line = "tune windows(1,10,100,1000) --depth 1 --positions 20 --evaluations 2 --board 5x4 --seed 3 --json"
    made = json.loads(arena(*line.split()).out)["meta"]
    assert made == meta(3, made["command"], None) | {"load": made["load"]}
    assert made["command"] == shlex.join(["arena", *line.split()])
    tuned = tune("windows(1,10,100,1000)", depth=1, positions=20, evaluations=2, rules="5x4", seed=4)
    assert tuned.meta | {"load": None} == meta(4, None, None)
