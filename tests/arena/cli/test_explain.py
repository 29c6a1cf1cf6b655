import json
from pathlib import Path

from click.testing import CliRunner

from arena.cli.commands.explain import command

FIELD = str(Path(__file__).parents[2] / "data" / "printed" / "field.sqlite")


def explain(*words):
    return CliRunner().invoke(command, ["--quiet", *words])


def test_a_blunder_is_told_with_what_it_lost_and_what_shows_it():
    lines = explain("445571", "--ply", "3").output.splitlines()
    assert lines[:2] == ["ply 3, column 5: a win becomes a loss; kept by 3, 6", "X forces it: 3, and 2 or 6 wins"]
    assert lines[-2] == " .  *  1  X  X  *  ."


def test_a_move_that_lost_nothing_is_told_so():
    assert explain("445571", "--ply", "0").output == "the move at ply 0 kept the value of its position\n"


def test_json_has_a_row_for_each_blunder():
    (row,) = json.loads(explain("445571", "--ply", "5", "--json").output)
    assert (row["ply"], row["column"], row["after"], row["kind"]) == (5, 1, -1, "forced line")
    assert row["strategy"] == {"forced": [], "wins": [6]}


def test_a_stored_game_is_told_by_its_number():
    lines = explain(FIELD, "37", "--ply", "20").output.splitlines()
    assert lines[:2] == ["ply 20, column 1: a draw becomes a loss; kept by 4", "O forces it: 2 4! 2, and 1 or 2 wins"]
    assert lines[5:7] == ["[X] 3  .  .  O  X  X", " O  1  O  2  X  X  O"]


def test_a_game_that_ended_by_a_fault_says_so(monkeypatch):
    monkeypatch.setattr("arena.measure.explain.MOST_NODES", 1000)
    words = " ".join(explain(FIELD, "21", "--seconds", "0.01").output.split())  # wrapped in a terminal
    story = "O was winning until ply 3. Column 1 at ply 3 gave X a win. O then lost by a fault: illegal move."
    assert words.startswith(f"{story} ply 3, column 1: a win becomes a loss; kept by 6 X wins, by search only: ")


def test_what_is_no_game_is_refused_in_a_line():
    assert "explain takes" in str(explain("1", "2", "3").exception)
    assert "ply 9" in str(explain("44", "--ply", "9").exception)
