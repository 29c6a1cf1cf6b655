import pytest
from hand_made import run_of
from served import client_of, serving

from agents.agent import prepare
from agents.board import STANDARD
from agents.solver.solver import Solver
from agents.specs.registry import parse


def filled(folder):
    """Put a run of two games into a folder."""
    games = [(0, 1, 0, "1", "1122334", (5, 7, 5, 7, 5)), (1, 0, 0, "1", "1122334", (5, 7, 5, 7, 5))]
    run_of(folder / "a.sqlite", ["greedy", "random"], games)
    return folder


@pytest.fixture
def folder(tmp_path):
    return filled(tmp_path)


@pytest.fixture
def client(folder):
    """A browser's side of the server of this folder."""
    with client_of(folder) as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a server of such a folder."""
    Solver(STANDARD)  # compiled before a browser waits for it
    for name in ("easy", "medium", "hard", "smart-connect4"):
        prepare(parse(name).build(), STANDARD, name)
    with serving(filled(tmp_path_factory.mktemp("runs"))) as found:
        yield found
