import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit, log_ndtr, ndtr

from arena.statistics import sampling
from arena.statistics.sampling import PRIOR, gains, order, shown, strengths

RESULTS = {(0, 1): (1, 0, 2, 3, 4), (1, 2): (2, 2, 5, 0, 1), (0, 3): (0, 0, 1, 0, 6)}
"""Pairs of games of four agents, by what the first of two made of them."""


def counts(results=RESULTS, agents=4):
    found = np.zeros((agents, agents, 5))
    for (one, two), numbers in results.items():
        found[one, two], found[two, one] = numbers, numbers[::-1]
    return found


def unlikeliness(found, results=RESULTS):
    """Return minus the logarithm of the prior and of every game's chance, a drawn one being half won and half lost."""
    total = (found**2).sum() / (2 * PRIOR**2)
    for (one, two), numbers in results.items():
        chance, games = expit(found[one] - found[two]), 2.0 * sum(numbers)
        won = sum(number * points / 2.0 for points, number in enumerate(numbers))
        total -= won * math.log(chance) + (games - won) * math.log(1.0 - chance)
    return total


def test_strengths_are_those_that_an_optimiser_finds_likeliest():
    found, covariance = strengths(counts())
    best = minimize(unlikeliness, np.zeros(4), tol=1e-10)
    assert found == pytest.approx(best.x, abs=1e-4)
    eye, step = np.eye(4), 1e-3
    curvature = [
        [
            sum(i * j * unlikeliness(best.x + step * (i * eye[a] + j * eye[b])) for i in (1, -1) for j in (1, -1))
            for b in range(4)
        ]
        for a in range(4)
    ]
    assert covariance == pytest.approx(np.linalg.inv(np.array(curvature) / (4 * step**2)), rel=1e-3)


def test_whoever_won_every_game_of_many_is_far_ahead_and_yet_finite():
    found, _ = strengths(counts({(0, 1): (0, 0, 0, 0, 5000)}, 2))
    best = minimize(lambda at: unlikeliness(at, {(0, 1): (0, 0, 0, 0, 5000)}), np.array([4.0, -4.0]), tol=1e-10)
    assert found == pytest.approx(best.x, abs=1e-3)


def test_strengths_from_another_start_are_the_same():
    plain, far = strengths(counts())[0], strengths(counts(), np.array([2.0, -2.0, 1.0, 3.0]))[0]
    assert far == pytest.approx(plain, abs=1e-4)


def test_many_pools_at_once_are_as_good_as_one_at_a_time():
    other = counts({(0, 1): (0, 0, 0, 0, 3)})
    found, covariance = strengths(np.array([counts(), other]))
    for place, one in enumerate((counts(), other)):
        assert found[place] == pytest.approx(strengths(one)[0], abs=1e-4)
        assert covariance[place] == pytest.approx(strengths(one)[1], abs=1e-4)


def test_the_strongest_stands_first_and_of_equal_ones_the_first():
    assert order(np.array([0.0, 1.0, 0.0, 2.0])).tolist() == [3, 1, 0, 2]


def entropy(deviations):
    return -sum(chance * log_ndtr(each) for each in (deviations, -deviations) if (chance := ndtr(each)))


@pytest.mark.parametrize("pairs", [1, 4])
@pytest.mark.parametrize("ahead", [0.0, 0.3, 1.0, 2.5])
def test_the_gain_is_how_much_surer_the_order_is_expected_to_be(ahead, pairs):
    covariance = np.array([[0.5, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.0, 0.3]])
    found = np.array([-9.0, ahead, 0.0])  # the second leads the third; the first is far below
    got = gains(found, covariance, order(found), pairs)
    spread = 0.8 + 0.3
    chance = expit(ahead)
    after = 1.0 / (1.0 / spread + 2 * pairs * chance * (1.0 - chance))
    moves = math.sqrt(spread - after)

    def weighed(deviation):
        density = math.exp(-(deviation**2) / 2) / math.sqrt(2 * math.pi)
        return density * entropy((ahead + moves * deviation) / math.sqrt(after))

    expected = entropy(ahead / math.sqrt(spread)) - quad(weighed, -8, 8)[0]
    assert got[0] == pytest.approx(expected, rel=0.04)
    assert 0.0 <= got[1] < 1e-6  # of those two nobody doubts the order


def test_of_two_neighbours_what_their_errors_share_counts_twice():
    found = np.array([0.2, 0.0])
    apart = gains(found, np.diag([0.4, 0.4]), order(found), 2)
    shared = gains(found, np.array([[0.9, 0.5], [0.5, 0.9]]), order(found), 2)
    assert shared == pytest.approx(apart)


def test_evidence_is_of_the_two_neighbours_own_games():
    told = np.array([RESULTS[0, 1], RESULTS[1, 2], (0, 0, 0, 0, 0)], float)
    assert shown(counts(), np.array([0, 1, 2, 3])) == pytest.approx(sampling.evidence(told))
    assert shown(counts(), np.array([1, 0, 3, 2]))[0] == pytest.approx(sampling.evidence(told[0, ::-1]))
