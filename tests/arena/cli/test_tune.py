"""Heuristics tuned on the command line."""

import json
from pathlib import Path

import pytest

from arena.measure.tuning.tuning import State
from arena.store.run_file import Store

pytestmark = pytest.mark.compiles

START = "windows(1,10,100,1000)"
WORDS = ["tune", START, "--depth", 2, "--positions", 60, "--evaluations", 8, "--openings", "plies:4", "--rounds", 6,
         "--board", "5x4", "--optimiser", "scipy", "-j", 1]  # fmt: skip


def games_of(path):
    with Store.read(Path(path)) as store:
        return store.select("SELECT id, moves, started FROM game ORDER BY id")[1]


def test_the_command_tells_both_sets_the_games_and_the_verdict(arena, tmp_path):
    path = tmp_path / "tuned.jsonl"
    result = arena(*WORDS, "--json", "--out", path)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert {"start", "tuned", "train", "held_out", "verdict"} <= found.keys()
    assert (found["start"], found["tried"]) == (START, 8)
    assert found["train"]["tuned"] >= found["train"]["start"]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert ["value" in line for line in lines] == [False, *[True] * 8, False]
    assert lines[-1] == {"outcome": found}
    [file] = {match["file"] for match in found["confirmation"]}
    assert file == str(tmp_path / "tuned-depth-2.sqlite")
    before = games_of(file)
    again = arena("tune", "--resume", path, "--rounds", 6, "-j", 1, "--json")
    assert json.loads(again.out) | {"meta": found["meta"]} == found
    assert games_of(file) == before != []  # nothing was left to be played
    more = json.loads(arena("tune", "--resume", path, "--evaluations", 10, "--rounds", 0, "--json").out)
    assert (more["tried"], more["confirmation"]) == (10, [])
    shown = arena("tune", "--resume", path, "--rounds", 6, "-j", 1)
    assert found["verdict"] in shown.out
    assert "held out" in shown.out


def test_the_games_that_confirm_stay_beside_the_tuning_as_a_run(arena, tmp_path):
    path = tmp_path / "tuned.jsonl"
    (tmp_path / "tuned-openings.txt").write_text("mine")
    (tmp_path / "tuned-depth-2.sqlite").write_text("mine, too")
    done = arena(*WORDS, "--out", path)
    stored = tmp_path / "tuned-depth-2-2.sqlite"
    assert f"games at depth 2 are stored in {stored}" in done.err
    outcome = json.loads(path.read_text().splitlines()[-1])["outcome"]
    [match] = outcome["confirmation"]
    shown = json.loads(arena("show", stored, "--json").out)
    assert shown["games"]["played"] == 2 * match["pairs"]
    assert shown["command"].startswith("arena tune ")
    assert {row["agent"] for row in shown["standings"]} == {
        f"alphabeta:order=centre,heuristic={outcome[name]},depth=2" for name in ("start", "tuned")
    }
    rated = {row["agent"]: row["score"] for row in json.loads(arena("rate", stored, "--json").out)}
    assert rated[f"alphabeta:order=centre,heuristic={outcome['tuned']},depth=2"] == match["score"]
    assert (tmp_path / "tuned-openings.txt").read_text() == "mine"
    assert (tmp_path / "tuned-depth-2.sqlite").read_text() == "mine, too"
    more = arena(
        "run", "--resume", stored, "--rounds", 12, "-j", 1, "--json"
    )  # its openings are there to be drawn from
    assert json.loads(more.out)["games"]["played"] >= shown["games"]["played"]


def test_a_confirmation_that_was_stopped_goes_on_with_the_games_it_has(arena, monkeypatch, tmp_path):
    path, seen = tmp_path / "tuned.jsonl", []
    whole = arena(*WORDS, "--rounds", 4, "--json")
    add = Store.add

    def tire(self, *games):
        add(self, *games)
        seen.extend(games)
        if len(seen) >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Store, "add", tire)
    assert arena(*WORDS, "--rounds", 4, "--out", path, "--json").code == 130
    assert not any("outcome" in line for line in path.read_text().splitlines())
    monkeypatch.setattr(Store, "add", add)
    stored = tmp_path / "tuned-depth-2.sqlite"
    kept = games_of(stored)
    assert kept
    found = json.loads(arena("tune", "--resume", path, "--rounds", 4, "-j", 1, "--json").out)
    assert games_of(stored)[: len(kept)] == kept
    [match], [other] = found["confirmation"], json.loads(whole.out)["confirmation"]
    assert (match["counts"], match["score"], other["file"]) == (other["counts"], other["score"], None)


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
        ([START, "--start", "1,2,3,4"], "--start needs a heuristic's name alone"),
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


def test_weights_are_confirmed_at_every_depth_that_is_named(arena):
    found = json.loads(arena(*WORDS, "--rounds", 2, "--confirm", "1,2", "--json").out)
    assert [match["depth"] for match in found["confirmation"]] == [1, 2]
