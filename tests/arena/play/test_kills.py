import kills
import pytest


def test_a_killed_run_loses_nothing_whatever_of_it_is_killed():
    kills.main(len(kills.TARGETS))


@pytest.mark.slow
def test_a_killed_run_loses_nothing_at_a_hundred_moments():
    kills.main(100, seed=2)
