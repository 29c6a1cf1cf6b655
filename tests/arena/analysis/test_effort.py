import math
from dataclasses import replace

import pandas as pd
import pytest
from hand_made import AGENTS, GAMES, frames, stored

from arena.analysis.effort import TO_END, branching_factor, compact, effort


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run.sqlite", AGENTS, GAMES, planned=12)


def test_effort_counts_every_completed_depth_from_the_beginning_of_the_move(run):
    table = effort(frames(run))
    minimax, alphabeta, _ = AGENTS
    found = {(row.agent, row.depth): row for row in table}
    assert set(found) == {(alphabeta, 1), (alphabeta, 2), (minimax, 2)}
    row = found[alphabeta, 2]
    assert (row.searches, row.nodes, row.nodes_median) == (3, 34.0, 31.0)
    assert row.ms == pytest.approx((2 + 4 + 5) / 3)
    assert row.nodes_per_second == pytest.approx((21 + 31 + 50) / 0.011)
    assert row.branching == pytest.approx((math.sqrt(1 + 4 * 33) - 1) / 2)
    assert found[alphabeta, 1].nodes == 8
    assert found[minimax, 2].branching == pytest.approx(7.0)


def test_an_agent_whose_searches_all_go_to_the_end_of_the_game_has_one_row_for_readers(run):
    seen = frames(run)
    solver = AGENTS[2]
    plies = range(30, 36)
    ends = seen.searches.iloc[[0] * len(plies)].assign(agent=solver, ply=plies, depth=[42 - ply for ply in plies])
    seen = replace(seen, searches=pd.concat([seen.searches, ends], ignore_index=True))
    assert [row.depth for row in effort(seen) if row.agent == solver] == [7, 8, 9, 10, 11, 12]
    [row] = [row for row in compact(seen) if row.agent == solver]
    assert (row.depth, row.searches, row.branching) == (TO_END, 6, None)
    assert [row for row in compact(seen) if row.agent != solver] == effort(frames(run))


def test_an_agent_that_tells_no_nodes_has_none_and_a_strangers_zeros_are_no_counts(run):
    seen = frames(run)
    minimax, alphabeta, _ = AGENTS
    silent = seen.searches.assign(nodes=seen.searches["nodes"].mask(seen.searches["agent"] == minimax, 0))
    first = silent.index[(silent["agent"] == alphabeta) & (silent["depth"] == 2)][0]
    silent.loc[first, "nodes"] = 0
    [row] = [row for row in effort(replace(seen, searches=silent)) if row.agent == minimax]
    assert (row.nodes, row.nodes_median, row.nodes_per_second, row.branching) == (None, None, None, None)
    counted = [row for row in effort(replace(seen, searches=silent)) if (row.agent, row.depth) == (alphabeta, 2)]
    foreign = replace(seen, searches=silent, agents=seen.agents.assign(stranger=1))
    [row] = [row for row in effort(foreign) if (row.agent, row.depth) == (alphabeta, 2)]
    rest = seen.searches[(seen.searches["agent"] == alphabeta) & (seen.searches["depth"] == 2)]["nodes"].drop(first)
    assert (row.searches, row.nodes) == (3, rest.mean())
    assert row.nodes > counted[0].nodes


@pytest.mark.parametrize("depth", [1, 2, 5, 12, 64])
@pytest.mark.parametrize("factor", [2, 3, 7])
def test_the_branching_factor_of_a_uniform_tree_is_its_own(depth, factor):
    nodes = sum(factor**power for power in range(depth + 1))
    assert branching_factor(nodes, depth) == pytest.approx(factor)


def test_the_branching_factor_of_a_single_line_is_one_and_of_less_there_is_none():
    assert branching_factor(9, 8) == pytest.approx(1.0)
    assert branching_factor(8, 8) is None
    assert branching_factor(1, 0) is None
    assert branching_factor(10**15, 64) == pytest.approx(1.6916, abs=0.0001)
