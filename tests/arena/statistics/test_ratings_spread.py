"""How sure ratings are: openings drawn again, clustered, or all played."""

import itertools

import numpy as np
import pytest
from planted import planted

from arena.statistics.bradley_terry import estimate
from arena.statistics.pool import Played, Result, table_of
from arena.statistics.ratings import bootstrap, rate


def width(pool):
    return pool.advantage_high - pool.advantage_low


def test_planted_strengths_and_the_first_players_advantage_are_recovered():
    strengths = {"a": -240.0, "b": -100.0, "c": 0.0, "d": 130.0, "e": 210.0}
    pool = rate(planted(strengths, 120.0, 150, seed=3))
    assert pool.method == "bootstrap over openings"
    assert [rating.agent for rating in pool.ratings] == ["e", "d", "c", "b", "a"]
    for rating in pool.ratings:
        assert rating.elo == pytest.approx(strengths[rating.agent], abs=25)
        assert rating.low < rating.elo < rating.high
        assert 30 < rating.high - rating.low < 90
        assert rating.games == 8 * 150
    assert pool.advantage == pytest.approx(120, abs=20)
    assert 100 < pool.advantage_low < pool.advantage < pool.advantage_high < 140


def test_bootstrap_intervals_hold_the_planted_strengths_as_often_as_they_say():
    strengths = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}
    for openings in (12, 40):
        held = [
            rating.low <= strengths[rating.agent] <= rating.high
            for seed in range(60)
            for rating in rate(planted(strengths, 100.0, openings, seed), resamples=400).ratings
        ]
        assert 0.9 <= np.mean(held) <= 0.99


def test_openings_that_favour_one_side_widen_the_error_of_the_advantage_alone():
    results = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 100.0, 80, seed=1, tilt=300.0)
    apart = rate([Result(game.first, game.second, None, game.points) for game in results])
    for shared in (rate(results), rate(results, resamples=0)):
        assert width(shared) > 1.2 * width(apart)
        assert [r.elo for r in shared.ratings] == [r.elo for r in apart.ratings]
    assert (apart.method, shared.method) == ("Fisher information", "sandwich clustered by opening")


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    results = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 50.0, 30)
    assert rate(results) == rate(reversed(results))
    assert rate(results) != rate(results, seed=1)


def test_few_openings_are_clustered_and_unknown_ones_fall_back_to_the_fisher_information():
    few = planted({"a": 0.0, "b": 60.0}, 50.0, 9)
    unknown = [Result(game.first, game.second, None, game.points) for game in planted({"a": 0.0, "b": 60.0}, 50.0, 30)]
    assert rate(few).method == "sandwich clustered by opening"
    assert rate(unknown).method == rate(planted({"a": 0.0, "b": 60.0}, 50.0, 1)).method == "Fisher information"


def test_a_perfect_scorer_over_openings_keeps_a_wide_interval():
    results = planted({"a": 0.0, "b": 60.0}, 50.0, 40)
    results += [Result(first, second, str(o), float(first == "top")) for o in range(40) for first, second in
                (("top", "a"), ("a", "top"), ("top", "b"), ("b", "top"))]  # fmt: skip
    top = rate(results).ratings[0]
    assert (top.agent, top.marked, top.score) == ("top", True, 1.0)
    assert top.high - top.low > 300


def test_openings_are_drawn_again_from_ten_on():
    methods = {openings: rate(planted({"a": 0.0, "b": 60.0}, 50.0, openings)).method for openings in (9, 10, 11)}
    assert methods == {9: "sandwich clustered by opening"} | dict.fromkeys((10, 11), "bootstrap over openings")


def test_few_openings_give_the_sandwich_of_liang_and_zeger():
    # One game an opening: the strength is the logit of the mean, and its error by the delta method that of the mean.
    points = np.array([1.0, 1.0, 0.5, 0.0, 1.0, 1.0])
    pool = rate([Result("a", "b", str(opening), each) for opening, each in enumerate(points)])
    mean, openings = points.mean(), len(points)
    error = np.sqrt(openings / (openings - 1) * ((points - mean) ** 2).sum()) / openings / (mean * (1 - mean))
    margin = 400 / np.log(10) * 2.570582 * error  # t(5)
    ahead = 400 * np.log10(mean / (1 - mean))
    below = pool.ratings[1]
    assert below.gap == pytest.approx(ahead)
    assert (below.gap_low, below.gap_high) == pytest.approx((ahead - margin, ahead + margin), rel=1e-5)
    assert below.high - below.low == pytest.approx(margin, rel=1e-5)  # each carries half of the difference
    assert pool.superiority[0][1] == below.gap_los
    assert pool.superiority[1][0] == pytest.approx(100 - below.gap_los)


