import pytest

from arena.page.page import page

from .hostile_run import hostile


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    """The run of `hostile`."""
    return hostile(tmp_path_factory.mktemp("page") / "run.sqlite")


@pytest.fixture(scope="session")
def text(path):
    """The page of this run."""
    return page(path)
