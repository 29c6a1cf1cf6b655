"""Marks and the numbers that they come from."""

from dataclasses import replace

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.specs.registry import parse
from arena.plugins.assignment.marks import HandInNumbers, Pruning, Rule, fewest_positions, read_rule

NODES = {2.5: 27, 5.0: 156, 7.5: 486}
"""The positions of a uniform tree of depth 3, about, by branching factor."""


def pruning(branching, *, depth=3, made=0):
    return Pruning(depth, NODES[branching], made, 7.0, 3.0)


KEPT_BY = (0.3, 0.5, 0.6, 0.65, 0.7)
NUMBERS = HandInNumbers(200, 150, 40, 10, 80, 60, 0.5, KEPT_BY, 15.0, 40, pruning(5.0))


def given(numbers, **more):
    return {each.part: each for each in Rule(**more).of(numbers)}


def test_each_part_gives_its_share_and_says_why():
    marks = given(NUMBERS)
    assert {part: mark.points for part, mark in marks.items()} == {
        "runs": 11.2, "correct": 22.5, "strength": 15.0, "faster": 10.0
    }  # fmt: skip
    assert marks["runs"].why == "150 of 200 positions answered × 30 of 40 games without a fault"
    assert marks["correct"].why == "60 of 80 searches have minimax's value and move, or the result of a game's end"
    assert given(replace(NUMBERS, kept=0.6))["strength"].why == (
        "keeps the win or the draw in 60.0 % of the positions where a move loses it (chance 30.0 %: no points, "
        "alphabeta depth 4 70.0 %: all); 15 points in 40 games with our agents (all from 75 %)"
    )
    assert "branching 5.00, from minimax's 7.00 (none) to 3.00" in marks["faster"].why


def test_a_part_gives_no_less_than_nothing_and_no_more_than_all():
    better = given(replace(NUMBERS, kept=0.9, points=40.0, pruning=pruning(2.5)))
    worse = given(replace(NUMBERS, kept=0.2, points=0.0, pruning=pruning(7.5)))
    assert [(each["strength"].points, each["faster"].points) for each in (better, worse)] == [(30.0, 20.0), (0.0, 0.0)]
    for kept, points in ((0.9, 0.0), (0.2, 40.0)):
        assert given(replace(NUMBERS, kept=kept, points=points))["strength"].points == 15.0


def test_strength_rests_on_value_kept_and_on_points_or_on_the_one_that_there_is():
    games, moves = replace(NUMBERS, kept=None), replace(NUMBERS, points=0.0, met=0)
    assert given(games)["strength"].points == pytest.approx(30 * 15 / 40 / 0.75)
    assert given(moves)["strength"].points == pytest.approx(30 * (0.5 - 0.3) / (0.7 - 0.3))
    deeper = given(moves, depth=2.5)["strength"]
    assert deeper.points == pytest.approx(30 * 0.2 / (0.625 - 0.3), abs=0.06)
    assert "alphabeta depth 2.5 62.5 %" in deeper.why


@pytest.mark.parametrize(("more", "strength", "why"), [
    ({"kept": 0.0}, 7.5, "keeps the win"), ({"kept_by": (0.5, 0.5)}, 7.5, "keeps the win"),
    ({"kept_by": (0.5, 0.4)}, 7.5, "keeps the win"), ({"kept": 0.9, "kept_by": (0.9, 0.9)}, 7.5, "keeps the win"),
    ({"kept_by": (0.3,)}, 15.0, "15 points in 40 games"), ({"kept": None, "met": 30}, 20.0, "15 points in 30 games"),
    ({"kept": None, "met": 0}, 0.0, "its moves could not be graded"),
])  # fmt: skip
def test_where_alphabeta_keeps_no_more_than_chance_value_kept_gives_nothing(more, strength, why):
    mark = given(replace(NUMBERS, **more))["strength"]
    assert (mark.points, mark.why[: len(why)]) == (strength, why)


def test_what_was_not_measured_gives_nothing_and_says_what_is_missing():
    none = given(HandInNumbers(0, 0, 0, 0, None, None, None, (), 0.0, 0, None, hint="it has no class AlphaBeta"))
    assert {mark.points for mark in none.values()} == {0.0}
    assert none["runs"].why == "it answered no position"
    assert none["correct"].why == none["faster"].why == "it has no class AlphaBeta"
    assert given(replace(NUMBERS, games=0, faults=0))["runs"].points == 15.0
    for missing in ({"compared": 0, "agree": 0}, {"compared": 80, "agree": None}, {"compared": None, "agree": 3}):
        mark = given(replace(NUMBERS, hint="it broke", **missing))["correct"]
        assert (mark.points, mark.why) == (0.0, "it broke")


def test_what_cannot_be_measured_counts_in_no_sum_and_says_why():
    late = given(replace(NUMBERS, pruning=None, unmeasured="no answer within 10 s"))["faster"]
    assert (late.points, late.why) == (None, "not measured: no answer within 10 s")
    late = given(replace(NUMBERS, compared=0, agree=0, unmeasured="no answer within 10 s"))["correct"]
    assert (late.points, late.why) == (None, "not measured: no answer within 10 s")


