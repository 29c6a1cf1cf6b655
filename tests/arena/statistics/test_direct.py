"""scipy's functions without their packages."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from arena.statistics import direct

AFTER = """
import sys
from arena.statistics.direct import brentq, special
found = special().stdtrit(3, 0.975), brentq(lambda x: x * x - 2, 0.0, 2.0)
assert not {"scipy.special", "scipy.optimize", "scipy.linalg"} & sys.modules.keys()
"""


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_they_load_no_package_and_those_that_are_imported_afterwards_are_whole():
    program = """
print(*found)
import scipy.special, scipy.optimize, scipy.linalg
assert found == (scipy.special.stdtrit(3, 0.975), scipy.optimize.brentq(lambda x: x * x - 2, 0.0, 2.0))
print(scipy.special.expit(0.0), scipy.optimize.isotonic_regression([2.0, 1.0]).x[0])
"""
    assert run(AFTER + program) == "3.1824463052837078 1.4142135623731364\n0.5 1.5\n"


def test_another_thread_loads_the_packages():
    program = """
import sys, threading
from arena.statistics.direct import brentq, special
found = []
thread = threading.Thread(target=lambda: found.extend([special().ndtr(0.0), brentq(lambda x: x - 1, 0.0, 3.0)]))
thread.start()
thread.join()
assert {"scipy.special", "scipy.optimize"} <= sys.modules.keys()
print(*found)
"""
    assert run(program) == "0.5 1.0\n"


def test_a_scipy_that_keeps_its_functions_elsewhere_is_loaded_whole():
    program = """
import importlib
from arena.statistics import direct
load = importlib.import_module
def gone(name):
    if name in {"scipy.special._ufuncs", "scipy.optimize._zeros"}:
        raise ImportError(name)
    return load(name)
importlib.import_module = gone
print(direct.special().ndtr(0.0), direct.brentq(lambda x: x - 1, 0.0, 3.0))
print(direct.special().__name__, direct._optimize().__name__)
"""
    assert run(program).split() == ["0.5", "1.0", "scipy.special", "scipy.optimize"]


@given(st.floats(-3.0, 3.0), st.sampled_from([2e-12, 1e-15]))
def test_roots_are_scipys_to_the_last_digit(root, xtol):
    def cubic(x):
        return (x - root) * (1.0 + x * x)

    assert direct.brentq(cubic, -4.0, 5.0, xtol) == optimize.brentq(cubic, -4.0, 5.0, xtol=xtol)


def test_ends_of_one_sign_are_refused_as_scipy_refuses_them():
    with pytest.raises(ValueError, match="must have different signs"):
        direct.brentq(lambda x: x * x + 1.0, 0.0, 1.0)


def test_a_scipy_whose_inner_function_takes_other_arguments_is_asked_whole(monkeypatch):
    def other(function, low, high):
        raise AssertionError

    monkeypatch.setattr(direct, "_optimize", lambda: SimpleNamespace(_brentq=other))
    assert direct.brentq(lambda x: x - 1.0, 0.0, 3.0) == 1.0
