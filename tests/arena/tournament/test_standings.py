import itertools
from dataclasses import replace

import numpy as np
import pytest
from hand_made import frames, pairs_of, run_of

from agents.errors import InputError
from arena.statistics.pairing import Basis
from arena.table.render import write
from arena.tournament import tables as report
from arena.tournament.pool import of_run
from arena.tournament.standings import _rank, standings

FIXED = ["alphabeta:depth=1", "alphabeta:depth=2", "minimax:depth=2", "alphabeta:depth=3"]
OPENINGS = tuple(str(number) for number in range(11, 23))


def by_agent(rows):
    return {row.agent: row for row in rows}


def games_of(openings=12, seed=2):
    """Return games of four agents of which the second and the third play alike."""
    random, styles = np.random.default_rng(seed), (0, 1, 1, 2)
    played = {
        (one, two, opening): (
            str(random.choice(["1", "=", "0"])),
            f"{OPENINGS[opening]}{random.integers(10**8, 10**9)}",
        )
        for opening in range(openings)
        for one in range(3)
        for two in range(3)
    }
    return [
        (one, two, opening, *played[styles[one], styles[two], opening])
        for opening in range(openings)
        for one in range(4)
        for two in range(4)
        if one != two
    ]


def test_agents_that_play_alike_are_rated_as_one_and_said_to(tmp_path):
    run = frames(run_of(tmp_path / "run", FIXED, games_of(), openings=OPENINGS))
    rows = by_agent(standings(run))
    one, copy = rows["alphabeta:depth=2"], rows["minimax:depth=2"]
    assert copy.plays_as == one.agent
    assert (copy.elo, copy.gap) == (one.elo, None)
    places = [row.agent for row in standings(run)]
    assert places.index(copy.agent) == places.index(one.agent) + 1
    line = f"#{places.index(copy.agent) + 1} plays exactly as #{places.index(one.agent) + 1}: the two are rated as one"
    assert line in write(report.parts(run), "plain").splitlines()
    alone = by_agent(standings(run.only([FIXED[0], FIXED[1], FIXED[3]])))
    assert {agent: row.elo.value for agent, row in alone.items()} == pytest.approx(
        {agent: rows[agent].elo.value for agent in alone}
    )


def test_the_row_above_is_told_with_its_lead_and_how_sure_it_is(tmp_path):
    found = standings(frames(run_of(tmp_path / "run", FIXED, games_of(), openings=OPENINGS)))
    assert (found[0].gap, found[0].gap_los) == (None, None)
    for above, row in itertools.pairwise(found):
        if row.plays_as is None:
            assert row.gap.value == pytest.approx(above.elo.value - row.elo.value)
            assert (row.gap.low > 0) == (row.gap_los > 97.5)


def test_an_anchor_shifts_its_pool_and_is_said_in_the_title(tmp_path):
    run = frames(run_of(tmp_path / "run", FIXED, games_of(), openings=OPENINGS))
    plain, moved = by_agent(standings(run)), by_agent(standings(run, (FIXED[3], 1500.0)))
    assert moved[FIXED[3]].elo.low == moved[FIXED[3]].elo.value == moved[FIXED[3]].elo.high == 1500.0
    assert moved[FIXED[0]].elo.value - 1500.0 == pytest.approx(plain[FIXED[0]].elo.value - plain[FIXED[3]].elo.value)
    title = write(report.parts(run, (FIXED[3], 1500.0)), "plain").splitlines()[3]
    assert "alphabeta:depth=3 is 1500" in title
    with pytest.raises(InputError, match="did you mean alphabeta:depth=1"):
        standings(run, ("alphabeta:depth=11", 0.0))


def test_an_anchor_goes_by_its_name_in_the_run_and_not_by_its_spec(tmp_path):
    twice = ["random", "random", "greedy"]
    run = frames(run_of(tmp_path / "run", twice, pairs_of("11", "10", "=0", one=1, two=2)))
    rows = by_agent(standings(run, ("random#2", 700.0)))
    assert (rows["random#2"].elo.value, rows["random"].elo) == (700.0, None)
    assert rows["greedy"].elo.value < 700.0


