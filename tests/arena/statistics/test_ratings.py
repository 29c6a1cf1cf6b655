import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import InputError
from arena.statistics.bootstrap import bootstrap
from arena.statistics.bradley_terry import _slopes, estimate
from arena.statistics.played import Played, Result
from arena.statistics.pool import Total, table_of
from arena.statistics.ratings import rate, rate_totals

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import choix

DATA = json.loads((Path(__file__).parents[2] / "data" / "statistics.json").read_text(encoding="utf-8"))
CIRCLE = [Total("A", "B", 7, 0, 3), Total("A", "C", 8, 0, 2), Total("B", "C", 6, 0, 4)]
GAUNTLET = [Total("hero", "weak", 18, 0, 2), Total("hero", "strong", 10, 0, 10)]


def by_agent(pool):
    return {rating.agent: rating for rating in pool.ratings}


def width(pool):
    return pool.advantage_high - pool.advantage_low


def planted(strengths, advantage, openings, seed=0, tilt=0.0, draws=0.05):
    """Return games of every ordered pair of agents on every opening; an opening favours the first player by `tilt`."""
    random = np.random.default_rng(seed)
    results = []
    for opening in range(openings):
        favour = random.normal(0, tilt)
        for first, second in itertools.permutations(strengths, 2):
            ahead = strengths[first] - strengths[second] + advantage + favour
            chance, drawn = 1 / (1 + 10 ** (-ahead / 400)), random.random()
            points = 1.0 if drawn < chance - draws else 0.5 if drawn < chance + draws else 0.0
            results.append(Result(first, second, str(opening), points))
    return results


def test_the_circle_of_three_has_its_known_ratings_errors_and_superiorities():
    pool = rate_totals(CIRCLE)
    assert [rating.agent for rating in pool.ratings] == ["A", "B", "C"]
    assert [round(rating.elo, 2) for rating in pool.ratings] == [128.65, -25.90, -102.75]
    assert [round(rating.elo, 3) for rating in pool.ratings][1:] == [-25.902, -102.748]
    assert [round(rating.high - rating.elo, 2) for rating in pool.ratings] == [117.95, 107.77, 113.63]
    assert round(pool.superiority[0][1], 2) == 93.96
    assert round(pool.superiority[1][2], 2) == 78.92
    assert [(rating.games, rating.score, rating.marked) for rating in pool.ratings] == [
        (20, 0.75, False),
        (20, 0.45, False),
        (20, 0.3, False),
    ]
    assert (pool.advantage, pool.method) == (None, "Fisher information")


def test_a_gauntlet_is_rated_by_whom_it_met_and_not_by_its_aggregate_score():
    ratings = by_agent(rate_totals(GAUNTLET))
    assert round(ratings["hero"].elo, 2) == round(ratings["strong"].elo, 2) == 127.23
    assert round(ratings["weak"].elo, 2) == -254.46


def test_a_draw_is_half_a_win_each_and_the_order_of_the_names_is_free():
    as_draws = rate_totals([Total("A", "B", 6, 2, 2), Total("C", "A", 2, 0, 8), Total("B", "C", 6, 0, 4)])
    assert [r.elo for r in as_draws.ratings] == pytest.approx([r.elo for r in rate_totals(CIRCLE).ratings])


def test_ratings_agree_with_choix_on_random_pools():
    random = np.random.default_rng(8)
    for agents in (3, 6, 10):
        wins = random.integers(1, 12, size=(agents, agents))
        pairs = [(i, j) for i, j in itertools.permutations(range(agents), 2) for _ in range(wins[i, j])]
        theirs = choix.ilsr_pairwise(agents, pairs) * 400 / np.log(10)
        totals = [Total(f"{i}", f"{j}", wins[i, j], 0, wins[j, i]) for i, j in itertools.combinations(range(agents), 2)]
        ours = by_agent(rate_totals(totals))
        assert [ours[str(i)].elo for i in range(agents)] == pytest.approx(list(theirs), abs=1e-4)


def test_the_slope_of_the_likelihood_balances_the_penalty_at_choixs_published_optimum():
    row = DATA["penalised"]
    logits = np.array([*row["logits"], 0.0])
    points = np.zeros((1, 8, 8))
    for winner, loser in row["wins"]:
        points[0, winner, loser] += 1
    gradient = _slopes(points, points, logits[None], advantage=False)[0][0, :-1]
    assert gradient == pytest.approx(logits[:-1], abs=1e-6)  # the penalty is half the sum of squares


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


