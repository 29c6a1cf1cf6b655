import math
from itertools import pairwise

import numpy as np
import pytest

from arena.statistics import isotonic
from arena.statistics.isotonic import place

EVEN = [0.2, 0.4, 0.6, 0.8]


def answers(shares, questions=1000):
    """Players who answer the first so many questions well."""
    return np.array([[float(number < share * questions) for number in range(questions)] for share in shares])


def slow(rungs, ladder, share):
    """Pool neighbours that fall one after the other, then walk up."""
    blocks = [([rung], [value]) for rung, value in zip(rungs, ladder, strict=True)]
    while True:
        falls = [n for n in range(len(blocks) - 1) if np.mean(blocks[n][1]) >= np.mean(blocks[n + 1][1])]
        if not falls:
            break
        n = falls[0]
        blocks[n : n + 2] = [(blocks[n][0] + blocks[n + 1][0], blocks[n][1] + blocks[n + 1][1])]
    at = [(float(np.mean(values)), float(np.mean(where))) for where, values in blocks]
    if share > at[-1][0]:
        return math.inf
    if share < at[0][0]:
        return -math.inf
    for (low, first), (high, last) in pairwise(at):
        if low <= share <= high:
            return first + (last - first) * (share - low) / (high - low)
    return math.nan


def test_who_answers_as_a_rung_does_stands_on_it():
    for rung, share in zip([1, 2, 3, 4], EVEN, strict=True):
        assert place([1, 2, 3, 4], answers(EVEN), answers([share])[0]).value == pytest.approx(rung)


def test_between_two_rungs_the_share_grows_in_a_straight_line():
    assert place([1, 2, 3, 4], answers(EVEN), answers([0.65])[0]).value == pytest.approx(3.25)
    assert place([2, 4, 8, 9], answers(EVEN), answers([0.5])[0]).value == pytest.approx(6.0)


def test_rungs_that_fall_are_pooled_as_in_the_slow_way(monkeypatch):
    monkeypatch.setattr(isotonic, "RESAMPLES", 20)  # the place itself needs none
    chance = np.random.default_rng(3)
    for _ in range(60):
        ladder = (chance.random((6, 40)) < np.sort(chance.random(6))[:, None]).astype(float)
        own = (chance.random(40) < chance.random()).astype(float)
        expected = slow([1, 2, 3, 5, 6, 9], ladder.mean(axis=1).tolist(), own.mean())
        found = place([1, 2, 3, 5, 6, 9], ladder, own)
        assert found.value == pytest.approx(expected)
        assert found.low <= found.value <= found.high


def test_beyond_the_ends_the_place_is_infinite():
    above, below = (place([1, 2], answers([0.4, 0.6]), answers([share])[0]) for share in (0.9, 0.1))
    assert (above.value, above.high) == (math.inf, math.inf)
    assert (below.value, below.low) == (-math.inf, -math.inf)


def test_without_questions_or_differences_nothing_is_said():
    assert place([1, 2], np.zeros((2, 0)), np.zeros(0)) is None
    assert place([1, 2], answers([0.5, 0.5]), answers([0.5])[0]) is None
    assert place([1, 2], answers([0.7, 0.3]), answers([0.5])[0]) is None


def test_draws_of_questions_without_a_difference_between_rungs_tell_nothing():
    ladder = np.array([[1.0, 0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0, 0.0]])  # equal in a fifth of all draws
    assert place([1, 2], ladder, np.array([1.0, 1.0, 0.0, 1.0, 0.0])).high == math.inf


def test_answers_that_rise_and_fall_with_a_rungs_leave_little_doubt():
    chance = np.random.default_rng(1)
    hard = chance.random(600)
    ladder = np.array([hard < share for share in EVEN], float)
    alike, alone = (hard < 0.5).astype(float), (chance.random(600) < 0.5).astype(float)
    one, other = place([1, 2, 3, 4], ladder, alike), place([1, 2, 3, 4], ladder, alone)
    assert one.high - one.low < (other.high - other.low) / 1.5


def test_the_interval_holds_the_true_place(monkeypatch):
    """A question's difficulty is shared, and each player's share grows evenly: the true place is 4.5."""
    monkeypatch.setattr(isotonic, "RESAMPLES", 100)
    chance, hits, runs, questions = np.random.default_rng(7), 0, 50, 200
    for run in range(runs):
        hard = chance.normal(size=questions)
        players = [0.4 * depth - hard + chance.normal(size=questions) > 0 for depth in range(1, 9)]
        own = (0.4 * 4.5 - hard + chance.normal(size=questions) > 0).astype(float)
        found = place(range(1, 9), np.array(players, float), own, seed=run)
        hits += found.low <= 4.5 <= found.high
    assert hits >= 44  # 0.1 % of an interval of 95 % would hold it less often


def test_the_ends_are_those_of_95_of_100_of_four_hundred_draws_of_the_questions():
    ladder, own = answers(EVEN, 40), answers([0.55], 40)[0]
    drawn = np.random.default_rng(7).multinomial(40, np.full(40, 1 / 40), size=400)
    places = sorted(slow([1, 2, 4, 8], (each @ ladder.T / 40).tolist(), each @ own / 40) for each in drawn)
    found = place([1, 2, 4, 8], ladder, own, 7)
    assert (found.low, found.high) == pytest.approx((places[10], places[-11]))
    assert place([1, 2, 4, 8], ladder, own) == place([1, 2, 4, 8], ladder, own, 0) != found
