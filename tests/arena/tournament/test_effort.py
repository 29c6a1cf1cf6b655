import math
from dataclasses import replace

import pandas as pd
import pytest
from hand_made import AGENTS, GAMES, decision, frames, stored

from arena.statistics.means import mean_interval
from arena.table.rows import plain
from arena.tournament.effort import TO_END, _growths, branching_factor, compact, effort
from arena.tournament.tables import document


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
    assert row.ms.value == pytest.approx((2 + 4 + 5) / 3)
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
    assert document(seen)["effort"] == plain(effort(seen))


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
    assert (row.searches, row.nodes, row.nodes_median) == (3, rest.mean(), rest.median())
    assert row.nodes > counted[0].nodes
    both = seen.searches.assign(game=1, ply=4, agent=alphabeta)[:4].assign(depth=[1, 2, 3, 4], nodes=[6, 0, 20, 50])
    later = both[1:].assign(game=2, nodes=[4, 10, 30])
    told = {row.depth: row.growth and row.growth.value for row in effort(replace(
        foreign, searches=pd.concat([both, later], ignore_index=True)))}  # fmt: skip
    assert told == {1: None, 2: None, 3: 10 / 4, 4: 80 / 30}  # where one of the two depths has no count, none counts


def test_times_have_an_interval_by_openings(tmp_path):
    spent = {0: (0.0101, 0.030), 1: (0.020, 0.040)}
    games = [
        (0, 1, opening, f"44{opening}", GAMES[0][4], GAMES[0][5], (decision(2, 2, 9, one), decision(4, 2, 9, two)))
        for opening, (one, two) in spent.items()
    ]
    [row] = effort(frames(stored(tmp_path / "run", AGENTS, games)))
    expected = mean_interval([10.1, 30.0, 20.0, 40.0], [0, 0, 1, 1])
    assert (row.ms.value, row.ms.low, row.ms.high) == pytest.approx((expected.value, expected.low, expected.high))


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
    assert branching_factor(10**15, 1) == pytest.approx(10**15)


def test_the_growth_is_the_ratio_of_neighbouring_depths_in_the_same_moves():
    rows = [(1, 0, 7, "a", depth, nodes) for depth, nodes in ((1, 8), (2, 20), (3, 30))]
    rows += [(2, 2, 9, "a", 1, 10), (2, 2, 9, "a", 2, 16), (1, 1, 7, "b", 3, 99), (1, 3, 7, "b", 5, 9)]
    rows += [(3, 0, 8, "a", 3, 900)]
    found = _growths(pd.DataFrame(rows, columns=["game", "ply", "opening", "agent", "depth", "nodes"]))
    assert {key: ratio.value for key, ratio in found.items()} == {("a", 2): 36 / 18, ("a", 3): 30 / 20}
    assert found["a", 2].low < 2 < found["a", 2].high
    assert (found["a", 3].low, found["a", 3].high) == (None, None)  # of one opening alone
