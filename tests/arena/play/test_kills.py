import kills
import pytest


def test_a_killed_run_loses_nothing_at_ten_moments():
    kills.main(10)


@pytest.mark.slow
def test_a_killed_run_loses_nothing_at_a_hundred_moments():
    kills.main(100, seed=2)
