"""Who may be best, what would tell neighbours apart, whether ratings explain results, and results that choose games."""

import itertools

import numpy as np
import pytest
from planted import by_agent, planted
from simulated_pools import of_adaptive, of_best, of_fit, of_groups, of_newcomer

from arena.statistics.intervals import MARGIN
from arena.statistics.nash import cycles
from arena.statistics.pairing import pairing
from arena.statistics.pool import PoolGame, PoolResults, Total
from arena.statistics.ratings import rate, rate_totals

pytestmark = pytest.mark.simulation


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


def test_a_fresh_match_has_no_fewer_games_than_show_a_difference():
    assert pairing([0, 0, 0, 0, 3]).low < 0.0 < pairing([0, 0, 0, 0, 4]).low
    few = rate_totals([Total("A", "B", 2, 0, 0), Total("B", "C", 2, 0, 0)])
    assert [each.games_to_tell for each in few.ratings] == [None, 10, 10]


def test_a_gap_of_200_elo_gets_games_enough_too():
    few = rate_totals([Total("A", "B", 10, 0, 3), Total("A", "C", 6, 0, 0), Total("B", "C", 6, 0, 0)]).ratings[1]
    score, random = 1 / (1 + 10 ** (-few.gap.value / 400)), np.random.default_rng(5)
    chances = [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]
    pairs = random.multinomial(few.games_to_tell // 2, chances, size=2000)
    assert np.mean([pairing(counts).low > 0.0 for counts in pairs]) > 0.72


def test_a_circle_does_not_fit_and_a_ladder_does():
    assert of_fit(20)(60) < 0.15
    assert of_fit(20, circle=1.0)(20) > 0.9
    assert rate_totals([Total("A", "B", 12, 0, 8)]).fit is None
    circle = [Total("A", "B", 16, 0, 4), Total("B", "C", 16, 0, 4), Total("C", "A", 16, 0, 4)]
    assert rate_totals(circle).fit < 0.01


def test_a_pool_of_nothing_but_draws_fits():
    drawn = [PoolGame(*pair, str(o), 0.5) for o in range(6) for pair in itertools.permutations("abc", 2)]
    pool = rate(drawn)
    assert (pool.fit, {each.elo.value for each in pool.ratings}) == (1.0, {0.0})


@pytest.mark.parametrize("openings", [6, 20])
def test_openings_that_are_all_alike_leave_what_single_games_leave_however_many_they_are(openings):
    drawn = [PoolGame(*pair, str(o), 0.5) for o in range(openings) for pair in itertools.permutations("abc", 2)]
    pool = rate(drawn)
    assert pool.method == "Fisher information"
    for row in pool.ratings:
        assert row.elo.high - row.elo.value == pytest.approx(row.elo.value - row.elo.low)
        assert row.elo.high == pytest.approx(92.67 * (6 / openings) ** 0.5, rel=0.001)
    assert [row.gap_los for row in pool.ratings[1:]] == pytest.approx([50.0, 50.0])


@pytest.mark.parametrize("agents", ["abc", "abcde", "abcdefgh"])
@pytest.mark.parametrize("openings", [3, 5, 7])
def test_results_just_as_the_ratings_expect_fit_however_their_sums_are_rounded(agents, openings):
    sides = list(itertools.permutations(agents, 2))
    games = [PoolGame(one, two, str(opening), 1.0) for opening in range(openings) for one, two in sides]
    pool = rate(games)
    assert (pool.fit, {round(each.elo.value, 9) for each in pool.ratings}) == (1.0, {0.0})
    found = cycles(PoolResults.of(games))
    assert (round(found.share, 9), found.p) == (0.0, 1.0)


def test_openings_that_decide_more_than_a_game_do_not_make_a_misfit():
    names, random, found = "abcde", np.random.default_rng(3), []
    for _ in range(40):
        games = []
        for opening, (one, two) in itertools.product(range(8), itertools.combinations(names, 2)):
            made = float(random.random() < 0.5)  # the same side wins both games of an opening
            games += [PoolGame(one, two, str(opening), made), PoolGame(two, one, str(opening), 1.0 - made)]
        found.append(rate(games).fit)
    assert np.mean(np.array(found) <= 0.05) < 0.2


@pytest.mark.parametrize("name", ["uncertain order", "knockout", "ladder", "Swiss"])
def test_where_results_choose_the_games_intervals_hold_at_every_look(name):
    assert of_adaptive(name, 0.0)(8) > 0.9


def test_intervals_at_every_look_are_wider_and_say_why():
    games = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 50.0, 30)
    plain, wide = rate(games), rate(games, adaptive=True)
    assert wide.method == "sandwich clustered by opening, valid at every look, since results chose the games"
    for one, other in zip(plain.ratings, wide.ratings, strict=True):
        assert other.elo.value == one.elo.value
        assert 1.3 < (other.elo.high - other.elo.low) / (one.elo.high - one.elo.low) < 2.2
    assert wide.fit is None