@pytest.mark.parametrize(
    ("reported", "made", "points", "said"),
    [
        (7, 0, 0.0, "it reports 7 positions at depth 6: no search proves a value with fewer than 121"),
        (120, 0, 0.0, "no search proves a value with fewer than 121"),
        (7, 137_256, 0.0, "branching 7.00, from minimax's 7.00 (none) to 3.10 of alphabeta:order=centre (all); "),
        (7, 137_256, 0.0, "; it makes 137,256 positions, of which it reports 7, at depth 6"),
        (300, 7668, 14.1, "branching 4.25, "), (7669, 7, 14.1, "branching 4.25, "), (121, 0, 20.0, "branching 1.98, "),
        (0, 7668, 14.1, "it makes 7,668 positions at depth 6"),
        (7667, 7668, 14.1, "; it makes 7,668 positions at depth 6"),
        (7666, 7668, 14.1, "; it makes 7,668 positions, of which it reports 7,666, at depth 6"),
        (7670, 7668, 14.1, "; 7,670 positions by its own count at depth 6"),
        (7669, 7668, 14.1, "; it makes 7,668 positions at depth 6"),
        (7669, 7, 14.1, "; 7,669 positions by its own count at depth 6"),
        (121, 0, 20.0, "; 121 positions by its own count at depth 6"),
    ],
)  # fmt: skip
def test_nodes_that_a_hand_in_reports_earn_no_marks_that_its_search_does_not(reported, made, points, said):
    mark = given(replace(NUMBERS, pruning=Pruning(6, reported, made, 7.0, 3.1)))["faster"]
    assert mark.points == pytest.approx(points, abs=0.2)
    assert said in mark.why


@pytest.mark.parametrize("depth", range(1, 7))
def test_no_search_of_ours_visits_fewer_positions_than_any_must(depth):
    text = f"alphabeta:depth={depth},order=centre,table=on,killers=on,history=on,pvs=on"
    assert parse(text).build().choose(Board(), Limits()).nodes >= fewest_positions(depth)


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
    assert [(each.part, each.points, each.most) for each in rule.of(NUMBERS)] == [("strength", 5.0, 10.0)]
    (tmp_path / "rule.toml").write_text("depth = 2")
    assert (read_rule(tmp_path / "rule.toml").most, read_rule(tmp_path / "rule.toml").depth) == (
        100.0,
        pytest.approx(2.0),
    )


def test_of_several_unknown_keys_the_first_is_named(tmp_path):
    for keys in ("abcdefgh", "hgfedcba"):
        (tmp_path / "rule.toml").write_text("depth = 2\n" + "".join(f"{key} = 1\n" for key in keys))
        with pytest.raises(InputError, match=rf"rule\.toml: .*'{keys[0]}.*: there are depth, marks$"):
            read_rule(tmp_path / "rule.toml")


@pytest.mark.parametrize(("rule", "says"), [
    ("marks = {speed = 3}", "'speed': there are correct, faster, runs, strength"),
    ("marks = 3", "marks is a table, such as marks = "), ("marks = {}", "marks is a table, such as marks = "),
    ("marks = {runs = -1}", "runs is a number of points from 0, not -1"), ("marks = {runs = true}", "not True"),
    ("marks = {runs = 1000001}", "runs is a number of points from 0"), ("marks = {runs = '3'}", "not '3'"),
    ("depth = 8.1", "depth is a number of plies from 1 to 8, not 8.1"), ("depth = 0.9", "plies from 1 to 8, not 0.9"),
    ("depth = 0", "from 1 to 8, not 0"), ("depth = false", "from 1 to 8, not False"), ("depth = ''", "8, not ''"),
    ("depth = nan", "from 1 to 8, not nan"), ("marks = []", "marks is a table, such as marks = "),
    ("marks = {runs = nan}", "not nan"), ("marks = {runs = 1, faster = -1}", "faster is a number of points from 0"),
    ("depth = true", "from 1 to 8, not True"), ("[", "rule.toml is no rule of marks: "),
])  # fmt: skip
def test_a_rule_that_makes_no_sense_is_refused(tmp_path, rule, says):
    (tmp_path / "rule.toml").write_text(rule)
    with pytest.raises(InputError) as raised:
        read_rule(tmp_path / "rule.toml")
    assert says in str(raised.value)


def test_a_rule_may_have_any_points_and_depths_that_make_sense(tmp_path):
    for text, rule in {"marks = {runs = 0, faster = 1e6}\ndepth = 1": Rule({"runs": 0.0, "faster": 1e6}, 1.0),
                       "depth = 8": Rule(depth=8.0), "": Rule()}.items():  # fmt: skip
        (tmp_path / "rule.toml").write_text(text)
        assert read_rule(tmp_path / "rule.toml") == rule
    with pytest.raises(InputError, match="there is no file"):
        read_rule(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    for path in (tmp_path / "latin.toml", tmp_path):
        with pytest.raises(InputError, match=f"{path.name} is no rule of marks"):
            read_rule(path)
