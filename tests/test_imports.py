"""The arrow between the packages, and what must not be loaded where nothing is searched."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SEARCHING = {
    "numba", "llvmlite", "numpy", "pandas", "scipy", "scipy.linalg", "scipy.optimize", "coverage", "tabulate", "jinja2",
    "starlette", "uvicorn",
}  # fmt: skip


def imported(path):
    """Yield the top-level name of every import in a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield node.module.split(".")[0]


def test_agents_never_import_arena():
    assert [path for path in (ROOT / "agents").rglob("*.py") if "arena" in set(imported(path))] == []


def test_the_package_of_agents_is_where_it_is_looked_for():
    assert any("arena" in set(imported(path)) for path in (ROOT / "arena").rglob("*.py"))
    assert len(list((ROOT / "agents").rglob("*.py"))) > 10


def loaded_after(code):
    """Return which of the heavy libraries a fresh interpreter has loaded after running the code."""
    report = f"\nimport sys\nprint(*sorted({SEARCHING!r} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code + report], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr.split()


@pytest.mark.parametrize(
    "code",
    [
        "import agents",
        "import arena.cli",
        "from agents.specs import registry; registry.expand('alphabeta:depth=2..4,heuristic=smart-aware')",
        "from arena.cli import cli; cli.main(['--help'], standalone_mode=False)",
        "from arena.cli import cli; cli.main(['agents'], standalone_mode=False)",
        "import agents; print(agents.Board.from_moves('4453'))",
    ],
)
def test_what_searches_nothing_loads_nothing_heavy(code):
    assert loaded_after(code) == []


def test_a_run_that_is_not_audited_is_shown_without_what_an_audit_needs():
    code = """
import sys
from arena.cli import cli
cli.main(["show", "tests/data/pair.sqlite"], standalone_mode=False)
assert "arena.tournament.tables" in sys.modules
assert not {"arena.perfect.tables", "arena.tournament.stored", "arena.comparison.tables"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)


def test_what_searches_loads_numba_and_neither_pandas_nor_optimizers_nor_coverage_which_numba_looks_for():
    commands = ["move", "alphabeta:depth=2"], ["perft", "2"], ["depths", "alphabeta", "--depth", "1", "--quiet"]
    code = f"from arena.cli import cli\nfor words in {commands}: cli.main(words, standalone_mode=False)"
    loaded = loaded_after(code)
    assert "numba" in loaded
    assert not {"pandas", "scipy.linalg", "scipy.optimize", "coverage"} & set(loaded)


@pytest.mark.compiles  # that the linear algebra is not loaded is tested above, too
def test_what_searches_does_without_the_linear_algebra_of_scipy_until_a_function_multiplies_matrices():
    code = """
import sys
import agents.jit.compiler
import numba, numpy
assert "scipy.linalg" not in sys.modules
print(numba.njit(lambda a: a @ a)(2 * numpy.eye(2)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[[4.", "0.]", "[0.", "4.]]"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list threads")
@pytest.mark.parametrize("asked", ["", "2"])
def test_the_command_starts_no_threads_for_linear_algebra_unless_asked(monkeypatch, asked):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if asked:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", asked)
    code = """
import os, sys
from arena.__main__ import main
try:
    main()
except SystemExit:
    print(len(os.listdir("/proc/self/task")), "numpy" in sys.modules)
"""
    words = [sys.executable, "-c", code, "elo", "89", "123", "76"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    threads, loaded = done.stdout.splitlines()[-1].split()
    assert (int(threads) > 1, loaded) == (asked == "2" and len(os.sched_getaffinity(0)) > 1, "True")
