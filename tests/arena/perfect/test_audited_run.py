"""What an audit of a run says of its agents."""

import pytest
from audited import AGENTS, by_agent, stored_small
from changed import connect
from hand_made import audit_of, frames

from arena.perfect import kept as view
from arena.perfect import tables as audit_text


def test_the_perfect_agent_throws_nothing_away(audited):
    row = by_agent(audited)[AGENTS[0]]
    assert row.clear_cut > 20
    assert row.kept.value == row.kept.high == row.clear_kept.value == 1.0
    assert row.kept.low > 0.9
    assert (row.wins_thrown, row.draws_thrown, row.blunder_games, row.won_games_lost) == (0, 0, 0, 0)
    assert row.points_thrown == 0.0


def test_random_moves_are_near_their_chance_level(audited):
    moves = view.whole(frames(audited))
    moves = moves[moves["agent"] == "random"]
    deviation = (moves["chance"] * (1 - moves["chance"])).sum() ** 0.5
    assert deviation > 3
    assert abs(moves["kept"].sum() - moves["chance"].sum()) < 4 * deviation
    row = by_agent(audited)["random"]
    assert row.chance == pytest.approx(moves["chance"].mean())
    assert row.clear_chance == pytest.approx(moves.loc[moves["clear_cut"], "chance"].mean())
    assert row.clear_kept.value < 0.9 < by_agent(audited)[AGENTS[0]].clear_kept.value


def test_only_games_that_are_audited_to_their_end_count(audited):
    before = audit_text.audit_document(frames(audited))["audited"]
    connection = connect(audited)
    with connection:
        connection.execute("DELETE FROM audit WHERE game = 1 AND ply = (SELECT max(ply) FROM audit WHERE game = 1)")
    connection.close()
    after = audit_text.audit_document(frames(audited))["audited"]
    assert after["games"] == before["games"] - 1 == before["games_played"] - 1
    assert after["moves"] < before["moves"] - 1


def test_what_was_thrown_away_is_counted(tmp_path):
    path = stored_small(tmp_path / "run.sqlite", ["11" + "2" * 4, "11" + "3" * 4])  # random wins both
    rows = [  # game, ply, value, after, legal, keeping
        (1, 2, 0, 0, 4, 2),  # random keeps a draw
        (1, 3, 0, -1, 4, 1),  # greedy throws it away
        (1, 4, 1, 1, 4, 3),
        (1, 5, -1, -1, 3, 3),
        (2, 2, 1, 0, 4, 1),  # greedy, now the first player, throws a win away
        (2, 3, 0, 0, 4, 4),
        (2, 4, 0, -1, 4, 3),  # and the draw as well
        (2, 5, 1, 1, 3, 1),
    ]
    audit_of(path, rows)
    greedy, random = by_agent(path)["greedy"], by_agent(path)["random"]
    assert (greedy.moves, greedy.kept.value, greedy.chance) == (
        4,
        0.25,
        pytest.approx((1 / 4 + 1 + 1 / 4 + 3 / 4) / 4),
    )
    assert (greedy.clear_cut, greedy.clear_kept.value, greedy.clear_chance) == (3, 0.0, pytest.approx(5 / 12))
    assert (greedy.wins_thrown, greedy.draws_thrown, greedy.points_thrown) == (1, 2, 0.75)
    assert (greedy.blunder_games, greedy.first_blunder_mean, greedy.first_blunder_median) == (2, 2.5, 2.5)
    assert (greedy.won_games, greedy.won_games_lost) == (1, 1)
    assert (random.won_games, random.won_games_lost, random.kept.value) == (2, 0, 1.0)
    assert random.first_blunder_mean is None
    assert [row.agent for row in view.agents(frames(path))] == ["random", "greedy"]


def test_ranges_of_plies_add_up_to_the_whole(audited):
    spans, whole = view.ranges(frames(audited)), by_agent(audited)
    assert sorted({(span.first, span.last) for span in spans}) == [(0, 13), (14, 27)]
    for agent, row in whole.items():
        own = [span for span in spans if span.agent == agent and span.moves]
        assert sum(span.moves for span in own) == row.moves
        assert sum(span.moves * span.kept.value for span in own) == pytest.approx(row.moves * row.kept.value)
