import math
import re
from dataclasses import fields, replace
from types import SimpleNamespace

import pandas as pd
import pytest
from command import STYLES
from hand_made import frames, pairs_of, run_of

from agents.errors import InputError
from arena.plugins.diff import difference
from arena.plugins.diff import tables as report
from arena.plugins.diff.difference import Change
from arena.records import Interval
from arena.statistics.intervals import Counts, score_interval
from arena.table.render import write

MINE, OTHER = "alphabeta:depth=2", "random"


def difference_of(tmp_path, old, new, agents=(), *, old_plan=None, new_plan=None):
    """Return the rows between two runs; a run is its games, or its agents and its games."""
    found = []
    for name, run, plan in (("old", old, old_plan), ("new", new, new_plan)):
        who, games = run if isinstance(run, tuple) else ([MINE, OTHER], run)
        tmp_path.mkdir(exist_ok=True)
        found.append(frames(run_of(tmp_path / name, who, games, **(plan or {}))))
    return difference.changes(*found, agents)


def row_of(rows, agent=MINE):
    return next(row for row in rows if row.agent == agent)


def test_a_run_does_not_differ_from_itself(tmp_path):
    games = [(0, 1, 0, "1", "11234567", (8, 1, 7, 1, 8, 1)), (1, 0, 0, "=", "11765432", (1, 9, 1, 6, 1, 7))]
    rows = difference_of(tmp_path, games, games)
    assert [row.agent for row in rows] == [MINE, OTHER]
    row = row_of(rows)
    assert (row.games, row.openings, row.score.value) == (2, 1, 0.0)
    assert (row.score.low, row.score.high) == (0.0, 0.0)
    assert (row.same_games, row.identical) == (2, True)
    assert "all 2 agents are identical: their games are the same" in write(report.difference_parts(rows), "plain")
    assert f"{MINE} is identical: 2 of 2 games the same" in write(report.difference_parts([row]), "plain")
    assert (row.positions, row.same_nodes, row.same_moves, row.nodes, row.ms) == (6, 1.0, 1.0, 1.0, 1.0)
    assert difference.fails(rows, "same_nodes<1") == []


def test_of_three_agents_two_may_be_identical(tmp_path):
    who = [MINE, OTHER, "greedy"]
    old = [(0, 1, 0, "1", "11234567"), (1, 0, 0, "=", "11765432"), (2, 2, 1, "1", "12121212")]
    new = [*old[:2], (2, 2, 1, "0", "12121217")]
    rows = difference_of(tmp_path, (who, old), (who, new))
    text = write(report.difference_parts(rows), "plain")
    assert {row.agent: row.identical for row in rows} == {MINE: True, OTHER: True, "greedy": False}
    assert f"{MINE} is identical: 2 of 2 games the same" in text
    assert "agents are identical" not in text


def test_games_that_differ_leave_a_gain_of_nothing_open(tmp_path):
    old = [(0, 1, 0, "1", "11234567"), (1, 0, 0, "=", "11765432")]
    new = [(0, 1, 0, "1", "11234567"), (1, 0, 0, "=", "11765423")]
    rows = difference_of(tmp_path, old, new)
    row = row_of(rows)
    assert (row.score.value, row.same_games, row.identical) == (0.0, 1, False)
    assert row.score.low < -0.5 < 0.5 < row.score.high  # one opening tells little
    assert "identical" not in write(report.difference_parts(rows), "plain")


def test_a_gain_is_that_of_the_games_both_have_with_its_error_by_openings(tmp_path):
    old = pairs_of("00", "=0", "10", "11")
    new = pairs_of("10", "=0", "11", "10")
    row = row_of(difference_of(tmp_path, old, new))
    assert (row.games, row.openings) == (8, 4)
    assert row.score_old == pytest.approx(3.5 / 8)
    assert row.score_new == pytest.approx(4.5 / 8)
    assert row.score.value == pytest.approx(1 / 8)
    gains = [0.5, 0.0, 0.5, -0.5]  # by opening, the mean of two games
    spread = math.sqrt(sum((gain - 1 / 8) ** 2 for gain in gains) / 3)
    student = 3.182446305284263  # of three degrees of freedom, for 95 %
    assert row.score.high - row.score.value == row.score.value - row.score.low == pytest.approx(student * spread / 2)
    assert row_of(difference_of(tmp_path / "again", old, new), OTHER).score.value == pytest.approx(-1 / 8)


