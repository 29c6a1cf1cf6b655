import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.elo import Z95, score_of
from arena.statistics.intervals import ONE_SIDED, Counts, equivalent, finite_population, fresh_needed, variance_at
from arena.statistics.pairing import pairing, pooled


def test_two_one_sided_tests_on_coin_flips_agree_with_wilsons():
    # With wins and losses alone each test is z = (p - p0) / sqrt(p0 (1 - p0) / n) against 1.645.
    edge = score_of(30.0)
    for wins in range(4900, 5400, 20):
        z = (wins / 10_000 - edge) / math.sqrt(edge * (1 - edge) / 10_000)
        other = (wins / 10_000 - (1 - edge)) / math.sqrt(edge * (1 - edge) / 10_000)
        assert equivalent(Counts((10_000 - wins, 0, wins)), 30.0) == (z < -1.6449 and other > 1.6449)


def test_few_games_show_neither_a_difference_nor_its_absence():
    found = pairing([1, 2, 4, 2, 1])
    assert (found.clear, found.level) == (False, False)
    assert not equivalent(Counts((0, 0, 1, 0, 0)), 30.0)


def test_a_wider_margin_is_easier_to_meet():
    counts = Counts((10, 20, 50, 20, 10))
    assert [equivalent(counts, margin) for margin in (5.0, 20.0, 40.0, 200.0)] == [False, False, True, True]


@given(st.lists(st.integers(0, 40), min_size=5, max_size=5).filter(any), st.sampled_from([10.0, 30.0, 60.0]))
def test_a_fresh_run_of_as_many_pairs_has_the_power_to_tell_the_margin_from_none(counts, margin):
    needed = fresh_needed(Counts(tuple(counts)), margin)
    assert fresh_needed(Counts(tuple(reversed(counts))), margin) == needed
    edge = score_of(margin) - 0.5
    for score in (0.5 - edge, 0.5, 0.5 + edge):  # normal theory, whatever the truth is
        error = math.sqrt(variance_at(Counts(tuple(counts)), score) / needed)
        power = 1.0 - normal(Z95 - edge / error)  # that of the side that is ahead to show
        both = 2.0 * normal(edge / error - ONE_SIDED) - 1.0  # of equals to be level
        assert power > 0.83
        assert both > 0.7999


def normal(deviations):
    return (1.0 + math.erf(deviations / math.sqrt(2.0))) / 2.0


def test_of_wins_and_losses_alone_as_many_are_needed_as_textbooks_have_it():
    # The sample size of two one-sided tests between equals: p (1 - p) (z(0.95) + z(0.9))^2 / margin^2, here with the
    # variance at one half, the largest.
    assert fresh_needed(Counts((50, 0, 50)), 30.0) == math.ceil(0.25 * (1.644854 + 1.281552) ** 2 / 0.0430707**2)
    assert fresh_needed(Counts((500, 0, 500)), 30.0) == fresh_needed(Counts((50, 0, 50)), 30.0)


@pytest.mark.parametrize("shape", [(0.20, 0.15, 0.30, 0.15, 0.20), (0.05, 0.10, 0.70, 0.10, 0.05)])
def test_a_fresh_run_after_an_unclear_one_errs_no_more_than_any(shape):
    random = np.random.default_rng(11)
    called = {"differ": 0, "level": 0, "runs": 0}
    for counts in random.multinomial(20, shape, size=400):
        if (needed := pairing(counts).more) is not None:
            fresh = pairing(random.multinomial(needed, shape))
            called["runs"] += 1
            called["differ"] += fresh.clear
            called["level"] += fresh.level
    assert called["differ"] / called["runs"] < 0.075
    assert called["level"] / called["runs"] > 0.75


def test_over_all_openings_only_equal_is_level():
    assert equivalent(Counts((0, 1, 200, 1, 0)), 30.0, shrink=0.0)
    assert not equivalent(Counts((0, 1, 200, 2, 0)), 30.0, shrink=0.0)


@pytest.mark.parametrize(
    ("margin", "population", "level"), [(20, None, False), (20, 130, True), (10, 130, False), (40, None, True)]
)
def test_of_openings_that_are_few_most_show_two_to_be_level_also_over_several_pairings(margin, population, level):
    counts, shares = [10, 20, 50, 20, 10], np.repeat([0.0, 0.25, 0.5, 0.75, 1.0], [10, 20, 50, 20, 10])
    one, whole = pairing(counts, population, margin), pooled(shares, population, margin)
    assert (one.level, one.more is None) == (level, level)
    fields = ("elo", "low", "high", "los_score", "score", "count", "basis", "level")
    assert [getattr(whole, name) for name in fields] == pytest.approx([getattr(one, name) for name in fields])


def test_no_more_are_needed_than_the_population_holds():
    counts = Counts((1, 2, 5, 2, 1))
    assert fresh_needed(counts, 30.0, population=20) <= 20
    assert fresh_needed(counts, 30.0, population=(8, 12)) == fresh_needed(counts, 30.0, population=20)
    endless = fresh_needed(counts, 30.0)
    for size in (*range(12, 200), 2000):  # as sure as so many of endless openings
        enough = fresh_needed(counts, 30.0, population=size)
        surer, less = (finite_population(n, size) ** 2 / n for n in (enough, enough - 1))
        assert surer <= 1 / (endless - 1)
        assert less >= 1 / endless
    assert pairing([1, 2, 5, 2, 1], population=11).more is None
    assert pairing([1, 2, 5, 2, 1], population=20).more == fresh_needed(counts, 30.0, population=20)
