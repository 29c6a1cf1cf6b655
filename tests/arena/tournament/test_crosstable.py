from dataclasses import astuple

import pytest
from hand_made import AGENTS, FIRST, GAMES, decision, frames, stored

from arena.records import Termination
from arena.statistics.means import mean_interval
from arena.table.rows import value
from arena.tournament.standings import crosstable, standings


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run.sqlite", AGENTS, GAMES, planned=12)


def by_agent(table, *columns):
    return {row.agent: tuple(value(row, column) for column in columns) for row in table}


def test_standings_are_what_one_counts_by_hand(run):
    table = standings(frames(run))
    minimax, alphabeta, chance = AGENTS
    assert by_agent(table, "points", "score", "games", "wins", "draws", "losses", "faults") == {
        minimax: (3.5, 0.875, 4, 3, 1, 0, 0),
        chance: (2.0, 0.5, 4, 2, 0, 2, 1),
        alphabeta: (0.5, 0.125, 4, 0, 1, 3, 1),
    }
    assert by_agent(table, "first_wins", "first_draws", "first_losses") == {
        minimax: (2, 0, 0),
        chance: (1, 0, 1),
        alphabeta: (0, 1, 1),
    }
    assert by_agent(table, "second_wins", "second_draws", "second_losses") == {
        minimax: (1, 1, 0),
        chance: (1, 0, 1),
        alphabeta: (0, 0, 2),
    }
    assert [row.agent for row in table] == [minimax, chance, alphabeta]


def test_nodes_and_time_are_means_of_a_move(run):
    table = by_agent(standings(frames(run)), "nodes_per_move", "ms_per_move")
    minimax, alphabeta, chance = AGENTS
    assert table[minimax] == pytest.approx(((57 + 57) / 2, 20.0))
    assert table[alphabeta] == pytest.approx(((21 + 31 + 50) / 3, (2 + 4 + 5) / 3))
    assert table[chance] == pytest.approx((1, 2.0))


def test_times_have_an_interval_by_openings_and_nodes_a_mean(tmp_path):
    moves = [((8, 0.010), (2, 0.030)), ((0, 0.020), (4, 0.040))]
    games = [
        (0, 1, opening, f"44{opening}", FIRST, Termination.LINE,
         tuple(decision(ply, 2, nodes, seconds) for ply, (nodes, seconds) in zip((2, 4), each, strict=True)))
        for opening, each in enumerate(moves)
    ]  # fmt: skip
    [row, other] = standings(frames(stored(tmp_path / "run", AGENTS[:2], games)))
    expected = mean_interval([10.0, 30.0, 20.0, 40.0], [0, 0, 1, 1])
    assert astuple(row.ms_per_move) == pytest.approx(astuple(expected))
    assert row.nodes_per_move == pytest.approx(3.5)
    assert (other.nodes_per_move, other.ms_per_move) == (None, None)


def test_the_crosstable_is_what_one_counts_by_hand(run):
    table = crosstable(frames(run))
    minimax, alphabeta, chance = AGENTS
    rows = {(row.agent, row.opponent): (row.games, row.points, row.wins, row.draws, row.losses) for row in table}
    assert rows == {
        (minimax, alphabeta): (2, 1.5, 1, 1, 0),
        (alphabeta, minimax): (2, 0.5, 0, 1, 1),
        (minimax, chance): (2, 2.0, 2, 0, 0),
        (chance, minimax): (2, 0.0, 0, 0, 2),
        (alphabeta, chance): (2, 0.0, 0, 0, 2),
        (chance, alphabeta): (2, 2.0, 2, 0, 0),
    }


def test_an_agent_that_meets_itself_counts_on_both_sides(tmp_path):
    games = [(0, 0, 0, "443", FIRST, Termination.LINE, ())]
    table = standings(frames(stored(tmp_path / "run.sqlite", ["random"], games)))
    assert by_agent(table, "points", "games", "wins", "losses") == {"random": (1.0, 2, 1, 1)}


def test_points_follow_the_agents_name_where_it_plays_twice(tmp_path):
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, ()), (1, 0, 0, "441", FIRST, Termination.LINE, ())]
    games.append((0, 1, 1, "121", FIRST, Termination.LINE, ()))
    table = standings(frames(stored(tmp_path / "run.sqlite", ["random", "random"], games)))
    assert by_agent(table, "points") == {"random": (2.0,), "random#2": (1.0,)}
