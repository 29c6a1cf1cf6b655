import pytest

from . import kills

pytestmark = pytest.mark.process


def test_a_killed_run_loses_nothing():
    kills.main(
        3
    )  # the main process, a worker, and all by a signal: what an agent's process ends like has its own tests


@pytest.mark.slow
def test_a_killed_run_loses_nothing_at_a_hundred_moments():
    kills.main(100, seed=2)
