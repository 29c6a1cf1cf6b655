import shutil

import pytest
from samples import DATA


@pytest.fixture
def mine(tmp_path):
    """A copy of a user's file of heuristics and orderings."""
    return shutil.copy(DATA / "own_parts.py", tmp_path / "mine.py")
