"""How sure ratings are: openings clustered, unknown, or all played."""

import itertools

import numpy as np
import pytest
from scipy import special

from arena.statistics.elo import ELO_PER_LOGIT
from arena.statistics.pool import PoolGame, PoolResults
from arena.statistics.ratings import rate

from .planted_games import planted


def width(pool):
    return pool.advantage.high - pool.advantage.low


def test_planted_strengths_and_the_first_players_advantage_are_recovered():
    strengths = {"a": -240.0, "b": -100.0, "c": 0.0, "d": 130.0, "e": 210.0}
    pool = rate(planted(strengths, 120.0, 150, seed=3))
    assert pool.method == "sandwich clustered by opening"
    assert [rating.agent for rating in pool.ratings] == ["e", "d", "c", "b", "a"]
    for rating in pool.ratings:
        assert rating.elo.value == pytest.approx(strengths[rating.agent], abs=25)
        assert rating.elo.low < rating.elo.value < rating.elo.high
        assert 30 < rating.elo.high - rating.elo.low < 90
        assert rating.games == 8 * 150
    assert pool.advantage.value == pytest.approx(120, abs=20)
    assert 100 < pool.advantage.low < pool.advantage.value < pool.advantage.high < 140


def test_intervals_hold_the_planted_strengths_as_often_as_they_say():
    strengths = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}
    for openings in (12, 40):
        held = [
            rating.elo.low <= strengths[rating.agent] <= rating.elo.high
            for seed in range(60)
            for rating in rate(planted(strengths, 100.0, openings, seed)).ratings
        ]
        assert 0.9 <= np.mean(held) <= 0.99


def test_openings_that_favour_one_side_widen_the_error_of_the_advantage_alone():
    results = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 100.0, 80, seed=1, tilt=300.0)
    apart = rate([PoolGame(game.first, game.second, None, game.points) for game in results])
    shared = rate(results)
    assert width(shared) > 1.2 * width(apart)
    assert [r.elo.value for r in shared.ratings] == [r.elo.value for r in apart.ratings]
    assert (apart.method, shared.method) == ("Fisher information", "sandwich clustered by opening")


def test_the_order_of_the_games_changes_nothing():
    results = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 50.0, 30)
    assert rate(results) == rate(reversed(results))


def test_unknown_openings_and_a_single_one_fall_back_to_the_fisher_information():
    three = {"a": 0.0, "b": 60.0, "c": 90.0}
    unknown = [PoolGame(game.first, game.second, None, game.points) for game in planted(three, 50.0, 30)]
    assert rate(planted(three, 50.0, 2)).method == "sandwich clustered by opening"
    assert rate(unknown).method == rate(planted(three, 50.0, 1)).method == "Fisher information"
    assert rate(unknown, population=1) == rate(unknown)


@pytest.mark.parametrize("seed", range(6))
def test_few_openings_leave_no_less_open_than_single_games_do(seed):
    games = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, 5, seed, draws=0.3)
    alone = rate([PoolGame(game.first, game.second, None, game.points) for game in games])
    for few, single in zip(rate(games).ratings, alone.ratings, strict=True):
        assert few.elo.high - few.elo.low >= single.elo.high - single.elo.low - 1e-6


@pytest.mark.parametrize(("openings", "narrower"), [(9, False), (10, True)])
def test_openings_that_hardly_differ_narrow_intervals_from_the_tenth_on(openings, narrower):
    games = [(*pair, str(o), 1.0 if o == 0 and pair[0] == "a" else 0.5)
             for o in range(openings) for pair in itertools.permutations("abc", 2)]  # fmt: skip
    alone = rate([PoolGame(one, two, None, points) for one, two, _, points in games]).ratings
    for few, single in zip(rate([PoolGame(*game) for game in games]).ratings, alone, strict=True):
        widths = [row.elo.high - row.elo.low for row in (few, single)]
        assert widths[0] < widths[1] / 2 if narrower else widths[0] == pytest.approx(widths[1])


