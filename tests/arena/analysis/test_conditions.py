"""Conditions on the difference between two runs: when a check fails."""

from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.analysis import difference
from arena.statistics.intervals import Interval

ROW = SimpleNamespace(agent="x", score=-0.05, nodes=1.1, ms=Interval(0.5, 0.5, 0.5), same_nodes=1.0, same_moves=None)


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
