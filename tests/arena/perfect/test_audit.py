from dataclasses import replace

import pytest
from changed import connect
from hand_made import audit_of, frames, pairs_of, run_of

from arena.perfect import kept as audit
from arena.perfect.figures import audit_pictures
from arena.perfect.tables import audit_document, audit_part, audit_parts, of_run
from arena.statistics.intervals import proportion
from arena.store.schema import EXTRA
from arena.table.parts import Table
from arena.table.render import write

AGENTS = ["alphabeta:depth=2", "random"]


def audited(path, rows, games, agents=AGENTS, **plan):
    return {row.agent: row for row in audit.agents(frames(audit_of(run_of(path, agents, games, **plan), rows)))}


def test_an_interval_is_by_openings_whose_moves_resemble_each_other(tmp_path):
    games = [(0, 1, opening, "1", f"1{opening + 1}3456", (5,) * 4) for opening in (0, 0, 1, 2)]
    games = [(first, second, opening, result, f"{moves[:-1]}{place + 1}", nodes)
             for place, (first, second, opening, result, moves, nodes) in enumerate(games)]  # fmt: skip
    good = {(1, 2): True, (1, 4): True, (2, 2): True, (2, 4): False, (3, 2): False, (3, 4): False, (4, 2): True,
            (4, 4): True}  # fmt: skip
    rows = [
        (game, ply, 1, 1 if good.get((game, ply), True) else 0, 7, 3) for game in (1, 2, 3, 4) for ply in range(2, 6)
    ]
    games[1] = (1, 0, *games[1][2:])  # the same opening with colours swapped
    found = audited(tmp_path / "run", rows, games)[AGENTS[0]]
    expected = proportion([2 + 2, 0, 2], [4, 2, 2])
    assert (found.kept.low, found.kept.high) == pytest.approx((expected.low, expected.high))
    assert found.kept.value == pytest.approx(6 / 8)


def test_points_are_thrown_away_by_a_side_of_a_game_also_where_an_agent_meets_itself(tmp_path):
    games = [(0, 0, 0, "1", "112345", (5, 5, 5, 5))]
    rows = [(1, 2, 1, 0, 7, 3), (1, 3, 0, 0, 7, 3), (1, 4, 0, 0, 7, 3), (1, 5, 0, -1, 7, 3)]
    found = audited(tmp_path / "run", rows, games, [AGENTS[0]])[AGENTS[0]]
    assert (found.games, found.moves) == (1, 4)
    assert found.points_thrown == pytest.approx((0.5 + 0.5) / 2)


def test_games_that_stood_won_count_as_lost_where_their_side_lost_them(tmp_path):
    games = [(0, 1, 0, "0", "112345", (5,) * 4), (0, 1, 1, "0", "122345", (5,) * 4), (1, 0, 1, "1", "122346", (5,) * 4)]
    rows = [(game, ply, (1, 0, 0, 0)[ply - 2] if game < 3 else 0, -((game, ply) == (3, 5)), 7, 3)
            for game in (1, 2, 3) for ply in range(2, 6)]  # fmt: skip
    found = audited(tmp_path / "run", rows, games)
    assert (found[AGENTS[0]].first_blunder_mean, found[AGENTS[0]].first_blunder_median) == (3.0, 2.0)
    assert (found[AGENTS[0]].won_games, found[AGENTS[0]].won_games_lost, found[AGENTS[0]].wins_thrown) == (2, 2, 2)
    assert (found[AGENTS[1]].won_games, found[AGENTS[1]].won_games_lost, found[AGENTS[1]].draws_thrown) == (0, 0, 0)


def test_a_game_that_stood_won_and_was_drawn_is_not_lost(tmp_path):
    games = [(0, 1, 0, "=", "112345", (5,) * 4), (1, 0, 1, "=", "122346", (5,) * 4), (1, 0, 0, "1", "112346", (5,) * 4)]
    rows = [(game, ply, 1 if ply < 4 else 0, 0, 7, 3) for game in (1, 2, 3) for ply in range(2, 6)]
    found = audited(tmp_path / "run", rows, games)
    assert [(row.won_games, row.won_games_lost) for row in (found[AGENTS[0]], found[AGENTS[1]])] == [(3, 1), (3, 0)]


