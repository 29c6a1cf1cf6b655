import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics import sprt
from arena.statistics.elo import elo_of
from arena.statistics.intervals import Counts
from arena.statistics.pairing import pairing
from arena.statistics.sprt import MINIMUM_PAIRS, MODELS, Sprt, logistic, sprt_estimate


def test_the_estimate_after_a_stop_is_milder_than_the_plain_one():
    counts = [3, 5, 30, 14, 12]
    test = Sprt(0, 60, model="logistic")
    assert test.weigh(counts).decision == "H1"
    found, plain = sprt_estimate(test, counts), pairing(counts)
    assert 0.0 < found.value < plain.elo
    assert found.low < found.value < found.high
    wider = sprt_estimate(test, counts, 0.01)
    assert (wider.value, wider.low < found.low, wider.high > found.high) == (found.value, True, True)


@pytest.mark.parametrize("errors", [(0.05, 0.05), (0.01, 0.2), (0.2, 0.01)])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_a_match_stopped_at_the_other_bound_is_the_mirror_image(errors, alpha):
    counts, wide, turned = [3, 5, 30, 14, 12], Sprt(-30, 30, *errors), Sprt(-30, 30, *errors[::-1])
    won, lost = sprt_estimate(wide, counts, alpha), sprt_estimate(turned, counts[::-1], alpha)
    assert (lost.value, lost.low, lost.high) == pytest.approx((-won.value, -won.high, -won.low), abs=1e-6)


@pytest.mark.parametrize(
    "counts", [[1, 2, 20, 2, 1], [0, 0, 0, 0, 10], [0, 0, 40]], ids=["undecided", "at the first pair", "games"]
)
def test_where_the_time_of_stopping_tells_nothing_there_is_no_estimate(counts):
    assert sprt_estimate(Sprt(0, 60), counts) is None


@pytest.mark.parametrize("counts", [(1, 0, 0, 0, 400), (300, 3, 0, 0, 1)])
def test_where_nearly_every_point_was_made_by_one_side_the_stop_tells_nothing_either(counts):
    for numbers in (counts, counts[::-1]):
        assert Sprt(0, 30).weigh(numbers).decision != "continue"
        assert sprt_estimate(Sprt(0, 30), numbers) is None


def test_a_match_decided_at_the_first_pair_at_which_it_may_be_tells_nothing_and_one_pair_later_it_does():
    assert sprt_estimate(Sprt(0, 150), [0, 0, 4, 1, 5]) is None
    assert sprt_estimate(Sprt(0, 150), [0, 0, 4, 2, 5]).value > 100


@pytest.mark.simulation
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


@pytest.mark.simulation
@pytest.mark.parametrize("model", ["logistic", pytest.param("normalized", marks=pytest.mark.slow)])
def test_estimate_and_ends_are_the_strengths_at_which_a_stop_so_soon_has_their_chances(model):
    counts, pairs = np.array([3, 5, 30, 14, 12]), 64
    test, made = Sprt(0, 60, 0.05, 0.1, model), counts @ np.arange(5)
    found = sprt_estimate(test, counts)
    random, walks = np.random.default_rng(6), 1500 if model == "logistic" else 300
    for elo, chance in ((found.value, 0.5), (found.low, 0.025), (found.high, 0.975)):
        results = random.choice(5, size=(walks, pairs), p=MODELS["logistic"](counts / pairs, elo))
        reached = (results[..., None] == np.arange(5)).cumsum(axis=1)[:, MINIMUM_PAIRS - 1 :].astype(float)
        ratios = test.ratios(reached)
        over, under = ratios[:, :-1] >= test.upper, ratios[:, :-1] <= test.lower
        first = [np.where(each.any(axis=1), each.argmax(axis=1), pairs) for each in (over, under)]
        points = reached[:, -1] @ np.arange(5)
        last = (np.minimum(*first) == pairs) * ((points > made) + 0.5 * (points == made))
        share = ((first[0] < first[1]) + last).mean()
        assert share == pytest.approx(chance, abs=0.01 + 3 * (chance * (1 - chance) / walks) ** 0.5)


