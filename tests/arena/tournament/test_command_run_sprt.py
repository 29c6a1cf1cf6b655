"""Runs that a sequential test stops, on the command line."""

import json
import re

import pytest

TEST = "elo0=0,elo1=100,model=logistic"
ONE, TWO = "alphabeta:depth=3,heuristic=powers-of-ten", "alphabeta:depth=1"


def test_a_run_says_what_was_decided_for_whom_and_shows_it_again(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    words = ["run", ONE, TWO, "--sprt", TEST, "--openings", "plies:3", "-j", 1, "--out", path]
    done = arena(*words)
    assert done.code == 0, done.err
    line = next(line for line in done.out.splitlines() if line.startswith("sequential test"))
    assert line.startswith(f"sequential test of {ONE} against {TWO}, H0 +0 and H1 +100 Elo: H1 accepted after ")
    assert ", bounds [-2.94, 2.94]; " in line
    assert re.search(r"\+\d+ Elo \[.\d+ … .\d+\] allowing for the stop|do not allow for the stop and are biased$", line)
    assert arena("show", path).out == done.out
    document = json.loads(arena("show", path, "--json").out)
    assert [row["pairs"] for row in document["sprt"]] == list(range(1, len(document["sprt"]) + 1))
    assert document["sprt"][-1]["decision"] == "H1"
    assert document["games"]["played"] == 2 * len(document["sprt"])
    again = arena("run", "--resume", path, "-j", 1)
    assert (again.code, again.out) == (0, done.out)


def test_a_test_that_has_played_every_opening_says_the_exact_result(arena, tmp_path):
    words = ["run", "minimax:depth=1", "alphabeta:depth=2", "--sprt", "elo0=0,elo1=1", "--openings", "plies:2", "-j", 1]
    done = arena(*words, "--out", tmp_path / "run.sqlite")
    line = next(line for line in done.out.splitlines() if line.startswith("sequential test"))
    assert "not decided after 25 pairs" in line
    [met] = json.loads(arena("elo", tmp_path / "run.sqlite", "--json").out)
    assert line.endswith(f"; every opening was played: exactly {100 * met['score']:.1f} %, {met['elo']:+.0f} Elo")


def test_a_test_may_use_every_opening_unless_rounds_are_given(arena, tmp_path):
    words = ["run", "greedy", "random", "--sprt", "elo0=0,elo1=400", "--openings", "plies:2", "-j", 1, "--json"]
    document = json.loads(arena(*words, "--out", tmp_path / "all.sqlite").out)
    assert document["games"]["planned"] == 2 * 25
    fair = ["fair:2:pairs" if word == "plies:2" else word for word in words]
    document = json.loads(arena(*fair, "--out", tmp_path / "fair.sqlite").out)
    assert document["games"]["planned"] == 2 * 10  # as many won for the first as for the second player, 5 of each
    document = json.loads(arena(*words, "--rounds", 3, "--out", tmp_path / "three.sqlite").out)
    assert document["games"] == {"played": 6, "distinct": 6, "planned": 6}


def test_an_undecided_test_is_called_undecided(arena, tmp_path):
    words = ["run", ONE, TWO, "--sprt", TEST, "--rounds", 3, "-j", 1, "--out", tmp_path / "run.sqlite"]
    assert "not decided after 3 pairs" in arena(*words).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sprt", "elo0=0"], "arena: a sequential test needs elo1, as in elo0=0,elo1=30"),
        (["random", "--sprt", TEST], "arena: a sequential test takes a match of two agents"),
        (["--sprt", TEST, "--openings", "nothing"], "arena: openings 'nothing'"),
    ],
)
def test_bad_tests_are_one_line_and_leave_no_file(arena, tmp_path, words, message):
    done = arena("run", ONE, TWO, *words, "--out", tmp_path / "run.sqlite")
    assert done.code == 2
    assert done.err.startswith(message)
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
