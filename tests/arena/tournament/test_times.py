import math

import pytest
from changed import connect
from hand_made import frames, pairs_of, run_of

from arena.store.schema import TIMING
from arena.tournament.effort import overruns, ratio, slowed
from arena.tournament.pairings import duel
from arena.tournament.tables import taken, time_warnings

TWO = ("alphabeta:depth=4", "alphabeta:depth=5")


def timed(path, rows, agents=TWO, games=None, **plan):
    """Store a run with searches by turns as (position, agent from 1, turn, seconds)."""
    run_of(path, agents, pairs_of("10") if games is None else games, **plan)
    connection = connect(path)
    with connection:
        connection.execute(TIMING)
        connection.executemany("INSERT INTO timing VALUES (?, ?, ?, 7, ?)", rows)
    connection.close()
    return frames(path)


def test_a_ratio_is_that_of_the_fastest_turns_in_the_same_positions(tmp_path):
    times = [(str(place), agent, turn, seconds * place)
             for place in range(1, 8) for agent, seconds in ((1, 0.002), (2, 0.001)) for turn in range(3)]  # fmt: skip
    paused = [(position, agent, turn, 5.0 + turn if agent == 1 and turn != 1 else taken)
              for position, agent, turn, taken in times]  # fmt: skip
    found = ratio(timed(tmp_path / "run", [*paused, ("77", 1, 0, 9.0)]), *TWO)
    assert (found.value, found.low, found.high) == pytest.approx((2.0, 1.9231, 2.0800), abs=1e-4)
    met = duel(frames(tmp_path / "run"), *TWO)
    assert met.time_ratio == found


def test_without_searches_by_turns_a_ratio_pairs_the_openings_of_the_games(tmp_path):
    games = [(0, 1, 0, "1", "11123456", (40, 10, 60, 10, 500, 70)), (0, 1, 1, "1", "121234", (90, 30, 90, 30))]
    found = frames(run_of(tmp_path / "run", TWO, games))
    assert ratio(found, *TWO).value == pytest.approx((6.0 * 3.0) ** 0.5)
    assert ratio(found, *TWO).low < 4.0 < ratio(found, *TWO).high
    assert taken(found) == "the games, with different positions"


def test_games_of_an_agent_against_itself_tell_nothing_of_two(tmp_path):
    met = [(0, 1, 0, "1", "111234", (40, 10, 60, 10)), (0, 1, 1, "1", "121234", (90, 30, 90, 30))]
    alone = [(who, who, opening, "1", moves, (900, 1, 900, 900)) for opening, moves in enumerate(("111234", "121234"))
             for who in (0, 1)]  # fmt: skip
    apart, together = (frames(run_of(tmp_path / str(len(games)), TWO, games)) for games in (met, [*alone, *met]))
    assert ratio(together, *TWO) == ratio(apart, *TWO)
    assert duel(together, *TWO) == duel(apart, *TWO)


def test_of_some_agents_only_their_own_searches_by_turns_tell_whether_the_machine_was_busy(tmp_path):
    times = [("1", agent, turn, 9.0 if (agent, turn) == (2, 0) else 1.0) for agent in (1, 2) for turn in range(5)]
    found = timed(tmp_path / "run", times)
    assert slowed(found) == pytest.approx(0.1)
    assert [slowed(found.only((name,))) for name in TWO] == pytest.approx([0.0, 0.2])


def test_the_ratio_of_one_position_has_open_ends_and_that_of_equal_times_what_varies_between_processes(tmp_path):
    one = [("1", 1, 0, 0.003), ("1", 2, 0, 0.002)]
    found = ratio(timed(tmp_path / "one", one), *TWO)
    assert (found.value, found.low, found.high) == (pytest.approx(1.5), None, None)
    level = [(str(place), agent, 0, 0.002 * place) for place in range(1, 8) for agent in (1, 2)]
    found = ratio(timed(tmp_path / "level", level), *TWO)
    assert (found.value, found.low, found.high) == pytest.approx((1.0, math.exp(-1.96 * 0.02), math.exp(1.96 * 0.02)))


