"""Openings that are repeated, as pairs of games of their own."""

import pytest

import arena as package
from agents.board import Board
from agents.errors import InputError
from arena.games.openings import draw, strata


def test_a_repeated_opening_is_drawn_so_many_times_one_after_another():
    once = draw("plies:2", 5, 3)
    assert draw("plies:2;repeat=3", 15, 3) == [board for board in once for _ in range(3)]
    assert strata("plies:2;repeat=3") == [75]


@pytest.mark.parametrize("times", ["", "0", "-1", "x", "1.5", "100001", "9" * 5000])
def test_no_other_number_repeats(times):
    with pytest.raises(InputError, match="from 1 to 100000"):
        draw(f"plies:0;repeat={times}", 1, 1)


def test_a_file_whose_name_looks_like_a_repetition_is_that_file(tmp_path):
    file = tmp_path / "book;repeat=2"
    file.write_text("44\n")
    assert draw(str(file), 1, 1) == [Board.from_moves("44")]
    assert draw(f"{file};repeat=2", 2, 1) == [Board.from_moves("44")] * 2


def test_agents_with_chance_play_other_games_from_one_position(tmp_path):
    games = package.run(["random", "greedy"], openings="plies:0;repeat=20", out=tmp_path / "run.sqlite").games
    assert len(games) == 40
    assert games["moves"].nunique() > 35
    pairs = package.load(tmp_path / "run.sqlite").pairings
    assert list(pairs["rounds"] if "rounds" in pairs else pairs["pairs"]) == [20]


def test_the_command_repeats_and_extends(arena, tmp_path):
    file = tmp_path / "run.sqlite"
    run = ["run", "random", "greedy", "--openings", "plies:1", "--repeat", 3, "--out", file, "-q", "-j", 1]
    assert arena(*run, "--rounds", 2).code == 0
    assert len(package.load(file).games) == 12
    assert arena("run", "--resume", file, "--rounds", 4, "-q", "-j", 1).code == 0
    first = package.load(file).games["moves"].str[0]
    assert first.value_counts().to_dict() == {"1": 6, "2": 6, "3": 6, "4": 6}


def test_agents_without_chance_are_told_that_they_repeat_themselves(arena, tmp_path):
    words = ["--openings", "plies:0", "--repeat", 2, "--out", tmp_path / "run.sqlite", "-j", 1]
    done = arena("run", "alphabeta:depth=1", "minimax:depth=1", "random", *words)
    assert (
        "no chance in alphabeta:depth=1, minimax:depth=1: from a repeated opening they play the same game" in done.err
    )
    assert len(package.load(tmp_path / "run.sqlite").games) == 12
