import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records import Interval
from arena.statistics.intervals import Counts, score_interval
from arena.statistics.means import (
    gain_interval,
    mean_interval,
    median_interval,
    ratio_of_sums,
    search_cost,
    time_ratio,
    typical_time,
)

NUMBERS = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=60)


def test_the_mean_of_few_values_has_students_interval():
    # Student, "The probable error of a mean" (1908): hours of sleep gained by ten patients; t(9) = 2.262
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    found = mean_interval(gained)
    assert found.value == pytest.approx(1.58)
    assert (found.low, found.high) == pytest.approx((1.58 - 0.880, 1.58 + 0.880), abs=5e-4)
    surer = mean_interval(gained, alpha=0.01)  # t(9) = 3.250
    assert (surer.low, surer.high) == pytest.approx((1.58 - 1.264, 1.58 + 1.264), abs=5e-4)


def test_a_trimmed_mean_has_the_spread_that_tukey_and_mclaughlin_give_it():
    values = [float(number**2) for number in range(20)]  # one is cut at either end, so 18 are left
    tamed = [1.0, *values[1:-1], values[-2]]
    error = np.std(tamed, ddof=1) / (0.9 * math.sqrt(20))
    found = mean_interval(values, trim=0.05)
    assert found.value == pytest.approx(np.mean(values[1:-1]))
    assert found.high - found.value == pytest.approx(2.10982 * error, rel=1e-5)  # t(17)


def test_one_pause_of_the_machine_moves_a_typical_time_little():
    seconds = [0.010 + 0.001 * (place % 7) for place in range(60)]
    paused = [*seconds[:-1], 30.0]
    assert typical_time(paused).value == pytest.approx(typical_time(seconds).value, rel=0.01)
    assert typical_time(paused).high < 0.02


def test_repeating_every_value_within_its_group_narrows_nothing():
    values = [1.0, 2.0, 4.0, 7.0, 3.0]
    alone = mean_interval(values)
    repeated = mean_interval([value for value in values for _ in range(8)], [g for g in "abcde" for _ in range(8)])
    assert (repeated.low, repeated.high) == pytest.approx((alone.low, alone.high))


def test_one_group_tells_nothing_of_others_and_all_of_a_population_leave_nothing_open():
    assert mean_interval([]) is None
    one = mean_interval([1.0, 2.0, 3.0], ["a"] * 3)
    assert (one.value, one.low, one.high) == (2.0, None, None)
    exact = mean_interval([1.0, 2.0, 3.0], shrink=0.0)
    assert (exact.low, exact.high) == (2.0, 2.0)


@given(NUMBERS, st.floats(0.0, 0.4))
def test_the_mean_lies_in_its_interval(values, trim):
    found = mean_interval(values, trim=trim)
    assert found.low <= found.value <= found.high


def test_a_ratio_of_times_is_that_of_the_same_positions():
    two = [random.Random(place).expovariate(1.0) for place in range(40)]
    ratio = time_ratio([1.5 * seconds for seconds in two], two)
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((1.5, 1.5, 1.5))
    turned = time_ratio(two, [1.5 * seconds for seconds in two])
    assert turned.value == pytest.approx(1 / 1.5)
    paused = [1.5 * seconds for seconds in two[:-2]] + [9e3, 9e3]
    assert time_ratio(paused, two).high == pytest.approx(1.5)
    assert time_ratio(paused, two).value == pytest.approx(1.5)
    short = [1.5 * seconds for seconds in two[:-2]] + [1e-9, 1e-9]
    assert (time_ratio(short, two).value, time_ratio(short, two).low) == pytest.approx((1.5, 1.5))
    some = time_ratio([8.0, 2.0, 0.0, 5.0], [2.0, 8.0, 1.0, 0.0])  # what took no time is left out
    assert (some.value, some.low * some.high) == pytest.approx((1.0, 1.0))
    assert time_ratio([3.0], [2.0]) == Interval(pytest.approx(1.5), None, None)
    assert time_ratio([0.0], [1.0]) is time_ratio([1.0], [0.0]) is None
    with pytest.raises(ValueError, match="longer"):
        time_ratio([1.0], [1.0, 2.0])


def test_a_gain_that_varies_has_the_interval_of_its_openings():
    gains, openings = [1.0, 0.0, 0.5, 0.0, -0.5, 0.5], list("aabbcc")
    assert gain_interval(gains, openings) == mean_interval(gains, openings)
    assert gain_interval([], []) is None
    few = gain_interval([1.0, -0.5], list("ab"))
    assert (few.value, few.low, few.high) == (0.25, -1.0, 1.0)  # no gain is beyond the points of a game
    assert mean_interval([1.0, -0.5], list("ab")).low < -1.0
    assert gain_interval(gains, openings, 0.5) == mean_interval(gains, openings, shrink=0.5)