def test_who_was_not_timed_has_no_ratio(tmp_path):
    assert ratio(timed(tmp_path / "run", [("1", 1, 0, 1.0)]), *TWO) is None
    assert ratio(frames(run_of(tmp_path / "none", TWO, pairs_of("10"))), *TWO) is None


@pytest.mark.parametrize(("slow", "share"), [(1, 0.1), (2, 0.2)])
def test_a_machine_is_busy_where_more_than_a_tenth_of_the_searches_waited(tmp_path, slow, share):
    found = timed(
        tmp_path / "run", [("1", 1, turn, 1.6 if turn < slow else 1.5 if turn == 5 else 1.0) for turn in range(10)]
    )
    assert slowed(found) == pytest.approx(share)
    line = (
        "warning: the machine was busy: 20% of the searches by turns took 1.5 times as long as the "
        "fastest run of the same search"
    )
    assert time_warnings(found) == ([line] if slow == 2 else [])


def test_a_search_waited_by_the_fastest_of_its_own_position_and_agent(tmp_path):
    spent = {("1", 1): (0.002, 0.0029, 0.0031), ("2", 1): (7.0, 9.0, 12.0), ("1", 2): (0.004, 0.004, 0.004)}
    times = [(*key, turn, each) for key, row in spent.items() for turn, each in enumerate(row)]
    assert slowed(timed(tmp_path / "run", times)) == pytest.approx(2 / 9)


def test_a_run_without_searches_by_turns_says_nothing_of_the_machine(tmp_path):
    assert slowed(frames(run_of(tmp_path / "run", TWO, pairs_of("10")))) == 0.0


def test_overruns_of_a_limit_are_counted_and_measured(tmp_path):
    agents = ("alphabeta:seconds=0.02", "alphabeta:depth=2", "alphabeta:seconds=2")
    games = [(0, 1, 0, "1", "11123456", (20, 900, 25, 900, 21, 900)), (2, 1, 1, "1", "1212", (900, 1))]
    found = frames(run_of(tmp_path / "run", agents, games))
    one, two = overruns(found)
    assert (one.agent, one.limit, one.moves, one.over) == (agents[0], 0.02, 3, 2)
    assert (one.typical, one.most) == pytest.approx((0.003, 0.005))
    assert (two.agent, two.limit, two.moves, two.over, two.typical, two.most) == (agents[2], 2, 1, 0, None, None)
    assert time_warnings(found) == [
        "alphabeta:seconds=0.02 overran 20.0 ms a move in 2 of 3 moves, by 3.00 ms in the median and 5.00 ms at most"
    ]


def test_one_long_pause_moves_the_most_and_not_what_is_typical(tmp_path):
    games = [(0, 1, 0, "1", "111234567", (21, 1, 22, 1, 900, 1, 20))]
    [row] = overruns(frames(run_of(tmp_path / "run", ("alphabeta:seconds=0.02", "alphabeta:depth=2"), games)))
    assert (row.moves, row.over, row.typical, row.most) == (4, 3, pytest.approx(0.002), pytest.approx(0.88))


def test_the_limit_of_the_run_holds_for_all_and_the_tighter_one_counts(tmp_path):
    agents = ("alphabeta:seconds=0.02", "alphabeta:depth=2")
    found = frames(run_of(tmp_path / "run", agents, [(0, 1, 0, "1", "1112", (5, 12))], seconds=0.01))
    assert [(row.limit, row.over) for row in overruns(found)] == [(0.01, 0), (0.01, 1)]
    found = frames(run_of(tmp_path / "wide", agents, [(0, 1, 0, "1", "1112", (35, 35))], seconds=0.03))
    assert [(row.limit, row.over) for row in overruns(found)] == [(0.02, 1), (0.03, 1)]
