"""Roots by halving."""

from __future__ import annotations

import math

import pytest

from arena.statistics.roots import root


@pytest.mark.parametrize(("low", "high"), [(0.0, 40.0), (1.0, 2.0)])
def test_a_root_is_found_to_the_last_digits(low, high):
    assert root(lambda x: x * x - 2.0, low, high) == pytest.approx(math.sqrt(2.0), rel=1e-15)


def test_the_negative_end_may_be_the_larger():
    assert root(lambda x: -x - 3.0, 40.0, -40.0) == pytest.approx(-3.0, rel=1e-14)


def test_a_root_at_an_end_is_that_end():
    assert root(lambda x: x, 0.0, 1.0) == pytest.approx(0.0, abs=1e-15)
    assert root(lambda x: x - 1.0, 0.0, 1.0) == pytest.approx(1.0, rel=1e-15)
