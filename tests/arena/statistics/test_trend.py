import numpy as np
import pytest

from agents.errors import InputError
from arena.statistics.trend import elo_per_doubling, elo_per_ply, weighted_line


def test_points_on_a_line_give_its_slope_and_intercept():
    found = elo_per_ply([2, 3, 4, 6], [10.0, 70.0, 130.0, 250.0], [5.0, 9.0, 7.0, 3.0])
    assert (found.slope, found.intercept, found.points) == (pytest.approx(60), pytest.approx(-110), 4)


def test_doublings_are_counted_in_binary_logarithms_of_the_nodes():
    found = elo_per_doubling([100, 200, 800], [0.0, 40.0, 120.0], [5.0, 5.0, 5.0])
    assert found.slope == pytest.approx(40)
    assert elo_per_doubling([1, 2], [0.0, 10.0], [5.0, 5.0]).slope == pytest.approx(10)  # one node is a leaf


def test_the_slopes_error_is_that_of_weighted_least_squares():
    x, errors = np.array([1.0, 2.0, 4.0, 5.0, 7.0]), np.array([10.0, 20.0, 15.0, 12.0, 30.0])
    y = 30 * x + np.array([3.0, -6.0, 4.0, 1.0, -9.0])
    found = weighted_line(list(x), list(y), list(errors))
    (slope, intercept), covariance = np.polyfit(x, y, 1, w=1 / errors, cov="unscaled")
    assert (found.slope, found.intercept) == (pytest.approx(slope), pytest.approx(intercept))
    assert found.slope_error == pytest.approx(covariance[0, 0] ** 0.5)


def test_scatter_beyond_the_errors_widens_the_slopes_error():
    x, y, errors = [1.0, 2.0, 3.0, 4.0], [0.0, 100.0, 50.0, 200.0], [5.0, 5.0, 5.0, 5.0]
    found = weighted_line(x, y, errors)
    _, covariance = np.polyfit(x, y, 1, w=[0.2] * 4, cov=True)
    assert found.slope_error == pytest.approx(covariance[0, 0] ** 0.5)


def test_ratings_that_are_facts_have_a_slope_without_error():
    found = weighted_line([1.0, 2.0, 4.0], [0.0, 30.0, 90.0], [0.0, 0.0, 0.0])
    assert (found.slope, found.slope_error, found.bend) == (pytest.approx(30), 0.0, None)
    bent = weighted_line([1.0, 2.0, 3.0], [0.0, 30.0, 40.0], [0.0, 0.0, 0.0])
    assert bent.bend == pytest.approx((40.0, 0.0))


def test_two_points_give_a_slope_with_the_error_of_their_difference():
    found = weighted_line([1.0, 3.0], [0.0, 100.0], [30.0, 40.0])
    assert (found.slope, found.slope_error) == (pytest.approx(50), pytest.approx(25))


@pytest.mark.parametrize(
    ("nodes", "errors", "message"),
    [
        ([100, 100], [1.0, 1.0], "two or more places"),
        ([100], [1.0], "two or more places"),
        ([0, 100], [1.0, 1.0], "visited nodes"),
        ([100, 200], [0.0, 1.0], "errors above 0"),
    ],
)
def test_what_has_no_slope_is_refused(nodes, errors, message):
    with pytest.raises(InputError, match=message):
        elo_per_doubling(nodes, [0.0, 10.0][: len(nodes)], errors)


def test_a_curve_is_told_by_its_slopes_at_both_ends():
    depths = [2.0, 3.0, 4.0, 5.0, 6.0]
    found = elo_per_ply(depths, [200 - 10 * (7 - depth) ** 2 for depth in depths], [8.0] * 5)
    assert found.bend == pytest.approx((100.0, 20.0))
    assert found.slope == pytest.approx(60.0)


def test_what_may_as_well_be_straight_has_no_bend():
    depths, wiggle = [2.0, 3.0, 4.0, 5.0, 6.0], [4.0, -6.0, 0.0, 5.0, -3.0]
    assert elo_per_ply(depths, [50 * d + w for d, w in zip(depths, wiggle, strict=True)], [8.0] * 5).bend is None
    assert weighted_line([1.0, 3.0], [0.0, 100.0], [1.0, 1.0]).bend is None


def test_a_parabola_within_its_errors_is_called_bent_one_time_in_twenty():
    random = np.random.default_rng(3)
    bent = [
        weighted_line([1.0, 2.0, 3.0, 4.0], list(40.0 * np.arange(4) + random.normal(0, 10, 4)), [10.0] * 4).bend
        for _ in range(1000)
    ]
    assert 0.03 < np.mean([each is not None for each in bent]) < 0.07
