import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import STATISTICS

from agents.errors import InputError
from arena.statistics.bradley_terry import _slopes, estimate
from arena.statistics.elo import ELO_PER_LOGIT, Z95
from arena.statistics.pool import PoolGame, Total
from arena.statistics.ratings import Rating, rate, rate_totals
from arena.table.parts import Table
from arena.table.render import write
from arena.table.rows import columns

from .planted_games import by_agent, planted

CIRCLE = [Total("A", "B", 7, 0, 3), Total("A", "C", 8, 0, 2), Total("B", "C", 6, 0, 4)]
GAUNTLET = [Total("hero", "weak", 18, 0, 2), Total("hero", "strong", 10, 0, 10)]


def test_the_circle_of_three_has_its_known_ratings_errors_and_superiorities():
    pool = rate_totals(CIRCLE)
    assert [rating.agent for rating in pool.ratings] == ["A", "B", "C"]
    assert [round(rating.elo.value, 2) for rating in pool.ratings] == [128.65, -25.90, -102.75]
    assert [round(rating.elo.value, 3) for rating in pool.ratings][1:] == [-25.902, -102.748]
    assert [round(rating.elo.high - rating.elo.value, 2) for rating in pool.ratings] == [117.95, 107.77, 113.63]
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
    assert round(ratings["hero"].elo.value, 2) == round(ratings["strong"].elo.value, 2) == 127.23
    assert round(ratings["weak"].elo.value, 2) == -254.46


def test_a_draw_is_half_a_win_each_and_the_order_of_the_names_is_free():
    as_draws = rate_totals([Total("A", "B", 6, 2, 2), Total("C", "A", 2, 0, 8), Total("B", "C", 6, 0, 4)])
    assert [r.elo.value for r in as_draws.ratings] == pytest.approx([r.elo.value for r in rate_totals(CIRCLE).ratings])


@pytest.mark.filterwarnings("ignore")  # of choix
def test_ratings_agree_with_choix_on_random_pools():
    import choix

    random = np.random.default_rng(8)
    for agents in (3, 6, 10):
        wins = random.integers(1, 12, size=(agents, agents))
        pairs = [(i, j) for i, j in itertools.permutations(range(agents), 2) for _ in range(wins[i, j])]
        theirs = choix.ilsr_pairwise(agents, pairs) * 400 / np.log(10)
        totals = [Total(f"{i}", f"{j}", wins[i, j], 0, wins[j, i]) for i, j in itertools.combinations(range(agents), 2)]
        ours = by_agent(rate_totals(totals))
        assert [ours[str(i)].elo.value for i in range(agents)] == pytest.approx(list(theirs), abs=1e-4)


def test_the_slope_of_the_likelihood_balances_the_penalty_at_choixs_published_optimum():
    row = STATISTICS["penalised"]
    logits = np.array([*row["logits"], 0.0])
    points = np.zeros((1, 8, 8))
    for winner, loser in row["wins"]:
        points[0, winner, loser] += 1
    gradient = _slopes(points, points, logits[None], advantage=False)[0][0, :-1]
    assert gradient == pytest.approx(logits[:-1], abs=1e-6)  # the penalty is half the sum of squares


def test_a_perfect_scorer_gets_a_finite_rating_and_a_mark():
    ratings = by_agent(rate_totals([Total("A", "B", 10, 0, 0), Total("A", "C", 8, 0, 0), Total("B", "C", 6, 0, 4)]))
    assert [agent for agent, rating in ratings.items() if rating.marked] == ["A"]
    assert 300 < ratings["A"].elo.value < 700
    assert (ratings["A"].elo.high, ratings["A"].elo.low < ratings["A"].elo.value - 200) == (None, True)
    two = by_agent(rate_totals([Total("A", "B", 10, 0, 0)]))
    assert two["A"].marked
    assert two["B"].marked
    assert two["A"].elo.value - two["B"].elo.value == pytest.approx(400 * np.log10(10.25 / 0.25))
    ends = [ELO_PER_LOGIT * np.log(10 / Z95**2) / 2, None]  # Wilson's of ten wins, half of it each
    assert [two["A"].elo.low, two["A"].elo.high] == [pytest.approx(ends[0], abs=0.05), None]
    assert [two["B"].elo.low, two["B"].elo.high] == [None, pytest.approx(-ends[0], abs=0.05)]


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
    assert all(abs(rating.elo.value) < 1000 for rating in pool.ratings)