def test_a_perfect_scorer_gets_a_finite_rating_and_a_mark():
    ratings = by_agent(rate_totals([Total("A", "B", 10, 0, 0), Total("A", "C", 8, 0, 0), Total("B", "C", 6, 0, 4)]))
    assert [agent for agent, rating in ratings.items() if rating.marked] == ["A"]
    assert 300 < ratings["A"].elo < 700
    assert ratings["A"].high - ratings["A"].low > 400
    two = by_agent(rate_totals([Total("A", "B", 10, 0, 0)]))
    assert two["A"].marked
    assert two["B"].marked
    assert two["A"].elo - two["B"].elo == pytest.approx(400 * np.log10(10.25 / 0.25))
    information = 4 * 10.5 * (10.25 / 10.5) * (0.25 / 10.5)  # the virtual half draw counts
    assert two["A"].high - two["A"].elo == pytest.approx(1.959964 * 400 / np.log(10) / information**0.5, rel=1e-6)


def test_a_perfect_scorer_over_openings_keeps_a_wide_interval():
    results = planted({"a": 0.0, "b": 60.0}, 50.0, 40)
    results += [Result(first, second, str(o), float(first == "top")) for o in range(40) for first, second in
                (("top", "a"), ("a", "top"), ("top", "b"), ("b", "top"))]  # fmt: skip
    top = rate(results).ratings[0]
    assert (top.agent, top.marked, top.score) == ("top", True, 1.0)
    assert top.high - top.low > 300


def test_a_start_far_off_arrives_all_the_same():
    points, games = np.array([[[0.0, 30.0], [10.0, 0.0]]]), np.array([[[0.0, 40.0], [40.0, 0.0]]])
    found, held = estimate(points, games, np.array([-7.0, 7.0, 4.0]), games[0], advantage=True)
    assert not held[0]
    assert found[0] == pytest.approx([np.log(3) / 2, -np.log(3) / 2, 0.0], abs=1e-6)


def test_a_group_that_beats_another_throughout_is_held_and_all_are_marked():
    pool = rate_totals(
        [Total("A", "B", 5, 0, 5), Total("C", "D", 8, 0, 2), Total("A", "C", 6, 0, 0), Total("B", "D", 6, 0, 0)]
    )
    assert all(rating.marked for rating in pool.ratings)
    assert all(abs(rating.elo) < 1000 for rating in pool.ratings)


def test_an_advantage_without_bound_is_left_out_and_marks_nobody():
    results = [Result(first, second, str(o), 1.0) for o in range(20) for first, second in (("a", "b"), ("b", "a"))]
    pool = rate(results)
    assert (pool.advantage, pool.advantage_low, pool.advantage_high) == (None, None, None)
    assert [rating.elo for rating in pool.ratings] == pytest.approx([0, 0], abs=1e-9)
    assert pool.superiority[0][1] == pytest.approx(50)
    assert pool.ratings[0].low < 0 < pool.ratings[0].high
    results[1::2] = [Result("b", "a", str(o), float(o % 4 == 0)) for o in range(20)]
    pool = rate(results)  # "a" takes all as first and three in four as second
    assert pool.ratings[0].elo - pool.ratings[1].elo == pytest.approx(400 * np.log10(35 / 5))
    assert not any(rating.marked for rating in pool.ratings)


def test_the_advantage_is_left_out_where_the_games_do_not_tell_it():
    results = [Result("a", "b", str(o), 1.0 if o % 3 else 0.0) for o in range(30)]
    pool = rate(results)
    assert (pool.advantage, pool.advantage_low, pool.advantage_high) == (None, None, None)
    assert pool.ratings[0].elo - pool.ratings[1].elo == pytest.approx(400 * np.log10(2))


def test_games_against_itself_tell_of_the_advantage_alone():
    results = planted({"a": 0.0, "b": 80.0}, 50.0, 40)
    selfplay = [Result("a", "a", str(o), 1.0) for o in range(40)]
    pool = rate(results + selfplay)
    assert pool.advantage > rate(results).advantage
    assert {rating.games for rating in pool.ratings} == {80}


