"""All that the figure of a comparison shows."""

from types import SimpleNamespace as Row

import pytest
from drawn import arrows, texts, told

from arena.comparison.figures import comparison
from arena.records import Interval
from arena.table.picture import COLOURS, FAINT

ROWS = [
    Row(at="depth 2", heuristic="zero", elo=Interval(40.0, 10.0, None)),
    Row(at="depth 2", heuristic="par\x1bity", elo=Interval(-40.0, -70.0, -10.0)),
    Row(at="depth 10", heuristic="par\x1bity", elo=Interval(5.0, -5.0, 25.0)),
    Row(at="depth 10", heuristic="zero", elo=None),
    Row(at="depth 3", heuristic="line-runs", elo=Interval(0.0, 0.0, 0.0)),
]


def test_ratings_are_drawn_level_by_level_with_the_heuristics_side_by_side_in_the_order_of_the_table():
    [picture] = comparison(ROWS)
    axes = picture.axes()
    assert (picture.name, picture.size) == ("ratings", (6.4, 3.2))
    assert picture.legend == ["zero", "par\\x1bity", "line-runs"]
    assert told(axes) == ("Heuristics compared", "", "Elo within the level, with 95 % interval", "linear", "linear")
    assert (texts(axes.get_xticklabels()), list(axes.get_xticks())) == (["depth 2", "depth 10", "depth 3"], [0, 1, 2])
    assert axes.get_xlim() == (-0.5, 2.5)
    drawn = [(bar.get_label(), bar.lines[0].get_xydata(), bar.lines[2][0].get_segments()) for bar in axes.containers]
    left, right = pytest.approx(-0.09), pytest.approx(2.09)
    assert [(name, places.tolist(), [end.tolist() for end in ends]) for name, places, ends in drawn] == [
        ("zero", [[left, 40]], [[[left, 10], [left, 40]]]),
        ("par\\x1bity", [[0, -40], [1, 5]], [[[0, -70], [0, -10]], [[1, -5], [1, 25]]]),
        ("line-runs", [[right, 0]], [[[right, 0], [right, 0]]]),
    ]
    assert arrows(axes) == [((left, 40), (0, 16))]
    assert [bar.lines[0].get_color() for bar in axes.containers] == list(COLOURS[:3])
    zero = axes.get_lines()[-1]
    assert (list(zero.get_ydata()), zero.get_color()) == ([0, 0], FAINT)
    assert texts(axes.figure.legends[0].get_texts()) == picture.legend
