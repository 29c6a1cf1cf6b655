"""Heuristics tuned on the command line."""

import json

import pytest

from arena.measure.tune.state import State

START = "windows(1,10,100,1000)"
WORDS = ["tune", START, "--depth", 2, "--positions", 60, "--evaluations", 8, "--openings", "plies:4", "--rounds", 6,
         "--board", "5x4", "--optimiser", "scipy", "-j", 1]  # fmt: skip


def test_the_command_tells_both_sets_the_games_and_the_verdict(arena, tmp_path):
    path = tmp_path / "tuned.jsonl"
    result = arena(*WORDS, "--json", "--out", path)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert {"start", "tuned", "train", "held_out", "verdict"} <= found.keys()
    assert (found["start"], found["tried"]) == (START, 8)
    assert found["train"]["tuned"] >= found["train"]["start"]
    assert len(path.read_text().splitlines()) == 9
    again = arena("tune", "--resume", path, "--rounds", 6, "-j", 1, "--json")
    assert json.loads(again.out) == found
    more = json.loads(arena("tune", "--resume", path, "--evaluations", 10, "--rounds", 0, "--json").out)
    assert (more["tried"], more["confirmation"]) == (10, [])
    shown = arena("tune", "--resume", path, "--rounds", 6, "-j", 1)
    assert found["verdict"] in shown.out
    assert "held out" in shown.out


def test_ctrl_c_tells_the_best_so_far_and_how_to_go_on(arena, monkeypatch, tmp_path):
    path = tmp_path / "tuned.jsonl"
    add, kept = State.add, []

    def tire(self, *words):
        add(self, *words)
        kept.append(words)
        if len(kept) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(State, "add", tire)
    result = arena(*WORDS, "--out", path, "--json")
    assert result.code == 130
    assert result.err == f"interrupted after 4 of 8 heuristics; arena tune --resume {path} goes on\n"
    assert json.loads(result.out)["tried"] == 4
    assert len(path.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "which heuristic?"),
        (["powers-of-ten"], "has no weights to tune"),
        (["windows"], "its weights are one,two,three,four"),
        ([START, "--start", "1,2,3,4"], "--start goes with a name alone"),
        (["windows", "--start", "1,2"], "there must be 4 weights"),
        ([START, "--by", "luck"], "luck"),
        ([START, "--search", "mcts"], "mcts"),
        ([START, "--search", "alphabeta:depth=3"], "must leave depth open"),
        ([START, "--positions", "3"], "cannot be parted into two sets"),
        ([START, "--positions", "no.jsonl"], "no.jsonl cannot be read"),
        ([START, "--by", "games", "--positions", "9000"], "some must be left to confirm with"),
        ([START, "--sprt", "elo0=5"], "needs elo1"),
        (["--resume", "no.jsonl"], "no.jsonl cannot be read"),
    ],
)
def test_bad_input_is_refused_in_a_line(arena, words, message):
    result = arena("tune", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
