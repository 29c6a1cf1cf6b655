import shutil

import pytest
from samples import DATA


@pytest.fixture
def mine():
    """A user's file of heuristics and orderings, which stays: what is compiled from it is found by the next run."""
    return DATA / "own_parts.py"


@pytest.fixture
def copied(tmp_path):
    """A copy of that file, to be changed."""
    return shutil.copy(DATA / "own_parts.py", tmp_path / "mine.py")