def test_a_perfect_scorer_over_openings_keeps_a_wide_interval():
    results = planted({"a": 0.0, "b": 60.0}, 50.0, 40)
    results += [PoolGame(first, second, str(o), float(first == "top")) for o in range(40) for first, second in
                (("top", "a"), ("a", "top"), ("top", "b"), ("b", "top"))]  # fmt: skip
    top = rate(results).ratings[0]
    assert (top.agent, top.marked, top.score) == ("top", True, 1.0)
    assert (top.elo.high, top.elo.low < top.elo.value - 150) == (None, True)
    some = rate(results, population=50).ratings  # what only virtual draws hold is no surer over fewer openings
    assert (some[0].elo.low, some[1].gap) == (top.elo.low, rate(results).ratings[1].gap)


def slow(results, pool, one, two, kind_of):
    """Return the CR2 variance of the Elo between two agents and its degrees of freedom, game by game."""
    names = sorted({game.first for game in results})
    elo = {rating.agent: rating.elo.value / ELO_PER_LOGIT for rating in pool.ratings}
    openings = sorted({game.opening for game in results})
    known, pulls = {each: np.zeros((len(names) + 1,) * 2) for each in openings}, dict.fromkeys(openings, 0.0)
    for game in results:
        row = np.zeros(len(names) + 1)
        row[names.index(game.first)], row[names.index(game.second)], row[-1] = 1.0, -1.0, 1.0
        ahead = elo[game.first] - elo[game.second] + pool.advantage.value / ELO_PER_LOGIT
        chance = 1.0 / (1.0 + np.exp(-ahead))
        known[game.opening] += chance * (1.0 - chance) * np.outer(row, row)
        pulls[game.opening] = pulls[game.opening] + (game.points - chance) * row
    contrast = np.zeros(len(names) + 1)
    contrast[names.index(one)], contrast[names.index(two)] = 1.0, -1.0
    weighing = np.linalg.pinv(sum(known.values())) @ contrast
    weights = np.array([weighing @ known[each] @ weighing for each in openings])
    off = np.array([weighing @ pulls[each] for each in openings])
    variance, trace, squares = 0.0, 0.0, 0.0
    for kind in {kind_of(opening) for opening in openings}:
        of_kind = np.array([kind_of(opening) == kind for opening in openings])
        whole = weights[of_kind].sum()
        shares = weights[of_kind] / whole
        left = off[of_kind] - shares * off[of_kind].sum()
        spread = np.diag(shares) - np.outer(shares, shares)  # of the pulls, where the model holds
        spread = whole * spread / np.sqrt(np.outer(1.0 - shares, 1.0 - shares))
        variance += (left**2 / (1.0 - shares)).sum()
        trace, squares = trace + np.trace(spread), squares + (spread**2).sum()
    return ELO_PER_LOGIT**2 * variance, trace**2 / squares


@pytest.mark.parametrize(("lacks", "kinds"), [
    (lambda opening, first, second: False, 1),
    (lambda opening, first, second: False, 2),
    (lambda opening, first, second: opening < 9 and "c" in {first, second}, 1),
    (lambda opening, first, second: opening < 4 + 4 * (first < second) and opening >= 4 * (first < second), 1),
    (lambda opening, first, second: opening < 3 + 2 * (first < second) and opening >= 3 * (first < second), 3),
])  # fmt: skip
def test_intervals_are_those_of_bell_and_mccaffrey_also_where_games_are_missing_and_openings_of_kinds(lacks, kinds):
    results = planted({"a": 0.0, "b": 60.0, "c": 120.0}, 50.0, 14, seed=4, tilt=200.0)
    complete = len(results)
    results = [game for game in results if not lacks(int(game.opening), game.first, game.second)]
    pool = rate(results, strata={str(opening): opening % kinds for opening in range(14)})
    assert len({rating.agent for rating in pool.ratings if not rating.marked}) == 3
    for above, below in itertools.pairwise(pool.ratings):
        variance, freedom = slow(results, pool, above.agent, below.agent, lambda opening: int(opening) % kinds)
        margin = special.stdtrit(freedom, 0.975) * variance**0.5
        assert freedom == pytest.approx(14 - kinds) or len(results) < complete
        if freedom > 8.5:
            assert (below.gap.low, below.gap.high) == pytest.approx(
                (below.gap.value - margin, below.gap.value + margin), rel=1e-6
            )
        else:
            assert below.gap.high - below.gap.value >= margin * (1 - 1e-9), "never narrower than Fisher"


