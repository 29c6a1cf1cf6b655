import io
import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hand_made import frames, pairs_of, run_of

from agents.errors import InputError
from arena.records import Interval
from arena.statistics.pairing import Basis
from arena.statistics.pool import PoolGame
from arena.statistics.ratings import rate
from arena.table.cells import ends, gap, rating, signed, superiority
from arena.table.parts import Detail
from arena.table.render import write
from arena.tournament import pool
from arena.tournament import tables as report
from arena.tournament.standings import standings as standings_of

AGENTS = ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=4"]


NAMES = [str(number) for number in range(40)]


def standings(path):
    return standings_of(frames(path))


def test_standings_are_sorted_by_elo_even_where_the_score_tells_otherwise(tmp_path):
    games = [
        *pairs_of("11", "11", "11", "10", one=0, two=3),  # many points against a weak agent
        *pairs_of("10", "00", "00", "00", one=1, two=2),  # fewer among the strong
        *pairs_of("00", "=0", "10", "00", one=0, two=1),
    ]
    rows = standings(run_of(tmp_path / "run", AGENTS, games))
    elo = {row.agent: row.elo.value for row in rows}
    score = {row.agent: row.score for row in rows}
    assert [row.elo.value for row in rows] == sorted(elo.values(), reverse=True)
    assert elo[AGENTS[1]] > elo[AGENTS[0]]
    assert score[AGENTS[1]] < score[AGENTS[0]]
    assert sum(elo.values()) == pytest.approx(0.0, abs=1e-6)
    assert all(row.elo.low < row.elo.value < row.elo.high for row in rows)
    assert {row.pool for row in rows} == {1}


def test_ratings_are_those_of_the_games_with_colours_and_openings(tmp_path):
    random = np.random.default_rng(1)
    games = [
        (first, second, opening, str(random.choice(["1", "=", "0"])))
        for opening in range(12)
        for first, second in itertools.permutations(range(3), 2)
    ]
    points = {"1": 1.0, "=": 0.5, "0": 0.0}
    expected = rate(PoolGame(AGENTS[a], AGENTS[b], str(o + 1), points[end]) for a, b, o, end in games)
    found = pool.of_run(frames(run_of(tmp_path / "run", AGENTS[:3], games, openings=NAMES[:12])))
    assert found.method == expected.method == "sandwich clustered by opening"
    assert [rating.agent for rating in found.ratings] == [rating.agent for rating in expected.ratings]
    assert [rating.elo.value for rating in found.ratings] == pytest.approx(
        [rating.elo.value for rating in expected.ratings]
    )
    assert found.advantage.value == pytest.approx(expected.advantage.value)


def test_pools_stand_in_the_order_of_their_first_agents_and_the_idle_in_the_first(tmp_path):
    agents = [f"alphabeta:depth={depth}" for depth in range(1, 7)]
    games = [*pairs_of("11", one=1, two=5), *pairs_of("11", one=2, two=3)]
    run = frames(run_of(tmp_path / "run", agents, games))
    assert pool.parts(run) == [[agents[0], agents[1], agents[4], agents[5]], [agents[2], agents[3]]]
    assert pool.parts(frames(run_of(tmp_path / "none", agents[:2], []))) == [agents[:2]]


def test_pools_are_numbered_by_the_order_of_the_agents_and_not_by_their_names(tmp_path):
    agents = [f"alphabeta:depth={depth}" for depth in (6, 5, 1, 2, 3, 4, 7)]
    games = [*pairs_of("1=", one=2, two=4), *pairs_of("1=", one=6, two=1), *pairs_of("1=", one=3, two=5)]
    run = frames(run_of(tmp_path / "run", agents, games))
    assert pool.parts(run) == [[agents[0], agents[1], agents[6]], [agents[2], agents[4]], [agents[3], agents[5]]]
    first = [agents[6], agents[1], agents[0]]  # who has no rating stands last
    assert [(row.pool, row.agent) for row in standings_of(run)] == [
        *((1, agent) for agent in first), (2, agents[2]), (2, agents[4]), (3, agents[3]), (3, agents[5]),
    ]  # fmt: skip


