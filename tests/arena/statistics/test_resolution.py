"""Who may be best, what would tell neighbours apart, and results that choose who meets next."""

import itertools

import numpy as np
import pytest

from arena.statistics.intervals import MARGIN
from arena.statistics.pairing import pairing
from arena.statistics.pool import PoolGame, Total
from arena.statistics.ratings import rate, rate_totals

from .planted_games import by_agent, planted
from .simulated_pools import of_best, of_format, of_groups, of_newcomer


def test_an_agent_that_met_few_openings_has_a_wide_interval_and_leaves_the_others_theirs():
    assert of_newcomer(1, of_it=True)(60) > 0.9
    assert of_newcomer(1, of_it=False)(30) > 0.9
    games = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 50.0, 12)
    few = [game for game in games if "c" not in {game.first, game.second} or game.opening == "0"]
    ratings = by_agent(rate(few))
    alone = by_agent(rate([game for game in games if game.opening == "0"]))
    assert ratings["c"].elo.high - ratings["c"].elo.low > 0.8 * (alone["c"].elo.high - alone["c"].elo.low)


def test_groups_far_apart_are_held():
    assert of_groups("ratings")(20) > 0.9
    assert of_groups("gaps")(20) > 0.9


def test_the_set_that_may_be_best_holds_the_best_and_shrinks_with_games():
    assert of_best(dict.fromkeys("abcde", 0.0), 10)(40) > 0.87
    strengths = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}
    few, many = (
        {each.agent for each in rate(planted(strengths, 50.0, openings)).ratings if each.may_be_best}
        for openings in (3, 100)
    )
    assert many == {"d"} < few


def test_a_fresh_match_of_as_many_games_tells_the_gap_with_four_chances_in_five():
    pool = rate_totals([Total("A", "B", 30, 0, 25), Total("A", "C", 50, 0, 5), Total("B", "C", 48, 0, 7)])
    gap = pool.ratings[1].gap.value
    score = 1 / (1 + 10 ** (-gap / 400))
    games, random = pool.ratings[1].games_to_tell, np.random.default_rng(0)
    assert pool.ratings[2].games_to_tell is None
    pairs = random.multinomial(games // 2, [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2], size=400)
    assert np.mean([pairing(counts).low > 0.0 for counts in pairs]) == pytest.approx(0.8, abs=0.08)
    level = rate_totals([Total("A", "B", 50, 0, 50), Total("A", "C", 50, 0, 50), Total("B", "C", 50, 0, 50)])
    edge = 1 / (1 + 10 ** (-MARGIN / 400))
    needed = (1.95996 * 0.5 + 0.84162 * (edge * (1 - edge)) ** 0.5) ** 2 / (edge - 0.5) ** 2
    assert level.ratings[1].games_to_tell == pytest.approx(needed, abs=2)


@pytest.mark.parametrize("advantage", [0.0, 300.0])
def test_a_fresh_match_has_both_sides_move_first_as_often(advantage):
    second = rate(planted({"a": 0.0, "b": 20.0, "c": 30.0}, advantage, 30)).ratings[1]
    pool = rate(planted({"a": 0.0, "b": 20.0, "c": 30.0}, advantage, 30))
    ahead = [max(MARGIN, second.gap.value) + side * pool.advantage.value for side in (1, -1)]
    chances, level = (
        [1 / (1 + 10 ** (-each / 400)) for each in elo]
        for elo in (ahead, (pool.advantage.value, -pool.advantage.value))
    )
    spread, equal = (sum(chance * (1 - chance) for chance in each) / 2 for each in (chances, level))
    needed = ((1.95996 * equal**0.5 + 0.84162 * spread**0.5) / (sum(chances) / 2 - 0.5)) ** 2
    assert second.games_to_tell == pytest.approx(needed, abs=2)


def test_a_fresh_match_has_no_fewer_games_than_show_a_difference():
    assert pairing([0, 0, 0, 0, 3]).low < 0.0 < pairing([0, 0, 0, 0, 4]).low
    few = rate_totals([Total("A", "B", 2, 0, 0), Total("B", "C", 2, 0, 0)])
    assert [each.games_to_tell for each in few.ratings] == [None, 10, 10]
    for games, least in ((1, 16), (2, 10), (3, 8), (4, 8), (8, 8)):
        wide = rate_totals([Total("A", "B", games, 0, 0), Total("B", "C", 1, 0, 0)])
        assert [each.games_to_tell for each in wide.ratings] == [None, least, 16]
    drawn = rate([PoolGame(*pair, "1", 0.5) for pair in ("ab", "ba")], population=1)
    assert [each.games_to_tell for each in drawn.ratings] == [None, None], "all openings are played"


@pytest.mark.simulation
def test_a_gap_of_200_elo_gets_games_enough_too():
    few = rate_totals([Total("A", "B", 10, 0, 3), Total("A", "C", 6, 0, 0), Total("B", "C", 6, 0, 0)]).ratings[1]
    score, random = 1 / (1 + 10 ** (-few.gap.value / 400)), np.random.default_rng(5)
    chances = [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]
    pairs = random.multinomial(few.games_to_tell // 2, chances, size=2000)
    assert np.mean([pairing(counts).low > 0.0 for counts in pairs]) > 0.72


@pytest.mark.parametrize("openings", [6, 20])
def test_openings_that_are_all_alike_leave_what_single_games_leave_however_many_they_are(openings):
    drawn = [PoolGame(*pair, str(o), 0.5) for o in range(openings) for pair in itertools.permutations("abc", 2)]
    pool = rate(drawn)
    assert pool.method == "Fisher information"
    for row in pool.ratings:
        assert row.elo.high - row.elo.value == pytest.approx(row.elo.value - row.elo.low)
        assert row.elo.high == pytest.approx(92.67 * (6 / openings) ** 0.5, rel=0.001)
    assert [row.gap_los for row in pool.ratings[1:]] == pytest.approx([50.0, 50.0])


@pytest.mark.parametrize("name", ["knockout", "Swiss"])
def test_where_results_choose_who_meets_next_intervals_of_gaps_hold(name):
    assert of_format(name, 0.0)(12) > 0.9
