"""What is said of one match in a row, a gap, a likelihood and a pairing never contradicts itself."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics.pairing import pairing, verdict
from arena.statistics.pool import PoolGame, PoolResults, Total
from arena.statistics.ratings import rate, rate_totals

POINTS = st.sampled_from([0.0, 0.5, 1.0])


def pairs_of(games):
    """Return counts of pairs from the view of `a`, worst first, of the points that the first player made in each."""
    counts = [0] * 5
    for as_first, as_second in games:
        counts[round(2 * (as_first + 1.0 - as_second))] += 1
    return counts


def sign(low, high):
    """Return which side an interval shows to be ahead: 1, -1 or 0."""
    return (low is not None and low > 0.0) - (high is not None and high < 0.0)


def match(games):
    return [
        result
        for opening, (as_first, as_second) in enumerate(games)
        for result in (PoolGame("a", "b", str(opening), as_first), PoolGame("b", "a", str(opening), as_second))
    ]


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=30), st.sampled_from([None, 30, 60, 1000]))
@settings(deadline=None, max_examples=100)
def test_row_gap_superiority_pairing_and_verdict_of_a_match_agree(games, population):
    met = pairing(pairs_of(games), population)
    pool = rate(match(games), population=population)
    above, below = pool.ratings
    side = 1 if above.agent == "a" else -1
    ahead = (met.clear and 1) * (1 if met.score > 0.5 else -1) * side
    assert sign(below.gap.low, below.gap.high) == ahead
    assert sign(above.elo.low, above.elo.high) == -sign(below.elo.low, below.elo.high) == ahead
    assert (below.gap_los > 97.5) == (ahead == 1)
    assert below.gap_los == pytest.approx(met.los_score if side == 1 else 100.0 - met.los_score)
    assert below.gap_los >= 50.0 - 1e-9
    assert ("beats" in verdict("a", "b", met)) == (ahead != 0)


def test_seventeen_wins_of_twenty_say_one_thing_everywhere():
    games = [(1.0, 0.0)] * 7 + [(1.0, 1.0)] * 3
    met, [above, below] = pairing(pairs_of(games)), rate(match(games)).ratings
    assert (met.clear, above.elo.low > 0.0, below.gap.low > 0.0, below.gap_los > 97.5) == (True,) * 4
    assert rate(match(games)).method == "score interval"


def test_a_game_whose_opening_was_not_played_with_the_colours_swapped_is_no_pair():
    games = [(1.0, 0.0)] * 7 + [(1.0, 1.0)] * 3 + [(0.0, 0.5)]
    met, below = pairing(pairs_of(games[:-1])), rate(match(games)[:-1]).ratings[1]
    assert (below.gap_los, below.games) == (pytest.approx(met.los_score), 21)


@given(st.integers(0, 30), st.integers(0, 9), st.integers(0, 30))
@settings(deadline=None)
def test_counts_of_two_agents_agree_with_the_pairing_of_as_many_games(wins, draws, losses):
    if wins + draws + losses == 0:
        return
    met, [above, below] = pairing((losses, draws, wins)), rate_totals([Total("a", "b", wins, draws, losses)]).ratings
    low, high = (met.low, met.high) if above.agent == "a" else (met.high and -met.high, met.low and -met.low)
    assert (below.gap.low is None) == (low is None)
    assert sign(below.gap.low, below.gap.high) == sign(low, high)
    if low is not None and high is not None:
        assert (below.gap.low, below.gap.high) == pytest.approx((low, high), abs=1e-6)


@given(st.lists(st.tuples(POINTS, POINTS, POINTS, POINTS, POINTS, POINTS), min_size=1, max_size=14))
@settings(deadline=None, max_examples=50)
def test_in_a_pool_every_gap_agrees_with_its_superiority(openings):
    pairs = list(itertools.permutations("abc", 2))
    games = [
        PoolGame(*pair, str(o), made)
        for o, points in enumerate(openings)
        for pair, made in zip(pairs, points, strict=True)
    ]
    pool = rate(PoolResults.of(games))
    for one, two in itertools.permutations(range(3), 2):
        assert (pool.lows[one][two] > 1e-9) <= (pool.superiority[one][two] > 97.5 - 1e-6)
        assert (pool.lows[one][two] < -1e-9) <= (pool.superiority[one][two] < 97.5 + 1e-6)
        assert pool.superiority[one][two] + pool.superiority[two][one] == pytest.approx(100.0)
    for rating in pool.ratings[1:]:
        assert rating.gap_los >= 50.0 - 1e-9