def test_a_larger_pool_of_later_agents_stands_second(tmp_path):
    agents = [f"alphabeta:depth={depth}" for depth in range(1, 6)]
    games = [*pairs_of("1=", one=0, two=1), *pairs_of("1=", one=2, two=3), *pairs_of("1=", one=3, two=4)]
    rows = standings_of(frames(run_of(tmp_path / "run", agents, games)), (agents[3], 250.0))
    assert [(row.pool, row.agent) for row in rows] == [
        *((1, each) for each in agents[:2]),
        *((2, each) for each in agents[2:]),
    ]
    assert [row.elo.value == 250.0 for row in rows] == [False, False, False, True, False]
    assert rows[0].elo.value == pytest.approx(-rows[1].elo.value)  # whose pool has no anchor


def test_agents_that_never_met_stand_in_pools_of_their_own(tmp_path):
    games = [*pairs_of("11", "10", "1=", one=0, two=2), *pairs_of("00", "=0", one=1, two=3)]
    run = run_of(tmp_path / "run", AGENTS, games)
    rows = standings(run)
    assert [(row.pool, row.agent) for row in rows] == [
        (1, AGENTS[0]), (1, AGENTS[2]), (2, AGENTS[3]), (2, AGENTS[1]),
    ]  # fmt: skip
    assert rows[0].elo.value == pytest.approx(-rows[1].elo.value)
    assert rows[2].elo.value == pytest.approx(-rows[3].elo.value)
    assert rows[0].elo.value > 0 < rows[2].elo.value
    with pytest.raises(InputError, match=r"2 parts that never met: alphabeta:depth=1, alphabeta:depth=3 \| alphabeta"):
        pool.of_run(frames(run))
    text = write(report.parts(frames(run)), "plain")
    assert "Standings of pool 1 of 2: 6 games each, " in text
    assert "Standings of pool 2 of 2: 4 games each, " in text
    assert text.count("Crosstable") == 2
    assert "Effort" not in text  # nothing was searched


def test_each_pool_has_lines_of_its_own_on_moving_first(tmp_path):
    often, seldom = ["10"] * 13 + ["01"] * 3, ["01"] * 13 + ["10"] * 3
    games = [*pairs_of(*often, one=0, two=2), *pairs_of(*seldom, one=1, two=3)]
    parts = report.parts(frames(run_of(tmp_path / "run", AGENTS, games, openings=NAMES[:16])), (AGENTS[1], 250.0))
    zeros = [part.splitlines()[:2] for part in parts if isinstance(part, Detail)]
    assert [zero for zero, _ in zeros] == ["Elo: 0 is the mean of all agents", f"Elo: {AGENTS[1]} is 250"]
    assert [re.match(r"moving first is worth ([+-])", line)[1] for _, line in zeros] == ["+", "-"]


def test_pools_are_one_table_in_csv(tmp_path):
    games = [*pairs_of("11", "10", one=0, two=2), *pairs_of("00", "=0", one=1, two=3)]
    parts = report.parts(frames(run_of(tmp_path / "run", AGENTS, games)))
    table = pd.read_csv(io.StringIO(write(parts, "csv")))
    assert list(table["pool"]) == [1, 1, 2, 2]
    table = pd.read_csv(io.StringIO(write(parts, "csv", "crosstable")))
    assert list(zip(table["agent"], table["opponent"], table["points"], strict=True)) == [
        (AGENTS[0], AGENTS[2], 3.0), (AGENTS[2], AGENTS[0], 1.0),
        (AGENTS[1], AGENTS[3], 0.5), (AGENTS[3], AGENTS[1], 3.5),
    ]  # fmt: skip


def test_who_has_not_played_yet_stands_last_without_a_rating(tmp_path):
    run = run_of(tmp_path / "run", AGENTS, pairs_of("11", "10", one=1, two=3))
    rows = standings(run)
    assert [(row.agent, row.elo is None) for row in rows] == [
        (AGENTS[1], False), (AGENTS[3], False), (AGENTS[0], True), (AGENTS[2], True),
    ]  # fmt: skip
    assert "nan" not in write(report.parts(frames(run)), "plain")
    assert report.document(frames(run))["standings"][-1]["elo"] is None


