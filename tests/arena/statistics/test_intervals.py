import itertools
import math

import numpy as np
import pytest

from agents.errors import InputError
from arena.records import Interval
from arena.statistics.intervals import Counts, finite_population, normal_interval, score_interval

SHAPES = {
    "even and wide": (0.20, 0.15, 0.30, 0.15, 0.20),
    "mostly one game each": (0.05, 0.10, 0.70, 0.10, 0.05),
    "clearly ahead": (0.02, 0.05, 0.25, 0.20, 0.48),
    "without draws": (0.10, 0.00, 0.55, 0.00, 0.35),
    "far ahead": (0.00, 0.02, 0.10, 0.15, 0.73),
    "a little ahead": (0.10, 0.10, 0.40, 0.15, 0.25),
}
"""Shares of LL, LD, WL + DD, WD and WW as tournaments of Connect Four agents show them."""


def covered(interval, pairs, shape, samples):
    """Return the share of matches of so many pairs whose interval holds the true score."""
    truth = sum(share * score for share, score in zip(shape, (0, 0.25, 0.5, 0.75, 1), strict=True))
    drawn = np.random.default_rng(4).multinomial(pairs, shape, size=samples)
    kinds, often = np.unique(drawn, axis=0, return_counts=True)
    held = [low <= truth <= high for low, high in (interval(Counts.of(list(kind))) for kind in kinds)]
    return float(often @ held) / samples


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pairs", [10, 25])
def test_a_score_interval_of_few_pairs_holds_the_truth_as_often_as_it_says(shape, pairs):
    assert covered(score_interval, pairs, SHAPES[shape], 700) >= 0.93


def test_on_average_the_coverage_of_score_intervals_is_near_95_of_100():
    shares = [covered(score_interval, pairs, shape, 250) for pairs in (15, 45) for shape in SHAPES.values()]
    assert 0.94 <= np.mean(shares) <= 0.975


def test_a_normal_interval_of_ten_pairs_holds_the_truth_too_seldom():
    shares = [covered(normal_interval, 10, SHAPES[name], 800) for name in ("clearly ahead", "far ahead")]
    assert max(shares) < 0.91


def test_from_fifty_pairs_on_a_normal_interval_is_good_enough():
    assert covered(normal_interval, 50, SHAPES["a little ahead"], 800) > 0.93


def test_of_many_games_score_and_normal_intervals_are_the_same():
    counts = Counts((30_000, 40_000, 35_000))
    assert score_interval(counts) == pytest.approx(normal_interval(counts), abs=1e-6)


def test_of_games_without_draws_the_score_interval_is_wilsons():
    wins, games, z = 14, 20, 1.959963984540054
    centre = (wins + z * z / 2) / (games + z * z)
    margin = z / (games + z * z) * math.sqrt(wins * (games - wins) / games + z * z / 4)
    found = score_interval(Counts((games - wins, 0, wins)))
    assert found == pytest.approx((centre - margin, centre + margin), abs=1e-3)  # a draw may still come, says 1e-3


def test_a_score_interval_stays_on_the_scale():
    for counts in itertools.product(range(4), repeat=3):
        if any(counts):
            low, high = score_interval(Counts(counts))
            assert 0 <= low <= Counts(counts).mean <= high <= 1
            assert (low == 0) == (counts[1] == counts[2] == 0)
            assert (high == 1) == (counts[0] == counts[1] == 0)


def test_all_of_a_finite_population_leave_nothing_open():
    assert finite_population(25, 25) == 0
    assert finite_population(1, 1) == 0
    assert finite_population(1, 25) == finite_population(1, 2) == 1
    assert finite_population(30, (25, 25)) == pytest.approx((10 / 24) ** 0.5)
    assert finite_population(10, (14, 5)) == pytest.approx((9 / 13 / 2) ** 0.5)  # all of the rarer kind: half is known
    assert finite_population(28, (14, 14)) == 0
    assert finite_population(11, (6, 5)) == pytest.approx((0.5 / 5 / 2) ** 0.5)  # the larger kind gave one more
    for drawn, population in ((26, 25), (12, (14, 5))):
        with pytest.raises(InputError, match="there are only"):
            finite_population(drawn, population)
    assert score_interval(Counts((3, 4, 5)), shrink=0.0) == pytest.approx((7 / 12, 7 / 12), abs=1e-3)


def test_an_interval_in_another_unit_keeps_its_ends_and_those_that_are_open():
    ends = {(0.0, 3.0): (0.0, 6.0), (-1.0, 0.0): (-2.0, 0.0), (None, 0.5): (None, 1.0), (0.25, None): (0.5, None)}
    for (low, high), scaled in ends.items():
        assert Interval(0.0, low, high).scaled(2.0) == Interval(0.0, *scaled)
    assert Interval(1.5, None, None).scaled(1000.0) == Interval(1500.0, None, None)
