"""Marks and the numbers that they come from."""

from dataclasses import replace

import pytest

from agents.errors import InputError
from arena.measure.marks import HandInNumbers, Rule, read_rule

NUMBERS = HandInNumbers(200, 150, 40, 10, 80, 60, 2.0, (7.0, 5.0, 3.0))


def given(numbers, **more):
    return {each.part: each for each in Rule(**more).of(numbers)}


def test_each_part_gives_its_share_and_says_why():
    marks = given(NUMBERS)
    assert {part: mark.points for part, mark in marks.items()} == {
        "runs": 11.2, "correct": 22.5, "strength": 15.0, "faster": 10.0
    }  # fmt: skip
    assert marks["runs"].why == "150 of 200 positions answered × 30 of 40 games without a fault"
    assert marks["correct"].why == "60 of 80 searches have minimax's value and move"
    assert marks["strength"].why == "plays like alphabeta depth 2.0, all points from 4"
    assert "branching 5.00, from minimax's 7.00 (none) to 3.00" in marks["faster"].why


def test_a_part_gives_no_less_than_nothing_and_no_more_than_all():
    better = given(replace(NUMBERS, plays_like=8.0, branching=(7.0, 2.5, 3.0)))
    worse = given(replace(NUMBERS, plays_like=0.0, branching=(7.0, 7.5, 3.0)))
    assert [(each["strength"].points, each["faster"].points) for each in (better, worse)] == [(30.0, 20.0), (0.0, 0.0)]


def test_what_was_not_measured_gives_nothing_and_says_what_is_missing():
    none = given(HandInNumbers(0, 0, 0, 0, None, None, None, None, "it has no class AlphaBeta"))
    assert {mark.points for mark in none.values()} == {0.0}
    assert none["runs"].why == "it answered no position"
    assert none["correct"].why == none["faster"].why == "it has no class AlphaBeta"
    assert given(replace(NUMBERS, games=0, faults=0))["runs"].points == 15.0
    for missing in ({"compared": 0, "agree": 0}, {"compared": 80, "agree": None}, {"compared": None, "agree": 3}):
        mark = given(replace(NUMBERS, hint="it broke", **missing))["correct"]
        assert (mark.points, mark.why) == (0.0, "it broke")


def test_a_depth_below_the_first_says_what_none_is():
    for depth, said in (
        (0.0, "0.0 (0 is chance)"),
        (0.5, "0.5 (0 is chance)"),
        (0.96, "1.0 (0 is chance)"),
        (1.0, "1.0"),
    ):
        for full, whole in ((4.0, "4"), (2.5, "2.5")):
            mark = given(replace(NUMBERS, plays_like=depth), depth=full)["strength"]
            assert mark.why == f"plays like alphabeta depth {said}, all points from {whole}"
            assert mark.points == round(30 * depth / full, 1)


def test_all_of_a_rule_are_its_parts_in_the_order_of_the_file():
    rule = Rule({"faster": 33.0, "runs": 7.0, "strength": 0.0})
    assert (rule.most, Rule().most, Rule({}).most) == (40.0, 100.0, 0)
    found = rule.of(replace(NUMBERS, answered=197))
    assert [(each.part, each.most, each.points) for each in found] == [
        ("faster", 33.0, 16.5), ("runs", 7.0, round(7 * 197 / 200 * 30 / 40, 1)), ("strength", 0.0, 0.0)
    ]  # fmt: skip
    assert found[1].points == 5.2


def test_a_rule_is_read_and_what_it_leaves_out_is_as_it_was(tmp_path):
    (tmp_path / "rule.toml").write_text("marks = {strength = 10}\ndepth = 8")
    rule = read_rule(tmp_path / "rule.toml")
    assert [(each.part, each.points, each.most) for each in rule.of(NUMBERS)] == [("strength", 2.5, 10.0)]
    (tmp_path / "rule.toml").write_text("depth = 2")
    assert (read_rule(tmp_path / "rule.toml").most, read_rule(tmp_path / "rule.toml").depth) == (
        100.0,
        pytest.approx(2.0),
    )


def test_of_several_unknown_keys_the_first_is_named(tmp_path):
    for keys in ("abcdefgh", "hgfedcba"):
        (tmp_path / "rule.toml").write_text("depth = 2\n" + "".join(f"{key} = 1\n" for key in keys))
        with pytest.raises(InputError, match=rf"rule\.toml: no key '{keys[0]}'"):
            read_rule(tmp_path / "rule.toml")
