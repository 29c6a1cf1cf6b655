"""A rating among opponents of fixed ratings."""

import math

import pytest

from arena.statistics.anchored import anchored_rating
from arena.statistics.elo import score_of


def likelihood(elo: float, points: list[float], opponents: list[float]) -> float:
    """Return the log-likelihood of Elo, a draw being half a win and half a loss."""
    chances = [score_of(elo - each) for each in opponents]
    return sum(won * math.log(p) + (1 - won) * math.log(1 - p) for won, p in zip(points, chances, strict=True))


def test_the_rating_is_where_the_likelihood_is_greatest() -> None:
    points, opponents = [1, 0.5, 0, 1, 1, 0, 0.5, 1], [0, 300, 800, 0, 300, 800, 500, 500]
    found = anchored_rating(points, opponents, [0, 0, 0, 1, 1, 1, 2, 2])
    best = likelihood(found.value, points, opponents)
    assert best > likelihood(found.value - 0.5, points, opponents)
    assert best > likelihood(found.value + 0.5, points, opponents)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.value == pytest.approx(found.value - found.low)


def test_three_of_four_points_are_191_elo_and_equal_openings_leave_no_error() -> None:
    found = anchored_rating([1, 0.5, 1, 0.5], [1000.0] * 4, ["a", "a", "b", "b"])
    assert found.value == pytest.approx(1190.8, abs=0.1)
    assert found.low == pytest.approx(found.value)


def test_an_interval_grows_where_the_games_of_an_opening_are_alike() -> None:
    points, opponents = [1, 1, 0, 0, 1, 1, 0, 1], [0.0] * 8
    alone, together = (anchored_rating(points, opponents, o) for o in (list(range(8)), [0, 0, 1, 1, 2, 2, 3, 3]))
    assert together.value == alone.value
    assert together.high is not None
    assert alone.high is not None
    assert together.high > alone.high


def test_all_points_won_leave_the_interval_open_above_and_the_rating_finite() -> None:
    found = anchored_rating([1, 1, 1, 1], [0, 0, 400, 400], [0, 0, 1, 1])
    assert found.high is None
    assert 400 < found.value < 2000


def test_openings_go_by_their_whole_names() -> None:
    points, opponents = [1, 0.5, 0, 1, 1, 0], [0, 300, 800, 0, 300, 800]
    long = anchored_rating(points, opponents, ["11", "12", "12", "21", "1", "11"])
    assert long == anchored_rating(points, opponents, [11, 12, 12, 21, 1, 11])
    assert long == anchored_rating(points, opponents, list("abbcda"))
