import pytest
from hand_made import FIRST, decision, frames, stored

from arena.records import Interval, Termination
from arena.statistics.means import mean_interval
from arena.tournament.effort import Phase, phases, usual

AGENT = "alphabeta:depth=2"
SEARCHES = {13: (10, 0.001), 14: (20, 0.002), 27: (40, 0.006), 28: (80, 0.007), 41: (160, 0.008)}
"""Nodes and seconds by ply: those of 14 and of 28 begin a third of the 42 cells."""


def run_of(tmp_path, depth=2, openings=("44", "12"), **plan):
    games = [
        (0, 0, place, f"44{place}", FIRST, Termination.LINE,
         tuple(decision(ply, depth, nodes + place, seconds) for ply, (nodes, seconds) in SEARCHES.items()))
        for place in range(len(openings))
    ]  # fmt: skip
    path = stored(tmp_path / "run.sqlite", [AGENT], games, openings=openings, **plan)
    return frames(path)


def test_a_phase_is_a_third_of_the_cells(tmp_path):
    rows = phases(run_of(tmp_path))
    assert [(row.agent, row.depth, row.phase, row.searches, row.nodes) for row in rows] == [
        (AGENT, 2, "opening", 2, 10.5), (AGENT, 2, "middle", 4, 30.5), (AGENT, 2, "end", 4, 120.5),
    ]  # fmt: skip
    assert [row.ms.value for row in rows] == pytest.approx([1.0, 4.0, 7.5])


def test_the_thirds_are_those_of_the_board(tmp_path):
    wide = run_of(tmp_path, rules={"columns": 9, "rows": 6, "connect": 4})
    assert [(row.phase, row.searches) for row in phases(wide)] == [("opening", 4), ("middle", 4), ("end", 2)]


def test_times_have_an_interval_by_openings(tmp_path):
    row = phases(run_of(tmp_path))[1]
    found = mean_interval([2.0, 6.0, 2.0, 6.0], ["44", "44", "12", "12"])
    assert (row.ms.low, row.ms.high) == pytest.approx((found.low, found.high))
    alone = phases(run_of(tmp_path / "one", openings=("44",)))[1]
    assert (alone.ms.low, alone.ms.high) == (None, None)


def test_searches_that_completed_no_depth_belong_to_no_phase(tmp_path):
    assert phases(run_of(tmp_path / "none", depth=0)) == []
    assert len(phases(run_of(tmp_path / "some", depth=1))) == 3


def row(agent, depth, phase, searches):
    return Phase(agent, depth, phase, searches, None, Interval(1.0, None, None))


def test_an_agents_usual_depth_is_the_greatest_that_half_as_many_searches_came_to_as_to_any():
    rows = [row("a", 1, "opening", 6), row("a", 1, "end", 4), row("a", 2, "opening", 2), row("a", 2, "end", 3),
            row("a", 3, "opening", 4), row("b", 7, "end", 1)]  # fmt: skip
    assert usual(rows) == [rows[2], rows[3], rows[5]]
    assert usual([]) == []
