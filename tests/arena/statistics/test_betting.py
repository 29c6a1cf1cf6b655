import itertools
import math

import numpy as np
import pytest

from arena.statistics.sampling import STAKES, evidence

EVEN = [0.1, 0.2, 0.4, 0.2, 0.1]


def test_before_any_pair_the_capital_is_what_it_was():
    assert evidence(np.zeros(5)) == pytest.approx(0.0)


def test_a_pair_is_a_bet_with_each_stake():
    for place, score in enumerate((0.0, 0.25, 0.5, 0.75, 1.0)):
        expected = math.log(sum(1 + stake * (score - 0.5) for stake in STAKES) / len(STAKES))
        assert evidence(np.eye(5)[place]) == pytest.approx(expected)


@pytest.mark.parametrize("chances", [EVEN, [0.5, 0, 0, 0, 0.5], [0.0, 0.5, 0.0, 0.5, 0.0], [0.4, 0.0, 0.3, 0.0, 0.3]])
def test_who_is_no_better_is_expected_to_gain_nothing_over_three_pairs(chances):
    expected = 0.0
    for seen in itertools.product(range(5), repeat=3):
        chance = math.prod(chances[each] for each in seen)
        expected += chance * math.exp(evidence(np.bincount(seen, minlength=5).astype(float)))
    assert expected <= 1.0 + 1e-12


def test_between_equals_one_in_twenty_at_most_is_ever_shown_to_be_better():
    drawn = np.random.default_rng(1).choice(5, p=EVEN, size=(500, 200))
    paths = np.cumsum(np.eye(5)[drawn], axis=1)
    assert (evidence(paths).max(axis=1) >= math.log(20.0)).mean() <= 0.05


def test_who_wins_all_pairs_is_shown_to_be_better_soon():
    needed = next(pairs for pairs in range(1, 50) if evidence(np.array([0, 0, 0, 0, pairs])) >= math.log(20.0))
    assert needed == 7
    assert evidence(np.array([9, 0, 0, 0, 0])) < 0.0
