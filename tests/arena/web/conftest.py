import pytest
from hand_made import run_of
from served import client_of


@pytest.fixture
def folder(tmp_path):
    """A folder with a run of two games."""
    games = [(0, 1, 0, "1", "1122334", (5, 7, 5, 7, 5)), (1, 0, 0, "1", "1122334", (5, 7, 5, 7, 5))]
    run_of(tmp_path / "a.sqlite", ["greedy", "random"], games)
    return tmp_path


@pytest.fixture
def client(folder):
    """A browser's side of the server of this folder."""
    with client_of(folder) as found:
        yield found