def test_an_advantage_without_bound_is_left_out_and_marks_nobody():
    results = [PoolGame(first, second, str(o), 1.0) for o in range(20) for first, second in (("a", "b"), ("b", "a"))]
    pool = rate(results)
    assert pool.advantage is None
    assert [rating.elo.value for rating in pool.ratings] == pytest.approx([0, 0], abs=1e-9)
    assert pool.superiority[0][1] == pytest.approx(50)
    assert pool.ratings[0].elo.low < 0 < pool.ratings[0].elo.high
    results[1::2] = [PoolGame("b", "a", str(o), float(o % 4 == 0)) for o in range(20)]
    pool = rate(results)  # "a" takes all as first and three in four as second
    assert pool.ratings[0].elo.value - pool.ratings[1].elo.value == pytest.approx(400 * np.log10(35 / 5))
    assert not any(rating.marked for rating in pool.ratings)


def test_the_advantage_is_left_out_where_the_games_do_not_tell_it():
    results = [PoolGame("a", "b", str(o), 1.0 if o % 3 else 0.0) for o in range(30)]
    pool = rate(results)
    assert pool.advantage is None
    assert pool.ratings[0].elo.value - pool.ratings[1].elo.value == pytest.approx(400 * np.log10(2))


def test_games_against_itself_tell_of_the_advantage_alone():
    results = planted({"a": 0.0, "b": 80.0}, 50.0, 40)
    selfplay = [PoolGame("a", "a", str(o), 1.0) for o in range(40)]
    pool = rate(results + selfplay)
    assert pool.advantage.value > rate(results).advantage.value
    assert {rating.games for rating in pool.ratings} == {80}
    assert [rating.score for rating in pool.ratings] == [rating.score for rating in rate(results).ratings]


def test_a_pool_in_parts_is_refused_with_the_parts_named():
    with pytest.raises(InputError, match=r"2 parts that never met: A, B \| C, D, E"):
        rate_totals([Total("A", "B", 1, 0, 1), Total("C", "D", 1, 0, 1), Total("E", "D", 1, 0, 1)])
    with pytest.raises(InputError, match="2 parts"):
        rate([PoolGame("a", "b", "1", 1.0), PoolGame("c", "c", "1", 1.0)])
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
        rate([PoolGame("a", "b", "1", 0.7)])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 9)), min_size=6, max_size=6))
@settings(deadline=None)
def test_any_connected_pool_has_finite_ratings_that_sum_to_nothing(counts):
    totals = [Total(a, b, *row) for (a, b), row in zip(itertools.combinations("ABCD", 2), counts, strict=True)]
    try:
        pool = rate_totals(totals)
    except InputError:
        return
    free = [rating for rating in pool.ratings if not rating.marked] or pool.ratings
    assert sum(rating.elo.value for rating in free) == pytest.approx(0, abs=1e-6)
    assert all(np.isfinite(r.elo.value) and abs(r.elo.value) < 2500 for r in pool.ratings)
    assert all((r.elo.low is None or r.elo.high is None) == r.marked for r in pool.ratings)
    for i, j in itertools.combinations(range(len(pool.ratings)), 2):
        assert pool.superiority[i][j] + pool.superiority[j][i] == pytest.approx(100)
        assert pool.superiority[i][j] >= 50 - 1e-9