@pytest.fixture
def replayed(monkeypatch):
    """A function that returns the estimate of a match that is replayed in at most so many steps, and not remembered."""

    def estimate(test, counts, steps):
        monkeypatch.setattr(sprt, "_LONG", steps)
        sprt._deviations.cache_clear()
        interval = sprt_estimate(test, counts)
        return interval.value, interval.low, interval.high

    yield estimate
    sprt._deviations.cache_clear()


def test_a_long_match_in_longer_steps_is_as_the_same_pair_by_pair(replayed):
    test, counts = Sprt(0, 15, model="logistic"), [30, 90, 470, 130, 67]
    assert test.weigh(counts).decision == "H1"
    assert replayed(test, counts, 200) == pytest.approx(replayed(test, counts, 1000), abs=1.0)


@pytest.mark.parametrize("steps", [200, 500])
def test_a_long_match_that_has_just_crossed_its_bound_is_as_the_same_pair_by_pair(replayed, steps):
    test, counts = Sprt(0, 20, model="logistic"), (60, 140, 270, 150, 92)
    assert (test.weigh(counts).decision, 0.0 < test.weigh(counts).llr - test.upper < 0.1) == ("H1", True)
    assert replayed(test, counts, steps) == pytest.approx(replayed(test, counts, 1000), abs=0.3)


def test_a_match_in_longer_steps_may_stop_after_ten_pairs_too(monkeypatch):
    test, counts = Sprt(0, 60, 0.3, 0.3, "logistic"), Counts((6, 16, 60, 20, 18))
    scores = np.array([0.45, 0.5, 0.53, 0.56])
    pair_by_pair = sprt._chances(test, counts, scores)
    monkeypatch.setattr(sprt, "_LONG", 20)
    assert sprt._chances(test, counts, scores) == pytest.approx(pair_by_pair, abs=0.03)


def slow_chances(test, counts, scores):
    """Return the chances to stop at the upper bound as `counts` did or sooner, from all sums of points that may be."""
    sample, made = np.array(counts.numbers) / counts.total, counts.numbers @ np.arange(5)
    ends = [logistic(sample, elo_of(score)) for score in scores]
    going, stopped = {0: np.ones(len(scores))}, np.zeros(len(scores))
    for pairs in range(1, counts.total + 1):
        reached = {points: np.zeros(len(scores)) for points in range(4 * pairs + 1)}
        for points, chances in going.items():
            for more in range(5):
                reached[points + more] += chances * [share[more] for share in ends]
        going = reached
        if pairs == counts.total:
            return stopped + sum((reached[points] for points in reached if points > made), start=reached[made] / 2)
        if pairs >= MINIMUM_PAIRS:
            so_far = [min(max(points / (4 * pairs), 1e-4), 1 - 1e-4) for points in reached]
            ratios = test.ratios(pairs * np.array([logistic(sample, elo_of(score)) for score in so_far]))
            stopped += sum(reached[points] for points, ratio in enumerate(ratios) if ratio >= test.upper)
            going = {points: reached[points] for points, ratio in enumerate(ratios) if test.lower < ratio < test.upper}
    return stopped


@pytest.mark.parametrize(("counts", "bounds"), [
    ((1, 2, 4, 3, 2), (0.3, 0.3)), ((3, 3, 5, 2, 2), (0.05, 0.4)), ((1, 2, 4, 3, 2), (0.4, 0.05)),
])  # fmt: skip
def test_chances_are_those_of_all_ways_on_which_a_match_may_stop_from_the_tenth_pair_on(counts, bounds):
    test, scores = Sprt(-20, 80, *bounds, "logistic"), np.array([0.3, 0.45, 0.55, 0.7])
    expected = slow_chances(test, Counts(counts), scores)
    assert sprt._chances(test, Counts(counts), scores) == pytest.approx(expected, abs=1e-6)


def test_of_a_match_that_cannot_stop_sooner_as_many_points_count_half():
    test, counts, scores = Sprt(0, 60, 1e-9, 1e-9, "logistic"), Counts((1, 2, 4, 3, 2)), np.array([0.4, 0.5, 0.6])
    for score, chance in zip(scores, sprt._chances(test, counts, scores), strict=True):
        points = np.polynomial.polynomial.polypow(logistic(np.array(counts.numbers) / 12, elo_of(score)), 12)
        assert chance == pytest.approx(points[28:].sum() + points[27] / 2)