def test_a_gain_without_spread_leaves_open_what_the_score_test_does():
    found = gain_interval([0.0] * 24, [place // 2 for place in range(24)])
    low, high = score_interval(Counts((0, 0, 12, 0, 0)))
    assert (found.value, found.low, found.high) == (0.0, 2 * low - 1, 2 * high - 1)
    assert found.low < -0.1
    some = gain_interval([0.0] * 24, [place // 2 for place in range(24)], 0.5)
    assert (some.low + 1, some.high + 1) == pytest.approx(
        [2 * end for end in score_interval(Counts((0, 0, 12, 0, 0)), 0.5)]
    )
    lost = gain_interval([-1.0] * 6, list("abcdef"))
    assert (lost.value, lost.low) == (-1.0, -1.0)
    assert -1.0 < lost.high < 0.0
    assert gain_interval([0.0] * 4, list("abcd"), shrink=0.0).high == 0.0


def test_the_median_lies_between_values_that_hold_that_of_all_others():
    values = [9.0, 1.0, 8.0, 2.0, 7.0, 3.0]
    assert median_interval(values) == Interval(5.0, 1.0, 9.0), "six: the ends miss it once in 32"
    assert median_interval(range(17)) == Interval(8.0, 4.0, 12.0), "the fifth from either end, by the binomial"
    assert median_interval([4.0, 2.0]) == Interval(3.0, None, None)
    assert median_interval([]) is None


def test_nodes_time_and_nodes_a_second_of_searches_compute_also_where_the_machine_paused():
    nodes = [100.0 * place for place in range(1, 41)]
    seconds = [count / 1e6 for count in nodes]
    paused = [*seconds[:-1], 9.0]
    for spent in (seconds, [*seconds[:-1], 0.0], paused):
        cost = search_cost(nodes, spent)
        assert (cost.nodes, cost.seconds.value) == pytest.approx((2050.0, 0.00205)), "a dear search is no pause"
        assert cost.nodes_per_second == pytest.approx(cost.nodes / cost.seconds.value)
    plain = mean_interval(seconds)
    assert (cost.seconds.low, cost.seconds.high) == pytest.approx((plain.low, plain.high))
    for extremes in ([0.0, 0.0, 50.0, 50.0], [0.0, 0.5, 50.0, 2.0]):
        assert search_cost([100.0] * 40, [*extremes, *[1.0] * 36]).seconds == Interval(1.0, 1.0, 1.0)
    few = search_cost([100.0, 600.0], [1.0, 2.0])
    assert (few.nodes, few.seconds.value, few.nodes_per_second) == pytest.approx((350.0, 1.5, 700 / 3))


def test_the_cost_of_searches_without_nodes_is_a_typical_time():
    seconds = [0.010 + 0.001 * (place % 7) for place in range(60)]
    silent = search_cost([math.nan] * 60, seconds)
    assert (silent.nodes, silent.seconds, silent.nodes_per_second) == (None, typical_time(seconds), None)
    idle = search_cost([0.0] * 60, seconds)
    assert (idle.nodes, idle.seconds, idle.nodes_per_second) == (0.0, typical_time(seconds), None)
    some = search_cost([math.nan, 8.0, 4.0], [5.0, 2.0, 1.0], list("aab"))
    assert (some.nodes, some.seconds.value, some.nodes_per_second) == (6.0, 1.5, 4.0), "of the searches with nodes"
    assert search_cost([5.0], [0.0]).nodes_per_second is None
    assert search_cost([], []) is None


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_cost_of_searches_has_the_interval_of_a_mean_over_their_groups(alpha):
    seconds, groups = [0.001 * (place**2 % 37) for place in range(40)], [place // 4 for place in range(40)]
    few, named = seconds[:16], groups[:16]
    assert search_cost(few, few, named, alpha).seconds == mean_interval(few, named, alpha=alpha)
    some = [math.nan if place % 3 == 0 else 7.0 for place in range(16)]
    left = [place for place in range(16) if place % 3]
    expected = mean_interval([few[place] for place in left], [named[place] for place in left], alpha=alpha)
    assert search_cost(some, few, named, alpha).seconds == search_cost(some, few, np.array(named), alpha).seconds
    assert search_cost(some, few, named, alpha).seconds == expected
    silent = search_cost([math.nan] * 40, seconds, groups, alpha).seconds
    assert silent == mean_interval(seconds, groups, trim=0.05, alpha=alpha)
    assert typical_time(seconds, groups) == mean_interval(seconds, groups, trim=0.05)


def test_the_ratio_of_sums_is_as_sure_as_those_without_each_group_agree():
    above, below, groups = [5.0, 9.0, 30.0, 2.0, 11.0, 8.0], [4.0, 4.0, 12.0, 2.0, 3.0, 5.0], list("aabbcd")
    ratio, parts = sum(above) / sum(below), ((14.0, 8.0), (32.0, 14.0), (11.0, 3.0), (8.0, 5.0))
    left = [(sum(above) - one) / (sum(below) - two) / ratio - 1.0 for one, two in parts]
    wide = math.exp(3.182446305 * math.sqrt(4 / 3 * sum(off**2 for off in left)))  # t(3)
    interval = ratio_of_sums(above, below, groups)
    assert (interval.value, interval.low, interval.high) == pytest.approx((ratio, ratio / wide, ratio * wide))
    assert ratio_of_sums([*above, 0.0], [*below, 0.0], [*groups, "e"]) == interval
    assert ratio_of_sums(above, below, "a" * 6) == Interval(ratio, None, None)
    assert ratio_of_sums([0.0], [1.0]) is ratio_of_sums([1.0], [0.0]) is None


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_a_thousand_groups_are_as_many_whatever_names_them(kind):
    numbers = random.Random(4)
    values, groups = [numbers.random() + group % 7 for group in range(1000) for _ in (0, 1)], [*range(1000)] * 2
    groups = sorted(groups, key=lambda group: -group)
    named = mean_interval(values, [f"g{group}" for group in groups])
    for start in (0, 40_000, -500):
        assert mean_interval(values, np.array(groups, dtype=kind) + kind(start)) == named
    one, two = values[:1000], values[1000:]
    assert ratio_of_sums(one, two, np.arange(1000)) == ratio_of_sums(one, two, [*map(str, range(1000))])