def test_a_win_that_was_thrown_away_twice_in_a_game_is_one_game_lost(tmp_path):
    """The first player gives up a win at plies 2 and 6 and loses; the second one a draw at ply 7, and keeps its own."""
    games = [(0, 1, 0, "0", "1123456745", (5,) * 8), (1, 0, 0, "1", "1123456746", (5,) * 8)]
    blunders = {(1, 2): (1, -1), (1, 6): (1, 0), (1, 7): (0, -1), (2, 3): (1, -1), (2, 5): (1, -1), (2, 7): (0, -1)}
    rows = [(game, ply, *blunders.get((game, ply), (-1, -1)), 7, 3) for game in (1, 2) for ply in range(2, 10)]
    one, other = audited(tmp_path / "run", rows, games)[AGENTS[0]], audited(tmp_path / "two", rows, games)[AGENTS[1]]
    assert (one.won_games, one.won_games_lost, one.wins_thrown, one.draws_thrown) == (2, 2, 4, 1)
    assert (one.blunder_games, one.first_blunder_mean, one.first_blunder_median) == (2, 2.5, 2.5)
    assert one.points_thrown == pytest.approx((1 + 0.5 + 1 + 1 + 0.5) / 2)
    assert (other.won_games, other.won_games_lost, other.wins_thrown, other.draws_thrown) == (0, 0, 0, 1)
    assert (other.blunder_games, other.first_blunder_mean, other.points_thrown) == (1, 7.0, 0.25)


def test_a_range_of_one_ply_is_one_too(tmp_path):
    moves = "11" + "2233445566" + "771"
    games = [(0, 1, 0, "1", moves, (5,) * 13), (1, 0, 1, "1", moves[:1] + "2" + moves[2:6], (5,) * 4)]
    rows = [(1, ply, 0, -(ply == 14), 7, 3) for ply in range(2, 15)] + [(2, ply, 0, 0, 7, 3) for ply in range(2, 6)]
    found = audit.ranges(frames(audit_of(run_of(tmp_path / "run", AGENTS, games), rows)))
    told = {(row.agent, row.first, row.last): (row.moves, row.kept and row.kept.value) for row in found}
    assert told == {
        (AGENTS[0], 0, 13): (8, 1.0), (AGENTS[0], 14, 27): (1, 0.0),
        (AGENTS[1], 0, 13): (8, 1.0), (AGENTS[1], 14, 27): (0, None),
    }  # fmt: skip


def test_the_audit_of_agents_that_were_dropped_is_none_of_the_run(tmp_path):
    games = [(0, 1, 0, "1", "112345", (5,) * 4), (0, 2, 1, "1", "122346", (5,) * 4)]
    rows = [(game, ply, 1, game - 2, 7, 3) for game in (1, 2) for ply in range(2, 6)]
    run = frames(audit_of(run_of(tmp_path / "run", [*AGENTS, "greedy"], games, dropped=["random"]), rows))
    assert set(run.table("audit")["game"]) == set(run.moves["game"]) == {2}
    assert [(row.agent, row.kept.value) for row in audit.agents(run)] == [(AGENTS[0], 0.0), ("greedy", 0.0)]
    assert audit.coverage(run).games == audit.coverage(run).games_played == 1


def test_a_run_that_is_not_audited_has_no_rows(tmp_path):
    found = frames(run_of(tmp_path / "run", ["alphabeta:depth=2", "minimax:depth=2"], pairs_of("11")))
    assert (audit.agents(found), audit.ranges(found), audit.coverage(found).games) == ([], [], 0)
    assert (audit.kept(found), len(audit.agents_frame(found))) == ({}, 0)
    assert (audit_pictures(found), audit_part(found)) == ([], {})
    document = audit_document(found)
    assert (document["agents"], document["ranges"]) == ([], [])
    assert document["audited"] == {"games": 0, "moves": 0, "clear_cut": 0, "games_played": 0, "drawn": 0}
    assert {"agent", "kept", "low", "clear_low", "won_games_lost"} < {*audit.agents_frame(found).columns}
    [table] = of_run(found, "")
    assert table.title == "Value kept: moves that kept a win or a draw; all agents have depth=2"


