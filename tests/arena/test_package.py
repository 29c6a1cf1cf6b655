"""What the package offers, and what its help says of it."""

import inspect
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import arena as package
from agents.jit.compiler import JIT

pytestmark = [pytest.mark.usefixtures("here")]


def test_everything_that_is_offered_has_a_docstring_that_the_help_of_the_package_leads_to():
    functions = [getattr(package, name) for name in package.__all__ if name[0].islower()]
    assert len(functions) == 14
    for function in functions:
        assert function.__name__ in package.__doc__
        assert "from Python" in inspect.getdoc(function)


@pytest.mark.process
def test_the_samples_of_the_packages_help_run():
    if not JIT:
        pytest.skip("several of these search, which takes minutes as plain Python")
    source = inspect.cleandoc(package.__doc__)
    samples = [line[4:] for line in source.splitlines() if line.startswith("    ") or not line]
    code = "\n".join(samples).partition("import arena\n")[2]
    scope = {"arena": package}
    exec(
        code.replace('"alphabeta:depth=2..6,order=centre"', '"alphabeta:depth=2"').replace("rounds=10", "rounds=2"),
        scope,
    )
    assert isinstance(scope["result"].standings, pd.DataFrame)
    assert Path("run.html").exists()
    assert Path("standings.svg").exists()


def test_the_package_is_imported_without_the_libraries_that_search_and_count():
    heavy = "{'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'click'}"
    code = f"import sys, arena; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_the_package_does_not_have_is_answered_by_what_is_near():
    with pytest.raises(AttributeError, match="no attribute 'runn'") as raised:
        package.runn  # noqa: B018  asking for it is the test
    assert (raised.value.name, raised.value.obj) == ("runn", package)  # what Python suggests near names from