def test_a_gain_that_is_the_same_everywhere_has_a_score_interval(tmp_path):
    row = row_of(difference_of(tmp_path, pairs_of("00", "00"), pairs_of("10", "10")))
    low, high = score_interval(Counts((0, 0, 0, 2, 0)))
    assert (row.score.value, row.score.low, row.score.high) == (0.5, 2 * low - 1, 2 * high - 1)
    row = row_of(difference_of(tmp_path / "one", pairs_of("00"), pairs_of("11")))
    assert (row.score.value, row.score.high) == (1.0, 1.0)
    assert row.score.low < 1.0


def test_a_limit_fails_only_where_the_whole_interval_lies_beyond_it(tmp_path):
    old, new = pairs_of("00", "=0", "10", "11"), pairs_of("10", "=0", "11", "10")
    rows = difference_of(tmp_path, old, new)
    assert row_of(rows, OTHER).score.value == pytest.approx(-1 / 8)
    assert difference.fails(rows, "score<-0.02") == []
    rows = difference_of(tmp_path / "worse", pairs_of(*["11"] * 4), pairs_of(*["00"] * 4))
    [line] = difference.fails(rows, "score<-0.02")
    assert re.fullmatch(rf"{MINE}: score is -1 \[-1 to -0\.\d+\], which is < -0\.02", line)
    assert [line.split(":")[0] for line in difference.fails(rows, "score>0.02")] == [OTHER.split(":", maxsplit=1)[0]]


def test_a_gain_over_all_openings_of_deterministic_agents_is_exact(tmp_path):
    games = pairs_of("00", "=0", "10", "11"), pairs_of("10", "=0", "11", "10")
    margin = {}
    for population in (4, 9, None):
        runs = [([MINE, "alphabeta:depth=1"], each) for each in games]
        plan = {"population": population}
        row = row_of(difference_of(tmp_path / str(population), *runs, old_plan=plan, new_plan=plan))
        margin[population] = row.score.high - row.score.value
    assert margin[4] == 0.0
    assert margin[9] == pytest.approx(math.sqrt((9 - 4) / (9 - 1)) * margin[None])


def test_a_gain_is_exact_only_where_every_opponent_was_met_on_all_openings(tmp_path):
    runs = []
    for ends in (("00", "=0", "10", "11"), ("10", "=0", "11", "10")):
        games = [*pairs_of(*ends), *pairs_of(ends[3], one=0, two=2, start=1)]
        runs.append(([MINE, "alphabeta:depth=1", "minimax:depth=1"], games))
    plan = {"population": 4}
    rows = difference_of(tmp_path, *runs, old_plan=plan, new_plan=plan)
    exact = {row.agent: row.score.low == row.score.high for row in rows}
    assert exact == {MINE: False, "alphabeta:depth=1": True, "minimax:depth=1": False}


def test_runs_that_drew_from_other_openings_are_as_openings_without_end(tmp_path):
    games = pairs_of("00", "=0", "10", "11"), pairs_of("10", "=0", "11", "10")
    runs = [([MINE, "alphabeta:depth=1"], each) for each in games]
    scores = []
    for place, (old, new) in enumerate(((None, None), (4, 9), (9, 4), (4, None), (None, 4))):
        plans = {"old_plan": {"population": old}, "new_plan": {"population": new}}
        scores.append(row_of(difference_of(tmp_path / str(place), *runs, **plans)).score)
    assert len(set(scores)) == 1
    assert scores[0].low < scores[0].value < scores[0].high


def test_other_games_with_the_same_points_are_not_identical_however_sure_the_points_are(tmp_path):
    old = [(0, 1, 0, "1", "11234567"), (1, 0, 0, "=", "11765432")]
    new = [(0, 1, 0, "1", "11234567"), (1, 0, 0, "=", "11765423")]
    plan = {"population": 1, "openings": ["11"]}
    agents = [MINE, "alphabeta:depth=1"]
    row = row_of(difference_of(tmp_path, (agents, old), (agents, new), old_plan=plan, new_plan=plan))
    assert (row.score, row.same_games, row.identical) == (Interval(0.0, 0.0, 0.0), 1, False)