def test_a_pool_in_parts_is_refused_with_the_parts_named():
    with pytest.raises(InputError, match=r"2 parts that never met: A, B \| C, D, E"):
        rate_totals([Total("A", "B", 1, 0, 1), Total("C", "D", 1, 0, 1), Total("E", "D", 1, 0, 1)])
    with pytest.raises(InputError, match="2 parts"):
        rate([Result("a", "b", "1", 1.0), Result("c", "c", "1", 1.0)])
    with pytest.raises(InputError, match="2 parts"):
        rate_totals([Total("A", "B", 1, 0, 1), Total("B", "C", 0, 0, 0), Total("C", "D", 1, 1, 1)])


@pytest.mark.parametrize(
    ("totals", "message"),
    [
        ([], "at least two agents"),
        ([Total("A", "B", 0, 0, 0)], "at least two agents"),
        ([Total("A", "A", 1, 0, 1)], "A cannot be rated by games against itself"),
        ([Total("A", "B", 1, -1, 1)], "A against B: a count is negative"),
    ],
)
def test_totals_that_cannot_be_rated_are_refused(totals, message):
    with pytest.raises(InputError, match=message):
        rate_totals(totals)


def test_results_that_are_none_are_refused():
    with pytest.raises(InputError, match=r"^a against b: 0\.7 points are not 0, 0\.5 or 1$"):
        rate([Result("a", "b", "1", 0.7)])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 9)), min_size=6, max_size=6))
@settings(deadline=None)
def test_any_connected_pool_has_finite_ratings_that_sum_to_nothing(counts):
    totals = [Total(a, b, *row) for (a, b), row in zip(itertools.combinations("ABCD", 2), counts, strict=True)]
    try:
        pool = rate_totals(totals)
    except InputError:
        return
    free = [rating for rating in pool.ratings if not rating.marked] or pool.ratings
    assert sum(rating.elo for rating in free) == pytest.approx(0, abs=1e-6)
    assert all(np.isfinite([r.elo, r.low, r.high]).all() and abs(r.elo) < 2500 for r in pool.ratings)
    for i, j in itertools.combinations(range(len(pool.ratings)), 2):
        assert pool.superiority[i][j] + pool.superiority[j][i] == pytest.approx(100)
        assert pool.superiority[i][j] >= 50 - 1e-9


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


@pytest.mark.parametrize("openings", [6, 12])
def test_the_centre_is_the_mean_of_those_without_a_mark(openings):
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, openings, draws=0.0)
    perfect = [Result(*pair, str(o), float(pair[0] == "top")) for o in range(openings) for agent in "abc"
               for pair in (("top", agent), (agent, "top"))]  # fmt: skip
    plain, crowned = rate(results), rate(results + perfect)
    assert [rating.agent for rating in crowned.ratings if rating.marked] == ["top"]
    assert sum(rating.elo for rating in crowned.ratings[1:]) == pytest.approx(0.0, abs=1e-6)
    for alone, beneath in zip(plain.ratings, crowned.ratings[1:], strict=True):
        assert beneath.elo == pytest.approx(alone.elo, abs=15)  # virtual draws pull a little
        assert beneath.high - beneath.low == pytest.approx(alone.high - alone.low, rel=0.15)


@pytest.mark.parametrize("openings", [5, 12])
def test_an_anchor_has_its_rating_without_error_and_the_others_keep_their_distances(openings):
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, openings)
    plain, anchored = by_agent(rate(results)), by_agent(rate(results, anchor=("b", 1000.0)))
    assert anchored["b"].low == anchored["b"].elo == anchored["b"].high == 1000.0
    assert anchored["c"].elo - 1000.0 == pytest.approx(plain["c"].elo - plain["b"].elo)
    assert anchored["a"].gap_los == plain["a"].gap_los
    assert anchored["c"].high - anchored["c"].low > plain["c"].high - plain["c"].low
    totals = by_agent(rate_totals(CIRCLE, anchor=("C", -50.0)))
    assert (totals["C"].elo, round(totals["A"].elo, 2)) == (-50.0, round(128.65 + 102.75 - 50.0, 2))


def test_an_anchor_that_does_not_play_is_refused_with_what_is_near():
    with pytest.raises(InputError, match="did you mean hero"):
        rate_totals(GAUNTLET, anchor=("heroo", 0.0))


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