@pytest.mark.parametrize(
    ("agents", "population", "exact"),
    [
        (["alphabeta:depth=2", "minimax:depth=1"], 2, True),
        (["alphabeta:depth=2", "minimax:depth=1"], 9, False),
        (AGENTS, 2, False),
    ],
)
def test_shares_of_deterministic_agents_over_all_openings_are_exact(tmp_path, agents, population, exact):
    games = [(first, 1 - first, opening, "1", f"1{opening + 1}345{first + 1}", (5,) * 4)
             for opening in (0, 1) for first in (0, 1)]  # fmt: skip
    rows = [(game, ply, 1, int(game != 2 or ply != 4), 7, 3) for game in (1, 2, 3, 4) for ply in range(2, 6)]
    run = frames(audit_of(run_of(tmp_path / "run", agents, games, population=population), rows))
    for row in (*audit.agents(run), *audit.ranges(run)):
        for share in (row.kept, row.clear_kept):
            assert (share.low == share.value == share.high) == exact
        assert (row.basis == "exact over these openings") == exact
    basis = "exact over these openings" if exact else "score interval clustered by opening"
    assert f"95 %: {basis}" in audit_parts(run)


def test_shares_are_exact_only_where_every_opponent_was_met_on_all_openings(tmp_path):
    agents = ["alphabeta:depth=2", "minimax:depth=1", "minimax:depth=2"]
    games = [(first, 1 - first, opening, "1", f"1{opening + 1}345{first + 1}", (5,) * 4)
             for opening in (0, 1) for first in (0, 1)] + [(0, 2, 0, "1", "113453", (5,) * 4)]  # fmt: skip
    rows = [(game, ply, 1, 1, 7, 3) for game in range(1, 6) for ply in range(2, 6)]
    found = audited(tmp_path / "run", rows, games, agents, population=2)
    assert [found[agent].kept.low == 1.0 for agent in agents] == [False, True, False]


LONG = "11" + "2233445566" + "7712"
"""Moves up to ply 16, the first two an opening."""


def long_run(path):
    """Return two games of 14 moves: greedy at even plies; at 12 and 14 moves are clear-cut, and some lost value."""
    games = [(0, 1, opening, "1", LONG[:15] + last, (5,) * 14) for opening, last in ((0, "2"), (1, "3"))]
    clear = {(1, 12): (1, 1, 2), (1, 14): (1, 0, 1), (2, 12): (0, -1, 4), (2, 14): (1, -1, 2)}
    rows = []
    for game in (1, 2):
        for ply in range(2, 16):
            value, after, keeping = clear.get((game, ply), (0, 0, 7))
            rows.append((game, ply, value, after, 7, keeping))
    return frames(audit_of(run_of(path, ["greedy", "random"], games), rows))


def test_what_moves_at_random_would_keep_is_a_mean_of_the_positions(tmp_path):
    found = {row.agent: row for row in audit.agents(long_run(tmp_path / "run"))}
    greedy, chance = found["greedy"], found["random"]
    assert (greedy.games, greedy.moves, greedy.clear_cut) == (2, 14, 4)
    assert (greedy.kept.value, greedy.clear_kept.value) == pytest.approx((11 / 14, 1 / 4))
    assert greedy.clear_chance == pytest.approx((2 + 1 + 4 + 2) / 7 / 4)
    assert greedy.chance == pytest.approx((10 + 9 / 7) / 14)
    assert (chance.kept.value, chance.chance, chance.clear_cut, chance.clear_kept, chance.clear_chance) == (
        1,
        1,
        0,
        None,
        None,
    )


def test_what_was_thrown_away_is_counted_by_games_and_plies(tmp_path):
    [greedy, chance] = audit.agents(long_run(tmp_path / "run"))
    assert (greedy.wins_thrown, greedy.draws_thrown, greedy.blunder_games) == (2, 1, 2)
    assert greedy.points_thrown == pytest.approx((0.5 + 0.5 + 1.0) / 2)
    assert (greedy.first_blunder_mean, greedy.first_blunder_median) == (13.0, 13.0)
    assert (greedy.won_games, greedy.won_games_lost) == (2, 0)
    assert (chance.blunder_games, chance.first_blunder_mean, chance.first_blunder_median) == (0, None, None)
    assert (chance.won_games, chance.points_thrown) == (0, 0.0)


