"""The rows of a depth table: shares, rates, branching, means."""

import math
from dataclasses import replace

import pytest
from command import STYLES

from arena.depth import cost as depths
from arena.depth import tables as report
from arena.depth.cost import Cost, CountedCost
from arena.records import Interval
from arena.table.render import write
from arena.table.rows import plain


def row_of(position, depth, nodes, minimax):
    return depths.cost("a", position, depth, nodes, Interval(nodes / 1000, None, None), nodes / minimax, 4, 7)


ROWS = [row_of("44", 2, 57, 57), row_of("44", 3, 100, 400), row_of("12", 2, 21, 57), Cost("a", "12", 3)]


def test_the_depth_table_says_share_rate_and_branching():
    table = plain(ROWS)
    assert table[0] == {
        "agent": "a",
        "position": "44",
        "depth": 2,
        "nodes": 57,
        "seconds": 0.057,
        "seconds_low": None,
        "seconds_high": None,
        "nodes_per_second": pytest.approx(1000),
        "minimax_share": 1.0,
        "branching": pytest.approx(7.0),
        "move": 4,
        "score": 7,
        "call_seconds": None,
        "growth": None,
        "growth_low": None,
        "growth_high": None,
    }
    assert table[1]["minimax_share"] == 0.25
    assert {value for key, value in table[3].items() if key not in {"agent", "position", "depth"}} == {None}


def test_a_row_that_was_measured_has_all_of_its_search():
    seconds = Interval(0.02, 0.01, 0.03)
    whole = depths.cost("a", "44", 2, 57, seconds, 0.5, 1, 0, 0.009)
    assert whole == Cost("a", "44", 2, 57, seconds, pytest.approx(2850), 0.5, pytest.approx(7.0), None, 1, 0, 0.009)
    silent = depths.cost("a", "", 1, 0, seconds, None)
    assert (silent.nodes, silent.nodes_per_second, silent.minimax_share) == (0, None, None)
    assert (silent.move, silent.score, silent.call_seconds) == (None, None, None)
    assert depths.cost("a", "", 1, 8, Interval(0.0, None, None), None).nodes_per_second is None
    times = [replace(whole, seconds=Interval(taken, None, None), call_seconds=0.5) for taken in (0.99, 1.0)]
    lacking = [replace(whole, seconds=None), replace(whole, call_seconds=None)]
    assert [row.mostly_call for row in (*times, *lacking)] == [True, False, False, False]


def test_cut_offs_are_means_over_searches_and_shares_are_of_these_means():
    row, searches = row_of("44", 2, 57, 57), [(10.0, 4.0, 2.0), (20.0, 8.0, 8.0)]
    counted = depths.with_cuts(row, searches)
    assert (counted.inner, counted.cuts, counted.first_move_cuts) == (15.0, 6.0, 5.0)
    assert (counted.cut_share, counted.first_move_cut_rate) == pytest.approx((0.4, 5 / 6))
    assert (counted.agent, counted.position, counted.nodes, counted.seconds) == ("a", "44", 57, row.seconds)
    without_cuts, unknown = depths.with_cuts(row, [(8.0, 0.0, 0.0)]), depths.with_cuts(row, [])
    assert (without_cuts.cut_share, without_cuts.first_move_cut_rate) == (0.0, None)
    assert (unknown.inner, unknown.cuts, unknown.first_move_cuts, unknown.cut_share) == (None, None, None, None)
    rows = [depths.with_cuts(replace(row, position=place), [counts])
            for place, counts in zip(("44", "12"), searches, strict=True)]  # fmt: skip
    lacking = depths.with_cuts(replace(row, position="13"), [])
    for group, place in ((rows, "mean of 2"), ([*rows, lacking], "mean of 3")):
        [mean] = depths.means(group)
        assert isinstance(mean, CountedCost)
        assert (mean.position, mean.inner, mean.cuts, mean.first_move_cuts) == (place, 15.0, 6.0, 5.0)
    assert depths.means([lacking])[0].inner is None
    assert type(depths.means([row])[0]) is Cost


