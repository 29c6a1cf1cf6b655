import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from arena.statistics.intervals import independent_answers, normal_width, proportion

groups = st.lists(
    st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=20
)


def test_without_answers_there_is_no_share():
    assert proportion([], []) is None
    assert proportion([0, 0], [0, 0]) is None


def test_one_group_gives_wilsons_interval():
    # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
    for yes, count, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        found = proportion([yes], [count])
        assert found.value == yes / count
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_group_without_answers_is_none():
    assert proportion([3, 5, 9, 0], [10, 10, 10, 0]) == proportion([3, 5, 9], [10, 10, 10])


def test_groups_that_are_each_alike_count_as_one_answer_each():
    few = independent_answers([10, 0] * 50, [10] * 100)
    assert 90 < few < 100
    assert independent_answers([5] * 100, [10] * 100) == pytest.approx(1000, rel=0.03)


def test_answers_that_are_all_alike_count_in_full():
    assert independent_answers([10, 10], [10, 10]) == 20
    assert proportion([10, 10], [10, 10]).high == 1.0
    assert proportion([0, 0], [10, 10]).low == 0.0


def test_groups_drawn_from_few_shrink_the_interval_to_nothing_at_last():
    answers = [9, 5, 7] * 20, [10] * 60
    whole, half = proportion(*answers), proportion(*answers, shrink=0.5)
    assert half.high - half.low == pytest.approx(0.5 * (whole.high - whole.low), rel=0.1)
    exact = proportion([9, 5, 7], [10, 10, 10], shrink=0.0)
    assert exact.low == exact.value == exact.high == 0.7


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.3])
@pytest.mark.parametrize("shrink", [1.0, 0.5])
def test_the_interval_of_any_level_is_wilsons_of_as_many_independent_answers(alpha, shrink):
    yes, counts = [9, 2, 7, 5], [10] * 4
    interval, width = proportion(yes, counts, shrink, alpha=alpha), normal_width(alpha)
    answers = independent_answers(yes, counts, alpha)
    for end in (interval.low, interval.high):
        assert abs(interval.value - end) == pytest.approx(width * shrink * math.sqrt(end * (1 - end) / answers))
    student = special.stdtrit(3, 1 - alpha / 2)
    assert answers * (student / width) ** 2 == pytest.approx(
        40 / (4 / 3 * sum((y - 5.75) ** 2 for y in yes) / (40 * 0.575 * 0.425))
    )


def test_few_groups_make_the_interval_wider():
    narrow, wide = proportion([9, 8] * 20, [10] * 40), proportion([180, 160], [200, 200])
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


@given(groups)
def test_the_share_lies_in_its_interval(pairs):
    found = proportion(*zip(*pairs, strict=True))
    if sum(count for _, count in pairs):
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0


@given(groups)
def test_the_share_of_no_mirrors_the_share_of_yes(pairs):
    yes, counts = zip(*pairs, strict=True)
    found, other = proportion(yes, counts), proportion([n - y for y, n in pairs], counts)
    if found is not None:
        assert (found.low, found.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_it_holds_the_truth_as_often_as_it_says_where_groups_differ():
    chance = random.Random(1)
    inside = 0
    for _ in range(400):
        yes = []
        for _ in range(20):
            own = chance.betavariate(18, 2)
            yes.append(sum(chance.random() < own for _ in range(30)))
        found = proportion(yes, [30] * 20)
        inside += found.low <= 0.9 <= found.high
    assert 0.92 < inside / 400 < 0.985


def test_a_proportion_at_a_level_next_to_nothing_is_open():
    found = proportion([1, 0, 1], [1, 1, 1], alpha=1e-17)
    assert (found.low, found.high) == (0.0, 1.0)