@pytest.mark.parametrize(
    ("openings", "points", "method"),
    [
        (6, (0.5, 0.5), "Fisher information"),
        (1, (1.0, 0.5), "Fisher information"),
        (6, (1.0, 0.5), "Fisher information"),
        (6, (1.0, 0.0), "sandwich clustered by opening"),
    ],
)
def test_the_method_is_named_that_was_used(openings, points, method):
    """Where all openings went alike, or there is but one, nothing is known of how openings differ."""
    games = [
        PoolGame(first, second, str(opening), points[(opening if points[1] == 0.0 else 0) % 2 if first < second else 1])
        for opening in range(openings)
        for first, second in itertools.permutations("abc", 2)
    ]
    assert rate(games).method == method


def test_agents_that_only_drew_are_level_and_results_of_none_are_not_counted():
    pool = rate_totals([Total("a", "b", 0, 6, 0), Total("a", "c", 0, 0, 0)])
    assert [(row.agent, row.elo.value, row.games, row.score) for row in pool.ratings] == [
        ("a", 0.0, 6, 0.5), ("b", 0.0, 6, 0.5),
    ]  # fmt: skip


def test_of_two_whose_openings_are_not_known_games_count_one_by_one_with_the_colours_that_they_had():
    games = [PoolGame("a", "b", None, 1.0, "1"), PoolGame("b", "a", None, 0.0, "2")]
    pairs = [PoolGame(game.first, game.second, "0", game.points, game.moves) for game in games]
    assert [round(rate(each).superiority[0][1], 2) for each in (games, pairs)] == [92.14, 84.17]
    uneven = [PoolGame("a", "b", None, [1.0, 0.5, 1.0, 0.0][n % 4], str(n)) for n in range(12)]
    uneven += [PoolGame("b", "a", None, [0.0, 1.0][n % 2], f"b{n}") for n in range(4)]
    found = rate(uneven)
    assert (found.lows[0][1], found.lows[1][0]) == pytest.approx((-109.87, -196.51), abs=0.01)
    assert found.superiority[0][1] == pytest.approx(70.96, abs=0.01)


def test_of_two_openings_count_on_which_both_games_of_a_pair_were_played_once():
    pairs = [PoolGame(first, second, str(o), points) for o, ends in enumerate(((1.0, 0.5), (0.5, 0.0), (1.0, 0.0)))
             for (first, second), points in zip((("a", "b"), ("b", "a")), ends, strict=True)]  # fmt: skip
    single = [PoolGame("a", "b", "8", 0.0), PoolGame("b", "a", "9", 1.0)]
    twice = [PoolGame(*pair, "7", 1.0) for pair in (("a", "b"), ("a", "b"), ("b", "a"))]
    expected = rate(pairs).superiority
    for more in (single[:1], single[1:], twice, [*single, *twice]):
        assert np.array(rate([*pairs, *more]).superiority) == pytest.approx(np.array(expected))
    assert rate(pairs).superiority[0][1] > 80


def test_nobody_is_surely_ahead_in_a_table_unless_all_is_known():
    for wins, sure in ((900, "99.9"), (3, "67.3"), (2, "50.0")):
        rows = rate_totals([Total("A", "B", wins, 0, 2)]).ratings
        lines = write([Table("", "", Rating, rows, columns(Rating, "agent", "gap_los"))], "plain").splitlines()
        assert [["A", "-"], ["B", sure]] == [line.split() for line in lines if line[:1] in {"A", "B"}]


@pytest.mark.parametrize(("wins", "may_be_best"), [(111, "abc"), (112, "a")])
def test_who_may_be_best_is_told_at_5_percent_that_the_others_share(wins, may_be_best):
    """Of three one is compared with two others, at 2.5 % each: wins of 112 in 200 leave 1.9 %, of 111 leave 2.8 %."""
    totals = [Total("a", "b", wins, 0, 200 - wins), Total("a", "c", wins, 0, 200 - wins), Total("b", "c", 100, 0, 100)]
    assert "".join(sorted(each.agent for each in rate_totals(totals).ratings if each.may_be_best)) == may_be_best