def test_the_means_over_positions_skip_what_was_skipped_anywhere():
    table = depths.means(ROWS)
    assert [(row.position, row.depth, row.nodes) for row in table] == [("mean of 2", 2, 39.0), ("mean of 2", 3, None)]
    assert table[0].nodes_per_second == pytest.approx(1000)
    assert table[0].minimax_share == pytest.approx((1 + 21 / 57) / 2)
    assert math.isclose(table[0].branching, (math.sqrt(1 + 4 * 38) - 1) / 2)
    calls = [replace(row, call_seconds=call) for row, call in zip(ROWS, (1.0, None, 4.0, None), strict=True)]
    assert [row.call_seconds for row in depths.means(calls)] == [2.5, None]
    assert depths.means([*ROWS[1:3], row_of("12", 3, 90, 400)])[0].growth is None, (
        "of one position nothing is less deep"
    )
    silent = [depths.cost("a", place, 2, 0, Interval(1.0, None, None), None) for place in "12"]
    assert (depths.means(silent)[0].nodes, depths.means(silent)[0].nodes_per_second) == (0, None)


def test_what_a_call_takes_is_the_median_of_those_that_are_mostly_calls():
    rows = [replace(row_of("44", depth, 8, 8), seconds=Interval(1e-5, None, None), call_seconds=call)
            for depth, call in ((1, 6e-6), (2, 7e-6), (3, 9e-6), (4, 5e-6), (5, None))]  # fmt: skip
    assert report.depths(rows).notes == {"states/s": report.CALL.format("7.00 µs")}
    assert report.depths(rows[3:]).notes == report.depths([]).notes == {}
    assert [report.depths(costs).row for costs in ([], ROWS, [depths.with_cuts(ROWS[0], [])])] == [
        Cost,
        Cost,
        CountedCost,
    ]


def test_a_row_beside_that_of_one_ply_less_says_how_much_the_states_grew():
    rows = depths.with_growth(ROWS)
    assert [row.growth for row in rows] == [None, Interval(pytest.approx(100 / 57), None, None), None, None]
    silent = [depths.cost("a", "44", depth, nodes, Interval(1.0, None, None), None)
              for depth, nodes in ((1, 0), (2, 6), (3, 0), (4, 9))]  # fmt: skip
    strangers = [replace(ROWS[1], agent="b"), replace(ROWS[1], position="13"), replace(ROWS[0], depth=None)]
    assert [row.growth for row in depths.with_growth([*silent, *strangers])] == [None] * 7
    several = [depths.cost("a", place, depth, nodes, Interval(1.0, None, None), None)
               for place, depth, nodes in (("1", 1, 0), ("2", 1, 5), ("1", 2, 6), ("2", 2, 9))]  # fmt: skip
    assert [row.growth for row in depths.means(several)] == [None, None], "of one position nothing is known below"
    text = write([report.depths(rows)], "plain")
    assert "a ply ×" in text
    assert " 1.75" in text
    assert "branching: moves tried per position, on average; a ply ×: nodes over" in text
    assert "a ply ×" not in write([report.depths(ROWS)], "plain")
    assert "95 %" not in text


def test_the_means_over_positions_say_how_sure_their_growth_is():
    found = depths.means([*ROWS[:3], row_of("12", 3, 90, 400)])[1].growth
    assert found.value == pytest.approx(190 / 78)
    assert found.low < 190 / 78 < found.high
    text = write([report.depths(depths.means([*ROWS[:3], row_of("12", 3, 90, 400)]))], "plain")
    assert "95 %" in text
    wide = [replace(row, growth=Interval(2.436, 1.004, 12.347)) for row in ROWS]
    assert "  2.44  1.00 … 12.35  " in " ".join(write([report.depths(wide)], "plain").splitlines()[2:3])


def test_a_skipped_row_says_so():
    lines = write([report.depths(ROWS)], "plain").splitlines()
    assert lines[-3].split() == ["a", "12", "3", "skipped", "-", "-", "-", "-", "-", "-"]


@pytest.mark.parametrize("style", STYLES)
def test_a_table_of_nothing_but_skipped_rows_has_every_style(style):
    text = write([report.depths([Cost("a", "", 9)])], style)
    cells = {"csv": ["a,,9,,,,,,,,,,"]}.get(style, ["a", "9", "skipped"])
    assert all(cell in text for cell in cells)
