import pytest
from hypothesis import HealthCheck, settings

from agents.kernels.compiler import JIT

# The first example may compile a kernel, which takes seconds; kernels that run as plain Python get fewer examples.
settings.register_profile(
    "kernels", deadline=None, max_examples=100 if JIT else 15, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("kernels")


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="takes minutes; run with --slow"))
