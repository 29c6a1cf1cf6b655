import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics.pairing import pairing
from arena.statistics.sprt import Sprt, exit_by, sprt_estimate


def test_a_motion_leaves_by_either_end_as_often_as_a_walk_of_small_steps():
    random, step, walks = np.random.default_rng(5), 0.005, 4000
    near, far, drift, time = 1.0, -2.0, 0.5, 1.0
    path = np.cumsum(drift * step + random.normal(0.0, step**0.5, (walks, int(time / step))), axis=1)
    inward = 0.5826 * step**0.5  # a walk is looked at between its steps, too
    up, down = (path > near - inward), (path < far + inward)
    first_up = np.where(up.any(axis=1), up.argmax(axis=1), 10**6)
    first_down = np.where(down.any(axis=1), down.argmax(axis=1), 10**6)
    assert exit_by(time, near, far, drift) == pytest.approx((first_up < first_down).mean(), abs=0.025)


def test_in_the_end_a_motion_leaves_as_the_gambler_is_ruined():
    assert exit_by(200.0, 2.0, -1.0, 0.0) == pytest.approx(1 / 3, abs=1e-3)
    up = (1 - np.exp(2 * 0.4)) / (1 - np.exp(2 * 0.4 * 3)) * np.exp(2 * 0.4 * 2)  # Wald's identity, from 1 above far
    assert exit_by(200.0, 2.0, -1.0, 0.4) == pytest.approx(up, abs=1e-6)


def test_the_estimate_after_a_stop_is_milder_than_the_plain_one():
    counts = [3, 5, 30, 14, 12]
    test = Sprt(0, 60, model="logistic")
    assert test.weigh(counts).decision == "H1"
    found, plain = sprt_estimate(test, counts), pairing(counts)
    assert 0.0 < found.value < plain.elo
    assert found.low < found.value < found.high


def test_a_match_stopped_at_the_other_bound_is_the_mirror_image():
    counts = [3, 5, 30, 14, 12]
    won, lost = sprt_estimate(Sprt(-30, 30), counts), sprt_estimate(Sprt(-30, 30), counts[::-1])
    assert (lost.value, lost.low, lost.high) == pytest.approx((-won.value, -won.high, -won.low), abs=1e-6)


@pytest.mark.parametrize(
    "counts", [[1, 2, 20, 2, 1], [0, 0, 0, 0, 10], [0, 0, 40]], ids=["undecided", "at the first pair", "games"]
)
def test_where_the_time_of_stopping_tells_nothing_there_is_no_estimate(counts):
    assert sprt_estimate(Sprt(0, 60), counts) is None


def test_a_match_decided_at_the_first_pair_at_which_it_may_be_tells_nothing_and_one_pair_later_it_does():
    assert sprt_estimate(Sprt(0, 150), [0, 0, 4, 1, 5]) is None
    assert sprt_estimate(Sprt(0, 150), [0, 0, 4, 2, 5]).value > 100


@given(
    st.lists(st.one_of(st.integers(0, 60), st.integers(0, 10**6)), min_size=5, max_size=5).filter(any),
    st.sampled_from([(0, 60), (-30, 0), (0, 1e-3), (-2000, 2000), (100, 101)]),
    st.sampled_from(["logistic", "normalized"]),
)
@settings(deadline=None)
def test_any_counts_give_numbers_in_order_or_none(counts, hypotheses, model):
    found = sprt_estimate(Sprt(*hypotheses, model=model), counts)
    if found is not None:
        low, high = (-math.inf if found.low is None else found.low), (math.inf if found.high is None else found.high)
        assert math.isfinite(found.value)
        assert low <= found.value <= high


def leaves(time, near, far, drift):
    """Return the same chance from the other series for it, by frequencies instead of images."""
    width, start = near - far, -far
    order = np.arange(1, 400)
    rates = (drift**2 + (order * math.pi / width) ** 2) / 2.0
    terms = order * (-1.0) ** (order + 1) * np.sin(order * math.pi * start / width) * np.exp(-rates * time) / rates
    ever = math.sinh(drift * start) / math.sinh(drift * width) if drift else start / width
    return math.exp(drift * near) * (ever - math.pi / width**2 * terms.sum())


@pytest.mark.parametrize("drift", [-0.7, 0.0, 0.4, 2.0])
@pytest.mark.parametrize(("time", "near", "far"), [(0.5, 1.0, -2.0), (3.0, 1.0, -2.0), (8.0, 2.5, -0.5)])
def test_the_chance_to_leave_in_time_is_that_of_the_other_series(time, near, far, drift):
    assert exit_by(time, near, far, drift) == pytest.approx(leaves(time, near, far, drift), abs=1e-9)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_estimate_and_ends_are_the_strengths_at_which_a_stop_so_soon_has_their_chances(model):
    numbers = [3, 5, 30, 14, 12]
    made = np.repeat([0.0, 0.25, 0.5, 0.75, 1.0], numbers)
    deviation = made.std()
    reach = 1 / (1 + 10 ** (-60 / 400)) - 0.5 if model == "logistic" else 60 / (800 / math.log(10)) * 2**0.5 * deviation
    step = reach / deviation
    upper, lower = math.log(0.9 / 0.05) / step + 0.5826, math.log(0.1 / 0.95) / step - 0.5826
    test = Sprt(0, 60, 0.05, 0.1, model)
    for counts, side, near, far in ((numbers, 1, upper, lower), (numbers[::-1], -1, -lower, -upper)):
        found = sprt_estimate(test, counts)
        for elo, chance in ((found.value, 0.5), (found.low, 0.5 - side * 0.475), (found.high, 0.5 + side * 0.475)):
            drift = side * (1 / (1 + 10 ** (-elo / 400)) - 0.5 - reach / 2) / deviation
            assert exit_by(64, near, far, drift) == pytest.approx(chance, abs=1e-4)
