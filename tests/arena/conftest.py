import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from scripted import Middle, leftmost

import arena as package
from arena.games import progress, run
from arena.tournament import tournaments


@pytest.fixture(autouse=True)
def one_worker(request, monkeypatch):
    """Let one worker play where a test names no number, as on a machine with one core.

    Others take a second to start, and have tests of their own. A test marked `all_cores` has as many as the machine.
    """
    if request.node.get_closest_marker("all_cores") is None:
        cores = progress.cores
        for module in (progress, run, tournaments):
            monkeypatch.setattr(module, "cores", lambda jobs: cores(1 if jobs is None else jobs))


@pytest.fixture(scope="session")
def small_runs(tmp_path_factory):
    """A run on a small board, not audited and audited, to be copied: made by the first worker that needs it."""
    shared = tmp_path_factory.getbasetemp()
    folder = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "small-runs"
    path, audited = folder / "played.sqlite", folder / "audited.sqlite"
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / "lock.sqlite", timeout=600)) as lock:  # every system has SQLite's lock
        lock.execute("BEGIN EXCLUSIVE")
        if not audited.exists():
            from audited import AGENTS, SMALL, audit_all  # they import numba, which few tests need
            from played import played

            played(path, *AGENTS, openings="plies:4", rounds=12, rules=SMALL)
            audit_all(shutil.copy(path, folder / "half.sqlite"))
            (folder / "half.sqlite").rename(audited)
    return path, audited


@pytest.fixture
def unaudited(small_runs, tmp_path):
    """A copy of the run of `audited.AGENTS` on a small board that nobody has audited."""
    return shutil.copy(small_runs[0], tmp_path / "run.sqlite")


@pytest.fixture
def audited(small_runs, tmp_path):
    """A copy of the same run, audited."""
    return shutil.copy(small_runs[1], tmp_path / "audited.sqlite")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A run of agents of every kind that a program may hand over, as `arena.run` returns it."""
    out = tmp_path_factory.mktemp("run") / "run.sqlite"
    return package.run([Middle(), Middle, leftmost, "greedy"], rounds=3, out=out)