@pytest.mark.parametrize(("one", "other"), [("1", "0"), ("=", "0"), ("0", "1")])
def test_the_same_moves_with_another_result_are_not_identical(tmp_path, one, other):
    rows = difference_of(tmp_path, *([(0, 1, 0, end, "11234567")] for end in (one, other)))
    assert [(row.games, row.same_games, row.identical) for row in rows] == [(1, 1, False)] * 2
    assert "identical" not in write(report.difference_parts(rows), "plain")
    both = ([(0, 1, 0, end, "11234567"), (1, 0, 0, end, "11765432")] for end in (one, other))
    rows = difference_of(tmp_path / "both", *both)
    assert [(row.score.value, row.same_games, row.identical) for row in rows] == [(0.0, 2, False)] * 2


@pytest.mark.parametrize(("most", "same", "positions"), [(2, 2, 6), (1, None, 3)])
def test_of_more_games_than_are_read_a_sample_is_compared_and_none_is_counted_as_the_same(
    tmp_path, monkeypatch, most, same, positions
):
    monkeypatch.setattr(difference, "SAMPLE", most)
    games = [(0, 1, 0, "1", "11234567", (8, 1, 7, 1, 8, 1)), (1, 0, 0, "=", "11765432", (1, 9, 1, 6, 1, 7))]
    for row in difference_of(tmp_path, games, games):
        assert (row.games, row.same_games, row.identical) == (2, same, same == 2)
        assert (row.positions, row.same_nodes) == (positions, 1.0)


def test_openings_that_only_one_run_has_are_left_out(tmp_path):
    old = pairs_of("11", "00", "00", "00")
    new = pairs_of("11", "11", "00", "00")
    plans = {"old_plan": {"openings": ["11", "12", "13", "14"]}, "new_plan": {"openings": ["14", "15", "12", "16"]}}
    row = row_of(difference_of(tmp_path, old, new, **plans))
    assert (row.games, row.openings) == (4, 2)  # of 12 and of 14
    assert (row.score_old, row.score_new) == (0.0, 0.5)


@pytest.mark.parametrize("turned", [False, True])
def test_of_an_opening_that_is_there_twice_the_first_games_are_held_against_the_other_runs(tmp_path, turned):
    first = [(0, 1, 0, "1", "1122334", (10, 1, 20, 1, 70)), (1, 0, 0, "1", "1122335", (1, 10, 1, 20, 1))]
    again = [(0, 1, 2, "0", "1177", (3, 1)), (1, 0, 2, "0", "1166", (1, 3))]
    runs = [[*first, *again], first]
    plans = [{"openings": ["11", "12", "11"]}, {"openings": ["11", "12"]}]
    old, new = reversed(range(2)) if turned else range(2)
    for row in difference_of(tmp_path, runs[old], runs[new], old_plan=plans[old], new_plan=plans[new]):
        assert (row.games, row.openings, row.same_games, row.identical, row.same_nodes) == (2, 1, 2, True, 1.0)
        assert row.positions == 5


def test_opponents_and_colours_that_only_one_run_has_are_left_out(tmp_path):
    old = ([MINE, OTHER, "greedy"], [(0, 1, 0, "0"), (1, 0, 0, "0"), (0, 2, 0, "0")])
    new = ([OTHER, MINE], [(1, 0, 0, "1")])
    row = row_of(difference_of(tmp_path, old, new))
    assert (row.games, row.score_old, row.score_new) == (1, 0.0, 1.0)


def test_costs_are_compared_up_to_the_first_move_that_differs(tmp_path):
    old = [(0, 1, 0, "1", "1122334", (10, 1, 20, 1, 70))]
    new = [(0, 1, 0, "0", "1122434", (10, 1, 30, 1, 500))]
    row = row_of(difference_of(tmp_path, old, new))
    assert (row.positions, row.same_moves, row.same_nodes) == (2, 0.5, 0.5)
    assert (row.nodes_old, row.nodes_new, row.nodes) == pytest.approx((15.0, 20.0, 4 / 3))
    assert (row.ms_old, row.ms_new, row.ms) == pytest.approx((15.0, 20.0, 1.5**0.5))
    row = row_of(difference_of(tmp_path / "other", old, new), OTHER)
    assert (row.positions, row.same_moves, row.nodes) == (1, 1.0, 1.0)


