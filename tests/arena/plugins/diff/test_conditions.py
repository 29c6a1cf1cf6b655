"""Conditions on the difference between two runs: when a check fails."""

from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.plugins.diff import difference
from arena.records import Interval

ROW = SimpleNamespace(agent="x", score=-0.05, nodes=1.1, ms=0.5, same_nodes=1.0, same_moves=None)


@pytest.mark.parametrize(
    ("condition", "fails"),
    [
        ("score<-0.02", True),
        ("score<-0.05", False),
        ("score > -.06", True),
        ("nodes>1.05", True),
        ("nodes>1.1", False),
        ("ms<0.6", True),
        ("same_nodes<1", False),
        ("same-nodes>0.", True),
        ("same_moves<1", False),
    ],
)
def test_a_condition_fails_the_agents_for_which_it_holds(condition, fails):
    lines = difference.fails([ROW], condition)
    assert [line.partition(":")[0] for line in lines] == (["x"] if fails else [])


@pytest.mark.parametrize(
    "condition", ["", "score", "score=1", "score<", "<1", "score<x", "score<nan", "score<=1", "elo<1", "1<score<2"]
)
def test_conditions_that_cannot_be_read_are_refused(condition):
    with pytest.raises(InputError, match=r"is not METRIC<NUMBER or METRIC>NUMBER with score, nodes, ms, same_nodes"):
        difference.fails([ROW], condition)


def rows(number, **values):
    return [SimpleNamespace(agent=str(place), **values) for place in range(number)]


@pytest.mark.parametrize(("sign", "score"), [("<", Interval(-0.8, -1.0, -0.6)), (">", Interval(0.8, 0.6, 1.0))])
def test_among_many_agents_gains_are_as_sure_as_their_openings_are_many(sign, score):
    for openings, fail in ((2, 0), (61, 10)):
        found = rows(10, score=score, openings=openings)
        assert len(difference.fails(found, f"score{sign}0")) == fail
        assert len(difference.fails(found[:3], f"score{sign}0")) == 3


def test_one_agent_alone_fails_just_where_its_interval_ends_beyond_the_limit():
    for high, fail in ((-0.001, 1), (0.001, 0), (0.02, 0)):
        found = rows(1, score=Interval(-0.1, -0.2 - high, high), openings=61)
        assert len(difference.fails(found, "score<0")) == fail
    [line] = difference.fails(rows(1, score=Interval(-0.1, -0.2, -0.01), openings=61), "score<-.005")
    assert line == "0: score is -0.1 [-0.2 to -0.01], which is < -0.005"


def test_on_one_opening_a_gain_is_tested_too():
    [line] = difference.fails(rows(1, score=Interval(0.6, 0.1, 1.0), openings=1), "score>0.05")
    assert line == "0: score is 0.6 [0.1 to 1], which is > 0.05"
    assert difference.fails(rows(1, score=Interval(0.6, 0.1, 1.0), openings=1), "score>0.15") == []
    [line] = difference.fails(rows(1, score=Interval(-0.6, -0.6, -0.6), openings=1), "score<-0.5")
    assert line == "0: score is -0.6, which is < -0.5"


def test_every_agent_fails_that_is_beyond_a_limit_of_numbers_without_an_interval():
    assert len(difference.fails([*rows(3, ms=2.0), *rows(2, ms=None), *rows(2, ms=0.5)], "ms>1")) == 3
    assert difference.fails(rows(2, ms=None), "ms>1") == []
