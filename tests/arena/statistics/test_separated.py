"""Groups of agents between which all points went one way: marks and open ends."""

import itertools

import numpy as np
import pytest

from arena.statistics.elo import ELO_PER_LOGIT, Z95
from arena.statistics.pool import Total
from arena.statistics.ratings import rate_totals

from .planted_games import by_agent

STRONG = [Total("S1", "S2", 10, 0, 10), Total("M1", "M2", 10, 0, 10)]
STRONG += [Total(strong, weak, 20, 0, 0) for strong in ("S1", "S2") for weak in ("M1", "M2")]
WITH_Z = [*STRONG, *(Total(each, "Z", 20, 0, 0) for each in ("S1", "S2", "M1", "M2"))]


def ends(rating):
    return rating.elo.low is None, rating.elo.high is None


def test_of_groups_as_large_all_are_marked_and_open_where_results_do_not_bound_them():
    for totals in (STRONG, WITH_Z):
        ratings = by_agent(rate_totals(totals))
        assert all(rating.marked for rating in ratings.values())
        assert ends(ratings["S1"]) == (False, True)
        assert ends(ratings["M1"]) == ((True, False) if totals is STRONG else (True, True))
    assert ends(ratings["Z"]) == (True, False)


def test_the_end_that_results_bound_has_the_error_that_half_a_virtual_draw_of_each_pair_leaves():
    rows = by_agent(rate_totals([Total("A", "B", 10, 0, 0), Total("A", "C", 8, 0, 0), Total("B", "C", 6, 0, 4)]))
    logits = np.array([rows[name].elo.value for name in "ABC"]) / ELO_PER_LOGIT
    games = np.array([[0.0, 10.5, 8.5], [10.5, 0.0, 10.5], [8.5, 10.5, 0.0]])
    known = -games / (4.0 * np.cosh((logits[:, None] - logits) / 2.0) ** 2)
    known -= np.diag(known.sum(axis=1))
    apart = np.array([1.0, -0.5, -0.5])  # the zero is the mean of the two without a mark
    error = ELO_PER_LOGIT * (apart @ np.linalg.pinv(known) @ apart) ** 0.5
    assert (rows["A"].elo.low, rows["A"].elo.high) == (pytest.approx(rows["A"].elo.value - Z95 * error), None)


@pytest.mark.parametrize("agents", [3, 9, 17])
def test_in_a_circle_of_any_length_results_bound_everybody(agents):
    circle = [Total(f"{one:02}", f"{(one + 1) % agents:02}", 3, 0, 0) for one in range(agents)]
    ratings = rate_totals(circle).ratings
    assert not any(rating.marked for rating in ratings)
    assert [rating.elo.value for rating in ratings] == pytest.approx([0.0] * agents, abs=1e-6)
    above, below = rate_totals(circle[:2]).ratings[::2]
    assert (above.elo.high, below.elo.low) == (None, None), "a chain bounds nobody from both sides"


def test_gaps_across_groups_are_open_and_those_within_are_not():
    pool = rate_totals(WITH_Z)
    by_row = {frozenset((above.agent, below.agent)): below for above, below in itertools.pairwise(pool.ratings)}
    within, across = by_row[frozenset(("S1", "S2"))], by_row[frozenset(("S2", "M1"))]
    assert within.gap.low < 0.0 < within.gap.high
    assert (across.gap.low > 0.0, across.gap.high, across.gap_los > 97.5) == (True, None, True)


def test_the_largest_group_is_the_zero_and_carries_no_mark():
    more = [Total("S1", "S3", 10, 0, 10), *(Total("S3", weak, 20, 0, 0) for weak in ("M1", "M2"))]
    ratings = by_agent(rate_totals([*STRONG, *more]))
    assert {name for name, rating in ratings.items() if rating.marked} == {"M1", "M2"}
    assert abs(sum(ratings[name].elo.value for name in ("S1", "S2", "S3"))) < 1e-6
    assert (ends(ratings["S1"]), ends(ratings["M1"])) == ((False, False), (True, False))


def test_relative_to_an_anchor_of_another_group_ratings_are_open():
    ratings = by_agent(rate_totals(WITH_Z, anchor=("M1", 100.0)))
    assert ends(ratings["M1"]) == ends(ratings["M2"]) == (False, False)
    assert (ratings["M1"].elo.low, ratings["M1"].elo.high) == (100.0, 100.0)
    assert (ends(ratings["S1"]), ends(ratings["Z"])) == ((False, True), (True, False))


def test_two_that_beat_the_same_group_and_never_met_have_no_order():
    totals = [Total("A", "M1", 20, 0, 0), Total("B", "M2", 30, 0, 0), *STRONG[1:2]]
    pool = rate_totals(totals)
    places = [[rating.agent for rating in pool.ratings].index(name) for name in "AB"]
    assert pool.superiority[places[0]][places[1]] == 50.0
    assert pool.lows[places[0]][places[1]] == pool.lows[places[1]][places[0]] == float("-inf")