def test_ranges_are_thirds_of_the_standard_board(tmp_path):
    rows = audit.ranges(long_run(tmp_path / "run"))
    assert [(row.agent, row.first, row.last, row.moves, row.clear_cut, row.kept.value) for row in rows] == [
        ("greedy", 0, 13, 12, 2, pytest.approx(11 / 12)), ("greedy", 14, 27, 2, 2, 0.0),
        ("random", 0, 13, 12, 0, 1.0), ("random", 14, 27, 2, 0, 1.0),
    ]  # fmt: skip


def test_a_run_shows_the_main_table_alone_unless_its_audit_is_asked_for(tmp_path):
    run = long_run(tmp_path / "run")
    [table] = of_run(run, "")
    assert (table.name, len(of_run(run, "audit"))) == ("audit", 5)
    assert [row["agent"] for row in audit_part(run)["audit"]] == ["greedy", "random"]
    assert {name: len(rows) for name, rows in audit_document(run).items()} == {"agents": 2, "ranges": 4, "audited": 5}


def test_a_figure_has_the_agents_in_the_order_of_its_colours(tmp_path):
    run = long_run(tmp_path / "run")
    assert [[*picture.legend] for picture in audit_pictures(run)] == [["greedy", "random"]]
    assert [[*picture.legend] for picture in audit_pictures(run, ["random"])] == [["random", "greedy"]]


def test_ranges_have_a_column_of_all_moves_and_one_of_the_clear_cut_ones_and_a_line_an_agent(tmp_path):
    parts = audit_parts(long_run(tmp_path / "run"))
    assert [(part.name, len(part.rows)) for part in parts if isinstance(part, Table)] == [
        ("audit", 2), ("audit", 2), ("ranges", 4),
    ]  # fmt: skip
    _, header, _, *lines = [line.split() for line in write([parts[3]], "plain").splitlines() if line]
    assert " ".join(header) == "agent ply 0-13 ply 14-27 clear-cut 0-13 clear-cut 14-27"
    assert [" ".join(line) for line in lines] == [
        "greedy 91.7 % 0.0 % 50.0 % 0.0 %", "random 100.0 % 100.0 % - -",
    ]  # fmt: skip


def test_where_only_some_agents_are_audited_their_labels_are_those_of_the_whole_run(tmp_path):
    agents, games = ["alphabeta:depth=2", "greedy", "minimax:depth=2"], [(0, 2, 0, "1", "112345", (5,) * 4)]
    run = frames(audit_of(run_of(tmp_path / "run", agents, [*games, (0, 1, 1, "1", "122345", (5,) * 4)]),
                          [(1, ply, 1, int(ply != 3), 7, 3) for ply in range(2, 6)]))  # fmt: skip
    [picture] = audit_pictures(run)
    assert [*picture.legend] == ["alphabeta:depth=2", "minimax:depth=2"]
    assert [part.labels.of(agents[2]) for part in audit_parts(run) if isinstance(part, Table)] == [agents[2]] * 3
    assert audit_document(run)["audited"]["games"] == 1
    path = run_of(tmp_path / "two", agents[::2], [(0, 1, 0, "1", "112345", (5,) * 4)])
    [picture] = audit_pictures(frames(audit_of(path, [(1, ply, 1, int(ply != 3), 7, 3) for ply in range(2, 6)])))
    assert [*picture.legend] == ["alphabeta", "minimax"]


def test_the_coverage_counts_games_that_are_audited_to_their_end(tmp_path):
    assert audit_parts(long_run(tmp_path / "run"))[-1] == "audited games 2 of 2, moves 28, clear-cut 4"
    whole = audit.coverage(frames(tmp_path / "run"))
    assert (whole.games, whole.moves, whole.clear_cut, whole.games_played) == (2, 28, 4, 2)
    games = [(0, 1, 0, "1", "112345", (5,) * 4), (1, 0, 0, "1", "112346", (5,) * 4)]
    rows = [(1, ply, 1, 1, 7, 3) for ply in range(2, 6)] + [(2, 2, 1, 1, 7, 3)]
    part = frames(audit_of(run_of(tmp_path / "part", AGENTS, games), rows))
    found = audit.coverage(part)
    assert (found.games, found.moves, found.clear_cut, found.games_played) == (1, 4, 4, 2)
    assert audit.kept(part) == {AGENTS[0]: 1.0, AGENTS[1]: 1.0}
    assert audit_parts(part)[-1].startswith("audited games 1 of 2, moves 4, ")
    rows = [(game, ply, 1, 1, 7, 3) for game in (1, 2) for ply in range(2, 6)]
    some = frames(audit_of(run_of(tmp_path / "some", AGENTS, [*games, (0, 1, 1, "1"), (1, 0, 1, "=")]), rows))
    found = audit.coverage(some)
    assert (found.games, found.moves, found.clear_cut, found.games_played) == (2, 8, 8, 2)
    few = replace(some, pairings=some.pairings.assign(games=1200))
    sampled = "audited games 2 of 2, moves 8, clear-cut 8; the games are a sample of the run's 1,200"
    assert (audit_parts(some)[-1], audit_parts(few)[-1]) == (sampled.partition(";")[0], sampled)


