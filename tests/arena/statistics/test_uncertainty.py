import math

import numpy as np
import pytest

from arena.statistics import bradley_terry
from arena.statistics.bradley_terry import estimate
from arena.statistics.pool import Played, Result, table_of
from arena.statistics.ratings import Measured, bootstrap

PLAIN = Measured.by_information(np.array([1.0, 0.0, -1.0, 0.5]), np.diag([4.0, 4.0, 4.0, 1.0]))
NOBODY = np.zeros(3, dtype=bool)


def drawn(openings):
    """Return resamples of three strengths and the advantage; the third agent's is always the same."""
    random = np.random.default_rng(openings)
    return np.array([1.0, 0.0, -1.0, 0.5]) + random.normal(0, [0.3, 0.2, 0.0, 0.1], size=(50_000, 4))


def test_differences_among_resamples_are_widened_by_the_root_of_openings_over_one_less():
    found = PLAIN.by_resampling(drawn(10), 10, 1, NOBODY)
    assert found.differences[0, 1] == pytest.approx(math.sqrt(10 / 9 * (0.3**2 + 0.2**2)), rel=0.01)


def test_what_does_not_vary_and_who_is_fixed_keep_their_errors():
    found = PLAIN.by_resampling(drawn(10), 10, 1, NOBODY)
    assert found.differences[0, 2] == pytest.approx(0.3 * math.sqrt(10 / 9), rel=0.02)
    assert found.differences[0, 0] == 0.0
    assert (found.lows[2], found.highs[2]) == (PLAIN.lows[2], PLAIN.highs[2])
    assert found.highs[0] < PLAIN.highs[0]
    fixed = PLAIN.by_resampling(drawn(10), 10, 1, np.array([True, False, False]))
    assert fixed.differences[0, 1] == PLAIN.differences[0, 1]
    assert (fixed.lows[0], fixed.lows[1]) == (PLAIN.lows[0], found.lows[1])


def test_percentiles_are_set_apart_as_far_as_student_asks():
    found = PLAIN.by_resampling(drawn(10), 10, 1, NOBODY)
    assert found.highs[0] - 1.0 == pytest.approx(0.3 * math.sqrt(10 / 9) * 2.262157, rel=0.03)  # t(9)


def test_each_resample_draws_as_many_openings_as_there_are():
    points = {"1": 1.0, "2": 0.0}
    table = table_of(
        Played.of(Result("a", "b", opening, each) for opening, first in points.items() for each in (first, first, 0.5))
    )
    found = bootstrap(table, np.zeros(3), 400, 0, advantage=False)[:, 0]
    kinds, often = np.unique(found.round(9), return_counts=True)
    assert len(kinds) == 3  # both the first, one of each, both the second
    assert often / 400 == pytest.approx([0.25, 0.5, 0.25], abs=0.07)


def test_a_fit_that_has_not_arrived_is_held_by_virtual_draws(monkeypatch):
    points, games = np.array([[[0.0, 36.0], [4.0, 0.0]]]), np.array([[[0.0, 40.0], [40.0, 0.0]]])
    start = np.array([-7.0, 7.0, 4.0])
    assert not estimate(points, games, start, games[0], advantage=True)[1][0]
    monkeypatch.setattr(bradley_terry, "_STEPS", 2)
    assert estimate(points, games, start, games[0], advantage=True)[1][0]


def test_openings_of_two_kinds_are_drawn_again_within_their_kind():
    points = {"1": 1.0, "2": 0.5, "3": 0.0, "4": 0.0}
    games = [Result("a", "b", opening, first) for opening, first in points.items() for _ in range(2)]
    strata = {"1": "won", "2": "won", "3": "lost", "4": "lost"}
    apart, together = (
        bootstrap(table_of(Played.of(games), kinds), np.zeros(3), 400, 0, advantage=False)[:, 0]
        for kinds in (strata, None)
    )
    assert len(np.unique(apart.round(9))) == 3  # the lost ones make no difference
    assert np.ptp(apart) < np.ptp(together)


def test_what_pulls_openings_of_one_kind_alike_is_no_error():
    influence = np.array([[0.3, -0.3, 0.0, 0.2], [-0.3, 0.3, 0.0, 0.1], [0.3, -0.3, 0.0, 0.2], [-0.3, 0.3, 0.0, 0.1]])
    kinds = [np.array([0, 2]), np.array([1, 3])]
    influence[0, 3] += 0.1
    known = PLAIN.by_openings(influence, kinds, NOBODY)
    error = math.sqrt(2 * 2 * 0.05**2)  # the advantage's: two within one kind, 0.05 off their mean
    assert known.highs[3] - 0.5 == pytest.approx(4.302653 * error, rel=1e-6)  # t(4 - 2)
    assert known.freedom == 2
    assert known.differences[0, 1] == PLAIN.differences[0, 1]


def test_a_kind_of_which_one_opening_was_played_is_not_told_apart():
    games = [Result("a", "b", opening, 1.0) for opening in "123"]
    [places] = table_of(Played.of(games), {"1": 0, "2": 1, "3": 0}).strata
    assert list(places) == [0, 1, 2]
    assert [list(kind) for kind in table_of(Played.of(games * 2), {"1": 0, "2": 0, "3": 0}).strata] == [[0, 1, 2]]


def test_a_gap_has_the_interval_and_the_superiority_of_one_distribution():
    influence = np.array([[0.1, -0.1, 0.0, 0.0], [-0.2, 0.2, 0.0, 0.1], [0.3, -0.3, 0.0, -0.1]])
    found = PLAIN.by_openings(influence, [np.arange(len(influence))], NOBODY)
    error = math.sqrt(3 / 2 * (0.2**2 + 0.4**2 + 0.6**2))  # of one kind pulls are taken as they are, not off their mean
    ahead, low, high, los = found.ahead(0, 1)
    assert ahead == 1.0
    assert (low, high) == pytest.approx((1 - 4.302653 * error, 1 + 4.302653 * error), rel=1e-6)  # t(2)
    ratio = 1 / error
    assert los == pytest.approx(100 * (0.5 + ratio / (2 * math.sqrt(2 + ratio**2))))  # t(2) in closed form