def test_an_anchor_that_has_not_played_yet_moves_nobody_and_is_not_in_the_title(tmp_path):
    games = pairs_of("11", "10", "=0", one=1, two=2)
    run = frames(run_of(tmp_path / "run", ["random", "minimax", "greedy"], games))
    assert standings(run, ("random", 700.0)) == standings(run)
    assert [row.elo is None for row in standings(run)] == [False, False, True]
    assert write(report.parts(run, ("random", 700.0)), "plain") == write(report.parts(run), "plain")
    assert "minimax is 700" in write(report.parts(run, ("minimax", 700.0)), "plain")


@pytest.mark.parametrize(
    ("openings", "population", "basis"),
    [
        (12, 25, "sandwich clustered by opening"),
        (4, 25, "sandwich clustered by opening"),
        (12, 12, "exact over these openings"),
        (4, 4, "exact over these openings"),
    ],
)
def test_a_line_says_what_the_intervals_rest_on(tmp_path, openings, population, basis):
    run = frames(run_of(tmp_path / "run", FIXED, games_of(openings), openings=OPENINGS, population=population))
    assert {row.basis for row in standings(run)} == {basis}
    assert f"95 %: {basis}" in write(report.parts(run), "plain").splitlines()
    assert all((row.elo.low == row.elo.high) == (openings == population) for row in standings(run))


def test_openings_won_for_either_side_in_turn_are_the_strata_of_the_ratings(tmp_path):
    """The first player wins what it should, by nearly all of the openings: the advantage is sure within the kinds."""
    openings = [(moves, value) for moves, value in zip(OPENINGS, [5, -5] * len(OPENINGS), strict=False)]
    games = [
        (*pair, place, "1" if (value > 0) != (place in (1, 4) and pair == (0, 1)) else "0")
        for place, (_, value) in enumerate(openings)
        for pair in ((0, 1), (1, 0))
    ]
    half = len(OPENINGS) // 2
    plans = {"apart": {"population": 4 * half, "strata": [2 * half, 2 * half]}, "one": {"population": 4 * half}}
    found = {
        name: of_run(frames(run_of(tmp_path / name, FIXED, games, openings=openings, **plan)))
        for name, plan in plans.items()
    }
    apart, one = found["apart"], found["one"]
    assert apart.advantage.value == one.advantage.value
    assert apart.advantage.high - apart.advantage.low < 0.8 * (one.advantage.high - one.advantage.low)
    whole = {"population": 2 * half, "strata": [half, half]}
    assert of_run(frames(run_of(tmp_path / "all", FIXED, games, openings=openings, **whole))).method == str(Basis.EXACT)
    more = {"population": 3 * half, "strata": [2 * half, half]}  # as many as can be drawn, but not all of one kind
    assert of_run(frames(run_of(tmp_path / "more", FIXED, games, openings=openings, **more))).method != str(Basis.EXACT)


def test_agents_left_to_chance_are_never_exact(tmp_path):
    games = pairs_of("11", "10", "=0", "00", one=0, two=1)
    run = frames(run_of(tmp_path / "run", ["alphabeta:depth=1", "random"], games, population=4))
    assert {row.basis for row in standings(run)} == {"score interval"}


def test_who_has_no_rating_comes_by_score_and_who_has_not_played_last(tmp_path):
    games = [(1, 1, 0, "0"), (0, 0, 0, "1"), (0, 0, 1, "1")]  # each against itself alone, which rates nobody
    rows = standings(frames(run_of(tmp_path / "run", FIXED[:3], games)))
    assert sorted(row.agent for row in rows) == sorted(FIXED[:3])
    ranked = [_rank(replace(rows[0], agent=name, score=score), ["x"]) for name, score in
              (("x", 0.1), ("y", 0.9), ("z", 0.2), ("w", None))]  # fmt: skip
    assert sorted(ranked) == ranked
