import random

import pytest
from hand_made import frames, run_of

from arena.analysis import pool
from arena.analysis.pool import averaged
from arena.statistics.nash import cycles, nash
from arena.statistics.pool import clones

pytestmark = pytest.mark.simulation

AGENTS = ["greedy", "random", "mcts"]
OPENINGS = [f"{one}{two}" for one in "12" for two in "12345"]
BEATS = {(0, 1): 8, (1, 2): 7, (2, 0): 9}
"""Of ten openings, those on which the first of two wins with both colours."""


@pytest.mark.parametrize("openings", [9, 10])
def test_each_rating_stands_beside_its_agents_share_and_value(tmp_path, openings):
    games = [
        (*sides, opening, "1" if (opening < wins) == (sides[0] == ends[0]) else "0")
        for ends, wins in BEATS.items()
        for opening in range(openings)
        for sides in (ends, ends[::-1])
    ]
    path = run_of(tmp_path / "run.sqlite", AGENTS, games, openings=OPENINGS)
    run = frames(path)
    table = run.played()
    expected = nash(table)
    rows, circle = averaged(run, pool.of_run(run))
    assert averaged(path, pool.of_run(run)) == (rows, circle)
    assert circle == cycles(table)
    assert sorted(row.agent for row in rows) == sorted(AGENTS)
    for row in rows:
        place = table.agents.index(row.agent)
        assert (row.nash.value, row.nash_value.value) == (expected.shares[place], expected.values[place])
        ends = [(row.nash.low, row.nash.high), (row.nash_value.low, row.nash_value.high)]
        if openings < 10:
            assert ends == [(None, None)] * 2
        else:
            assert ends == [tuple(each[:, place]) for each in expected.ends]
            assert row.nash.low < row.nash.value < row.nash.high


def test_copies_are_left_out_of_the_cycles_and_openings_stay_in_their_strata(tmp_path):
    """The first and the last agent play the same games; the first player wins by the value of half of the openings."""
    chance = random.Random(3)
    openings = [(moves, 1 if place % 2 else -1) for place, moves in enumerate(OPENINGS)]
    games = []
    for opening in range(len(openings)):
        for one, two in ((0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)):
            moves = f"{OPENINGS[opening]}{chance.randint(1, 7)}{chance.randint(1, 7)}"
            result = "1" if opening % 2 else chance.choice("1=00")
            games.append((one, two, opening, result, moves))
            if 0 in (one, two):
                games.append((3 if one == 0 else one, 3 if two == 0 else two, opening, result, moves))
        games += [(*sides, opening, "=", f"{OPENINGS[opening]}77") for sides in ((0, 3), (3, 0))]
    run = frames(run_of(tmp_path / "run.sqlite", [*AGENTS, "minimax"], games, openings=openings, strata=[12, 13]))
    played = run.played()
    assert clones(played) == {"minimax": "greedy"}
    apart = played.among({*AGENTS})
    rows, circle = averaged(run, pool.of_run(run))
    assert circle == cycles(apart.stratified(run.winners))
    assert circle != cycles(apart)
    assert circle != cycles(played.stratified(run.winners))
    expected = nash(played.stratified(run.winners))
    shares = {row.agent: (row.nash.value, row.nash.low, row.nash.high) for row in rows}
    for place, agent in enumerate(played.agents):
        assert shares[agent] == (expected.shares[place], *expected.ends[0, :, place])
