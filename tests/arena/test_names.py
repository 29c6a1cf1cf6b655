"""The names of the package `arena`: those of its functions, and what is said of others."""

from importlib.metadata import version

import pytest

import arena
from arena import python


def test_every_name_is_that_of_the_function_in_python_and_is_listed():
    assert [getattr(arena, name) for name in arena.__all__] == [getattr(python, name) for name in arena.__all__]
    assert arena.__version__ == version("connect4-arena")
    assert {*arena.__all__, "__version__", "__doc__"} <= {*dir(arena)}


def test_another_name_is_told_with_what_python_needs_to_suggest_a_near_one():
    with pytest.raises(AttributeError, match=r"^module 'arena' has no attribute 'depht'$") as error:
        arena.depht  # noqa: B018  it is asked for
    assert (error.value.name, error.value.obj) == ("depht", arena)