def test_a_random_move_in_place_of_a_reply_is_left_out_of_its_own_game_alone(tmp_path):
    """Ply 12 of the first game is drawn; no other place is near it, such as ply 2 of the second."""
    long_run(tmp_path / "run")
    connection = connect(tmp_path / "run")
    with connection:
        connection.execute(EXTRA)
        told = [(1, 12, True), (1, 2, False), (2, 14, True)]
        connection.executemany(
            "INSERT INTO extra VALUES (?, ?, json_object('tries', 3, 'drawn', json(?)))",
            [(game, ply, "true" if drawn else "false") for game, ply, drawn in told],
        )
    connection.close()
    found = frames(tmp_path / "run")
    coverage = audit.coverage(found)
    assert (coverage.games, coverage.moves, coverage.clear_cut, coverage.drawn) == (2, 26, 2, 2)
    assert (
        audit_parts(found)[-1] == "audited games 2 of 2, moves 26, clear-cut 2; left out: 2 random moves in place of "
        "replies"
    )
    moves = audit.whole(found)
    gone = {(game, ply) for game in (1, 2) for ply in range(2, 16)} - {*zip(moves["game"], moves["ply"], strict=True)}
    assert gone == {(1, 12), (2, 14)}
    [greedy, _] = audit.agents(found)
    assert (greedy.moves, greedy.wins_thrown, greedy.draws_thrown, greedy.first_blunder_mean) == (12, 1, 1, 13.0)
    connection = connect(tmp_path / "run")
    with connection:
        connection.execute("DELETE FROM audit WHERE game = 2 AND ply = 15")
    connection.close()
    found = frames(tmp_path / "run")
    assert audit.coverage(found).drawn == 1  # of the game that is audited to its end
    assert "; left out: 1 random move" in audit_parts(found)[-1]


def test_who_kept_most_where_it_could_err_comes_first_and_who_could_not_err_last(tmp_path):
    agents = ["greedy", "random", "mcts", "minimax"]
    games = [(0, 1, 0, "1", "1123", (5, 5)), (2, 3, 0, "1", "1124", (5, 5))]
    rows = [(1, 2, 1, 0, 7, 3), (1, 3, 0, 0, 7, 7), (2, 2, 1, 1, 7, 3), (2, 3, 0, 0, 7, 7)]
    run = frames(audit_of(run_of(tmp_path / "run", agents, games), rows))
    assert [row.agent for row in audit.agents(run)] == ["mcts", "greedy", "random", "minimax"]
    found = {row.agent: (row.clear_kept and row.clear_kept.value, row.kept.value) for row in audit.agents(run)}
    assert found == {"greedy": (0.0, 0.0), "random": (None, 1.0), "mcts": (1.0, 1.0), "minimax": (None, 1.0)}


def test_of_two_who_kept_as_much_where_they_could_err_who_kept_more_in_all_comes_first(tmp_path):
    games = [(0, 1, 0, "1", "112345", (5,) * 4), (0, 1, 1, "1", "122345", (5,) * 4)]
    rows = [(game, ply, 0, 0, 7, 7) if ply == 5 else (game, ply, 1, game - 1, 7, 3)
            for game in (1, 2) for ply in range(2, 6)]  # fmt: skip
    for agents in (AGENTS, AGENTS[::-1]):
        found = audit.agents(frames(audit_of(run_of(tmp_path / agents[0][:3], agents, games), rows)))
        assert [(row.agent, row.clear_kept.value, row.kept.value) for row in found] == [
            (agents[1], 0.5, 0.75), (agents[0], 0.5, 0.5),
        ]  # fmt: skip