def test_times_are_compared_position_by_position_and_tested_as_they_are(tmp_path):
    old = [(0, 1, 0, "1", "1122334", (10, 3, 20, 3, 70)), (0, 2, 1, "1", "1222334", (10, 3, 20, 3, 70))]
    agents = [MINE, OTHER, "greedy"]
    rows = difference_of(tmp_path, (agents, old), (agents, old), new_plan={"taking": lambda nodes: 1.3 * nodes / 1000})
    assert [row.ms for row in rows] == pytest.approx([1.3] * 3)
    assert difference.fails(rows[:1], "ms>1.25") == [f"{MINE}: ms is 1.3, which is > 1.25"]
    assert difference.fails(rows, "ms>1.35") == []


def test_of_many_agents_only_those_fail_that_survive_holms_test():
    row = SimpleNamespace(agent="x", score=Interval(-0.10, -0.19, -0.01), openings=60)
    assert len(difference.fails([row], "score<0")) == 1
    assert len(difference.fails([row, row], "score<0")) == 2
    still = SimpleNamespace(agent="y", score=Interval(0.0, -0.09, 0.09), openings=60)
    assert difference.fails([row, *[still] * 3], "score<0") == []
    sure = SimpleNamespace(agent="z", score=Interval(-0.20, -0.29, -0.11), openings=60)
    assert [line[0] for line in difference.fails([row, sure, *[still] * 3], "score<0")] == ["z"]


def test_a_game_that_ended_sooner_is_alike_as_far_as_it_goes(tmp_path):
    old = [(0, 1, 0, "1", "1122334", (10, 1, 20, 1, 70))]
    new = [(0, 1, 0, "0", "11223", (10, 1, 20))]
    row = row_of(difference_of(tmp_path, old, new))
    assert (row.positions, row.same_moves, row.same_nodes) == (2, 1.0, 1.0)


def test_columns_of_wide_boards_are_told_apart_as_whole_numbers(tmp_path):
    plan = {"openings": ["1,12"]}
    old, new = [(0, 1, 0, "1", "1,12,3,1,1")], [(0, 1, 0, "1", "1,12,3,11,1")]
    assert difference._alike(old[0][4], new[0][4]) == 3
    assert row_of(difference_of(tmp_path, old, new, old_plan=plan, new_plan=plan)).games == 1


def test_a_single_node_more_is_a_change_of_the_search(tmp_path):
    old = [(0, 1, 0, "1", "11223344", (1000, 1, 20, 1, 5, 1))]
    new = [(0, 1, 0, "1", "11223344", (1001, 1, 20, 1, 5, 1))]
    rows = difference_of(tmp_path, old, new)
    row = row_of(rows)
    assert (row.positions, row.same_nodes, row.same_moves) == (3, pytest.approx(2 / 3), 1.0)
    assert row.nodes == pytest.approx(1026 / 1025)
    assert difference.fails(rows, "same-nodes < 1") == [f"{MINE}: same_nodes is 0.6667, which is < 1"]
    assert f"{MINE} searches differently: other nodes in 1 of 3 positions" in write(
        report.difference_parts(rows), "plain"
    )
    assert f"{OTHER} searches differently" not in write(report.difference_parts(rows), "plain")


def test_an_agent_that_meets_itself_decides_for_both_sides_once(tmp_path):
    games = [(0, 0, 0, "1", "1123456", (5, 6, 7, 8, 9))]
    row = row_of(difference_of(tmp_path, games, games))
    assert (row.games, row.positions, row.same_nodes) == (2, 5, 1.0)


def test_games_without_a_move_can_be_compared_too(tmp_path):
    rows = difference_of(tmp_path, pairs_of("11"), pairs_of("10"))
    row = row_of(rows)
    assert (row.positions, row.same_nodes, row.nodes, row.ms, row.nodes_old) == (0, *[None] * 4)
    assert difference.fails(rows, "nodes>0") == []
    for style in STYLES:
        assert MINE in write(report.difference_parts(rows), style)


