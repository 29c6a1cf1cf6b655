"""The names of the package `arena`: those of its functions, and what is said of others."""

from importlib.metadata import version

import pytest
from needs import needed

import arena
from arena import python
from arena.perfect import python as perfect


def test_every_name_is_that_of_the_function_in_python_and_is_listed():
    assert sorted(arena.__all__) == sorted([*python.__all__, *perfect.__all__])
    for module in (python, perfect):
        assert all(getattr(arena, name) is getattr(module, name) for name in module.__all__)
    assert arena.__version__ == version("connect4-arena")
    assert {*arena.__all__, "__version__", "__doc__"} <= {*dir(arena)}


def test_another_name_is_told_with_what_python_needs_to_suggest_a_near_one():
    with pytest.raises(AttributeError, match=r"^module 'arena' has no attribute 'depht'$") as error:
        arena.depht  # noqa: B018  it is asked for
    assert (error.value.name, error.value.obj) == ("depht", arena)


def test_a_function_of_a_plugin_is_told_where_it_is():
    counts = needed("arena.plugins.counts")
    with pytest.raises(AttributeError, match=r"no attribute 'elo': from arena.plugins.counts import elo$"):
        arena.elo  # noqa: B018  it is asked for
    assert counts.elo([1, 2, 3]).score > 0.5
    with pytest.raises(AttributeError, match="no attribute 'eloo'"):
        counts.eloo  # noqa: B018  it is asked for
