import pytest
from hand_made import frames, run_of

from arena.analysis import pool
from arena.analysis.pool import averaged
from arena.statistics.nash import cycles, nash

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
