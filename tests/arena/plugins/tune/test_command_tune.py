"""Heuristics tuned on the command line."""

import json
import shlex

import pytest

START = "windows(1,10,100,1000)"
WORDS = ["tune", START, "--depth", 2, "--positions", 60, "--evaluations", 8, "--board", "5x4", "-j", 1]


@pytest.mark.compiles
def test_the_command_tells_both_sets_the_verdict_and_the_command_that_plays_games(arena):
    result = arena(*WORDS, "--json")
    found = json.loads(result.out)
    assert {"start", "tuned", "train", "held_out", "verdict"} <= found.keys()
    assert (result.code, found["start"], found["tried"]) == (0, START, 8)
    assert found["tuned"] != START
    assert found["train"]["tuned"] > found["train"]["start"]
    [line] = result.err.splitlines()
    words = shlex.split(line)
    assert words[:5] == ["next:", "arena", "compare", found["tuned"], START]
    compared = arena(*words[2:], "--rounds", 2, "-j", 1, "-q", "--json")
    assert {row["heuristic"] for row in json.loads(compared.out)["ratings"]} == {START, found["tuned"]}
    shown = arena(*WORDS)
    assert found["verdict"] in shown.out
    assert "held out" in shown.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument 'HEURISTIC'"),
        (["powers-of-ten"], "has no weights to tune"),
        (["windows"], "its weights are one,two,three,four"),
        (["windows", "--start", "1,2"], "weights stand in parentheses"),
        (["windows(1,2)"], "there must be 4 weights"),
        ([START, "--search", "mcts"], "mcts"),
        ([START, "--search", "alphabeta:depth=3"], "must leave depth open"),
        ([START, "--positions", "3"], "cannot be parted into two sets"),
        ([START, "--positions", "no.jsonl"], "no.jsonl cannot be read"),
    ],
)
@pytest.mark.compiles
def test_bad_input_is_refused_in_a_line(arena, words, message):
    result = arena("tune", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
