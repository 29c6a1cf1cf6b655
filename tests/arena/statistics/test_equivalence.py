import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.counts import Counts
from arena.statistics.elo import Z95, score_of
from arena.statistics.equivalence import level, more_needed
from arena.statistics.intervals import finite_population, score_deviations
from arena.statistics.pairs import pairing


def test_two_one_sided_tests_on_coin_flips_agree_with_wilsons():
    # With wins and losses alone each test is z = (p - p0) / sqrt(p0 (1 - p0) / n) against 1.645.
    edge = score_of(30.0)
    for wins in range(4900, 5400, 20):
        z = (wins / 10_000 - edge) / math.sqrt(edge * (1 - edge) / 10_000)
        other = (wins / 10_000 - (1 - edge)) / math.sqrt(edge * (1 - edge) / 10_000)
        assert level(Counts((10_000 - wins, 0, wins)), 30.0) == (z < -1.6449 and other > 1.6449)


def test_few_games_show_neither_a_difference_nor_its_absence():
    found = pairing([1, 2, 4, 2, 1])
    assert (found.clear, found.level) == (False, False)
    assert not level(Counts((0, 0, 1, 0, 0)), 30.0)


def test_a_wider_margin_is_easier_to_meet():
    counts = Counts((10, 20, 50, 20, 10))
    assert [level(counts, margin) for margin in (5.0, 20.0, 40.0, 200.0)] == [False, False, True, True]


@given(st.lists(st.integers(0, 40), min_size=5, max_size=5).filter(any), st.sampled_from([10.0, 30.0, 60.0]))
def test_as_many_more_of_the_same_kind_as_are_said_to_be_needed_settle_it(counts, margin):
    found = pairing(counts, margin=margin)
    if found.more is None:
        return
    enough = (found.count + found.more) / found.count
    later = pairing([math.ceil(1.05 * enough) * number for number in counts], margin=margin)
    assert later.level or later.clear
    if found.count > 5:  # of fewer, those categories that were never seen weigh too much
        sooner = pairing([math.floor(0.9 * enough) * number or number for number in counts], margin=margin)
        assert not sooner.level
        assert not sooner.clear


def test_over_all_openings_only_equal_is_level():
    assert level(Counts((0, 1, 200, 1, 0)), 30.0, shrink=0.0)
    assert not level(Counts((0, 1, 200, 2, 0)), 30.0, shrink=0.0)


def test_no_more_are_needed_than_the_population_holds():
    counts = Counts((1, 2, 5, 2, 1))
    assert 11 + more_needed(counts, 30.0, population=20) <= 20
    assert more_needed(counts, 30.0, population=(8, 12)) == more_needed(counts, 30.0, population=20)
    assert more_needed(counts, 30.0, population=2000) < more_needed(counts, 30.0)
    endless = 11 + more_needed(counts, 30.0)
    for size in (12, 15, 20, 40, 200):  # as sure as so many of endless openings
        enough = 11 + more_needed(counts, 30.0, population=size)
        surer, less = ((finite_population(n, size) ** 2 / n if n <= size else 0.0) for n in (enough, enough - 1))
        assert surer <= 1 / (endless - 1)
        assert enough == 12 or less >= 1 / endless
    assert pairing([1, 2, 5, 2, 1], population=11).more is None


@pytest.mark.parametrize("size", [12, 15, 16, 17, 20, 33, 40, 200])
def test_of_a_population_as_many_are_needed_as_make_the_error_small_enough(size):
    counts = Counts((1, 2, 5, 2, 4))
    error = (score_deviations(counts, 0.5) / Z95) ** 2 / counts.total
    needed = next(n for n in range(1, size + 1) if finite_population(n, size) ** 2 / n <= error)
    assert more_needed(counts, 30.0, population=size) == max(1, needed - counts.total)