def test_an_anchor_that_has_not_played_yet_moves_nobody_and_who_met_itself_alone_ends_no_list(tmp_path):
    games = [(0, 0, 0, "1"), *pairs_of("11", "10", one=1, two=3)]
    run = frames(run_of(tmp_path / "run", AGENTS, games))
    rows = standings_of(run, (AGENTS[2], 1500.0))
    assert [(row.pool, row.agent, row.elo is None) for row in rows] == [
        (1, AGENTS[0], True), (1, AGENTS[2], True), (2, AGENTS[1], False), (2, AGENTS[3], False),
    ]  # fmt: skip
    assert rows == standings_of(run)
    first = frames(run_of(tmp_path / "first", AGENTS, games[1:]))
    assert standings_of(first, (AGENTS[2], 1500.0)) == standings_of(first)
    assert [row.elo is None for row in standings_of(first)] == [False, False, True, True]
    with pytest.raises(InputError, match="did you mean alphabeta:depth=4"):
        standings_of(first, ("alphabeta:dept=4", 1500.0))


@pytest.mark.parametrize("games", [[], [(0, 0, 0, "1")]])
def test_nobody_is_rated_where_nobody_met_another(tmp_path, games):
    run = run_of(tmp_path / "run", AGENTS[:2], games)
    assert all(row.elo is None for row in standings(run))
    assert "Elo" not in write(report.parts(frames(run)), "plain")


def test_a_perfect_score_is_marked(tmp_path):
    games = [*pairs_of("11", "11", one=0, two=1), *pairs_of("11", "11", one=0, two=2), *pairs_of("10", one=1, two=2)]
    run = run_of(tmp_path / "run", AGENTS[:3], games)
    assert {row.agent: row.marked for row in standings(run)} == {
        AGENTS[0]: True, AGENTS[1]: False, AGENTS[2]: False,
    }  # fmt: skip
    text = write(report.parts(frames(run)), "plain")
    assert (
        "\n\nElo: * where all points were won or all lost, alone or as a group: it may lie far beyond; 95 %: " in text
    )
    assert sum(" *  " in line for line in text.partition("Crosstable")[0].splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (rating(96.4, False), "+96"),
        (rating(-253.0, True), "-253 *"),
        (ends(signed)(Interval(96.4, 60.0, 122.0)), "+60 … +122"),
        (gap(Interval(66.2, 10.0, 122.4)), "66 ± 56"),
        (gap(Interval(311.2, 120.0, 812.4)), "311 [120 … 812]"),
        (gap(Interval(694.2, 396.0, None)), "694 [396 … →]"),
        (superiority(99.99), "99.9"),
        (superiority(0.001), "0.1"),
        (superiority(100.0, Basis.EXACT), "100"),
        (superiority(100.0, Basis.SCORE), "99.9"),
    ],
)
def test_an_interval_that_may_lie_unevenly_is_written_by_its_ends_and_los_is_never_certain(text, expected):
    assert text == expected


def test_a_file_is_a_run_unless_its_name_ends_in_csv(tmp_path):
    path = tmp_path / "counts.CSV"
    path.write_text("a,b,wins,draws,losses\nA,B,7,0,3\n")
    assert pool.of_file(path, ("B", 100.0)).ratings[1].elo.value == 100.0
    run = run_of(tmp_path / "run.sqlite", AGENTS[:2], pairs_of("11", "10"))
    assert pool.of_file(run, (AGENTS[0], 5.0)) == pool.of_run(frames(run), (AGENTS[0], 5.0))
    for name in ("missing.csv", "missing.sqlite"):
        with pytest.raises(InputError, match=f"^there is no file .*{name}"):
            pool.of_file(tmp_path / name)


def test_a_file_of_results_may_begin_with_a_mark_of_its_encoding_and_hold_large_counts(tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes("a,b,wins,draws,losses\nx,y,123456789012345,1,2\n".encode("utf-8-sig"))
    assert [rating.games for rating in pool.of_file(path).ratings] == [123456789012348] * 2