@pytest.mark.parametrize("openings", [4, 14])
def test_the_likelihood_of_superiority_over_the_row_above_fits_the_gaps_interval(openings):
    for seed in range(8):
        for rating in rate(planted({"a": 0.0, "b": 40.0, "c": 160.0}, 80.0, openings, seed)).ratings[1:]:
            if not rating.marked:
                assert (rating.gap_low > 0.0) == (rating.gap_los > 97.5)
                assert rating.gap_low < rating.gap < rating.gap_high


def test_all_openings_of_deterministic_agents_leave_the_ratings_without_error():
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, 12)
    whole, some, plain = rate(results, population=12), rate(results, population=45), rate(results)
    assert whole.method == "exact over these openings"
    for rating in whole.ratings:
        assert rating.low == rating.elo == rating.high
    assert {los for row in whole.superiority for los in row} == {0.0, 50.0, 100.0}
    factor = np.sqrt((45 - 12) / (45 - 1))
    for one, other in zip(some.ratings, plain.ratings, strict=True):
        assert one.high - one.elo == pytest.approx(factor * (other.high - other.elo))
        assert one.elo - one.low == pytest.approx(factor * (other.elo - other.low))
    assert some.ratings[1].gap_high - some.ratings[1].gap == pytest.approx(
        factor * (plain.ratings[1].gap_high - plain.ratings[1].gap)
    )
    part = rate(results[:-2], population=12)  # a pairing lacks its last opening, so not all is known
    assert part.method == "bootstrap over openings"
    assert part.ratings[0].high > part.ratings[0].elo


def test_two_that_play_the_same_games_against_each_other_alone_are_rated_all_the_same():
    pairs = itertools.product("ab", repeat=2)  # and each against itself
    games = [Result(*pair, str(o), float(o % 2), f"44{o}") for pair in pairs for o in range(4)]
    assert [(rating.agent, rating.plays_as) for rating in rate(games).ratings] == [("a", None), ("b", None)]


def test_the_openings_of_a_table_are_those_of_the_pairing_that_has_fewest():
    results = [Result(*pair, opening, 1.0) for opening in "123" for pair in (("a", "b"), ("b", "a"))]
    some = [Result(*pair, opening, 0.5) for opening in "12" for pair in (("a", "c"), ("c", "a"))]
    assert table_of(Played.of(results)).played() == 3
    assert table_of(Played.of([*results, *some, Result("a", "b", "1", 0.0)])).played() == 2


@pytest.mark.parametrize("advantage", [True, False])
@pytest.mark.parametrize("missing", [0, 7])
@pytest.mark.parametrize("gap", [0.0, 70.0, 500.0])  # with the last some samples have no maximum
def test_one_hessian_for_all_samples_gives_the_strengths_of_each_sample_s_own(gap, missing, advantage):
    names = {name: gap * place for place, name in enumerate("abcde")}
    results = planted(names, 0.3, 12, tilt=0.5, draws=0.0 if gap else 0.05)
    table = table_of(Played.of(results[missing:]))
    points, games, met = table.points.reshape(12, -1), table.games.reshape(12, -1), table.games.sum(axis=0)
    start = estimate(table.points.sum(axis=0)[None], met[None], np.zeros(6), met, advantage=advantage)[0][0]
    random = np.random.default_rng(7)
    drawn = random.multinomial(12, np.full(12, 1 / 12), size=200).astype(float)
    samples = (drawn @ points).reshape(-1, 5, 5), (drawn @ games).reshape(-1, 5, 5)
    slow, held = estimate(*samples, start, met, advantage=advantage)
    assert held.any() == (gap == 500.0)
    assert bootstrap(table, start, 200, 7, advantage=advantage) == pytest.approx(slow, abs=1e-8)
