import json

from click.testing import CliRunner

from arena.cli.commands.explain import command


def explain(*words):
    return CliRunner().invoke(command, ["--quiet", *words])


def test_a_blunder_is_told_with_what_it_lost_and_what_shows_it():
    lines = explain("445571", "--ply", "3").output.splitlines()
    assert lines[:2] == ["4. column 5: a win becomes a loss; kept by 3, 6", "X forces it: 3, and 2 or 6 wins"]
    assert lines[-2] == " .  *  1  X  X  *  ."


def test_a_move_that_lost_nothing_is_told_so():
    assert explain("445571", "--ply", "0").output == "the move at ply 0 kept the value of its position\n"


def test_json_has_a_row_for_each_blunder():
    (row,) = json.loads(explain("445571", "--ply", "5", "--json").output)
    assert (row["ply"], row["column"], row["after"], row["kind"]) == (5, 1, -1, "forced line")
    assert row["strategy"] == {"forced": [], "wins": [6]}


def test_what_is_no_game_is_refused_in_a_line():
    assert "explain takes" in str(explain("1", "2", "3").exception)
    assert "ply 9" in str(explain("44", "--ply", "9").exception)