def test_runs_without_a_common_game_are_refused(tmp_path):
    with pytest.raises(InputError, match="the two runs share no game"):
        difference_of(tmp_path, pairs_of("11"), pairs_of("11"), new_plan={"openings": ["7"]})
    with pytest.raises(InputError, match="the two runs share no game"):
        difference_of(tmp_path / "others", pairs_of("11"), (["greedy", OTHER], pairs_of("11")))
    with pytest.raises(InputError, match="share no game"):
        difference_of(tmp_path / "empty", [], pairs_of("11"))


def test_runs_on_different_boards_are_refused(tmp_path):
    sizes = ((6, 5, 4, False), (7, 5, 4, False), (7, 6, 5, False), (7, 6, 4, True))
    for number, rules in enumerate(sizes):
        small = {"rules": dict(zip(("columns", "rows", "connect", "most_fours"), rules, strict=True))}
        with pytest.raises(InputError, match="the two runs were played on different boards"):
            difference_of(tmp_path / str(number), pairs_of("11"), pairs_of("11"), new_plan=small)


@pytest.mark.parametrize(("old", "new", "said"), [((0, 0), (9, 9), (0.0, 9.0)), ((9, 9), (0, 0), (9.0, 0.0))])
def test_where_one_of_the_runs_tells_no_nodes_they_have_no_ratio(tmp_path, old, new, said):
    games = [[(0, 1, 0, "1", "11234", (own, 1, other))] for own, other in (old, new)]
    row = row_of(difference_of(tmp_path, *games, old_plan={"seed": 1}))
    assert (row.positions, row.nodes_old, row.nodes_new, row.nodes, row.same_nodes) == (2, *said, None, 0.0)


def test_one_agent_can_be_asked_for(tmp_path):
    rows = difference_of(tmp_path, pairs_of("11"), pairs_of("10"), agents=[MINE])
    assert [row.agent for row in rows] == [MINE]
    with pytest.raises(InputError, match=r"games of both runs 'alphabeta:depth=3': did you mean alphabeta"):
        difference_of(tmp_path / "unknown", pairs_of("11"), pairs_of("10"), agents=["alphabeta:depth=3"])


def test_an_agent_of_both_runs_that_has_no_game_in_common_cannot_be_asked_for(tmp_path):
    agents = [MINE, OTHER, "greedy"]
    old, new = ((agents, [*pairs_of("11"), (0, 2, opening, "1")]) for opening in (1, 2))
    assert [row.agent for row in difference_of(tmp_path, old, new)] == [MINE, OTHER]
    with pytest.raises(InputError, match=r"games of both runs 'greedy'"):
        difference_of(tmp_path / "named", old, new, agents=["greedy"])


def test_without_positions_none_differs_in_its_nodes():
    none = Change(**dict.fromkeys(field.name for field in fields(Change)))
    assert none.other_nodes == 0
    other = replace(none, agent="a:x=1,y=2", positions=8, same_games=0, same_nodes=0.75)
    assert other.other_nodes == 2
    assert [replace(none, positions=10, same_nodes=same).other_nodes for same in (0.9, 0.7, 0.0, 1.0)] == [1, 3, 10, 0]
    same = replace(none, agent="b:x=1", games=2, same_games=2, score=Interval(0.0, 0.0, 0.0))
    _, said, note = report.difference_parts([replace(other, games=2), same])
    assert said.splitlines() == [
        "b is identical: 2 of 2 games the same", "a:y=2 searches differently: other nodes in 2 of 8 positions"
    ]  # fmt: skip
    assert note == "all agents have x=1"


def test_decisions_of_a_game_are_those_of_its_number_in_either_run():
    games = pd.DataFrame({"opening": [0], "as_first": [True], "id_old": [1], "id_new": [2], "alike": [5]})
    decided = {
        run: pd.DataFrame({"agent": "a", "game": [game], "ply": 0, "column": 3, "nodes": nodes, "seconds": 0.1})
        for run, game, nodes in (("old", 1, 10), ("new", 2, 20))
    }
    assert difference._decisions(decided, "a", games)[["nodes_old", "nodes_new"]].to_numpy().tolist() == [[10, 20]]
