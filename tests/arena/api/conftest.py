import pytest
from scripted import Middle, leftmost

import arena as package


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A run of agents of every kind that a program may hand over, as `arena.run` returns it."""
    out = tmp_path_factory.mktemp("run") / "run.sqlite"
    return package.run([Middle(), Middle, leftmost, "greedy"], rounds=3, out=out)