@pytest.mark.parametrize("openings", [4, 14])
def test_the_likelihood_of_superiority_over_the_row_above_fits_the_gaps_interval(openings):
    for seed in range(8):
        for rating in rate(planted({"a": 0.0, "b": 40.0, "c": 160.0}, 80.0, openings, seed)).ratings[1:]:
            if not rating.marked:
                assert (rating.gap.low > 0.0) == (rating.gap_los > 97.5)
                assert rating.gap.low < rating.gap.value < rating.gap.high


def test_all_openings_of_deterministic_agents_leave_the_ratings_without_error():
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, 12)
    whole, some, plain = rate(results, population=12), rate(results, population=45), rate(results)
    assert whole.method == "exact over these openings"
    for rating in whole.ratings:
        assert rating.elo.low == rating.elo.value == rating.elo.high
    assert {los for row in whole.superiority for los in row} == {0.0, 50.0, 100.0}
    factor = np.sqrt((45 - 12) / (45 - 1))
    for one, other in zip(some.ratings, plain.ratings, strict=True):
        assert one.elo.high - one.elo.value == pytest.approx(factor * (other.elo.high - other.elo.value))
        assert one.elo.value - one.elo.low == pytest.approx(factor * (other.elo.value - other.elo.low))
    assert some.ratings[1].gap.high - some.ratings[1].gap.value == pytest.approx(
        factor * (plain.ratings[1].gap.high - plain.ratings[1].gap.value)
    )
    two = [game for game in results if "c" not in {game.first, game.second}]
    assert rate(two, population=12).method == "exact over these openings"
    for row in rate(two, population=12).ratings:
        assert (row.elo.low, row.elo.high) == pytest.approx((row.elo.value, row.elo.value))
    assert rate(two, population=13).method == rate(two).method == "score interval"
    part = rate(results[:-2], population=12)  # a pairing lacks its last opening, so not all is known
    assert part.method == "sandwich clustered by opening"
    assert part.ratings[0].elo.high > part.ratings[0].elo.value


def test_two_that_play_the_same_games_against_each_other_alone_are_rated_all_the_same():
    pairs = itertools.product("ab", repeat=2)  # and each against itself
    games = [PoolGame(*pair, str(o), float(o % 2), f"44{o}") for pair in pairs for o in range(4)]
    assert [(rating.agent, rating.plays_as) for rating in rate(games).ratings] == [("a", None), ("b", None)]


def test_the_openings_of_a_table_are_those_of_the_pairing_that_has_fewest():
    results = [PoolGame(*pair, opening, 1.0) for opening in "123" for pair in (("a", "b"), ("b", "a"))]
    some = [PoolGame(*pair, opening, 0.5) for opening in "12" for pair in (("a", "c"), ("c", "a"))]
    assert PoolResults.of(results).fewest() == 3
    assert PoolResults.of([*results, *some, PoolGame("a", "b", "1", 0.0)]).fewest() == 2


def test_a_kind_of_which_one_opening_was_played_is_not_told_apart():
    games = PoolResults.of([PoolGame("a", "b", opening, 1.0) for opening in "123"])
    assert [list(kind) for kind in games.stratified({"1": 0, "2": 1, "3": 0}).strata] == [[0, 1, 2]]
    assert [list(kind) for kind in games.stratified({"1": 0, "2": 0, "3": 0}).strata] == [[0, 1, 2]]
