"""What a job does where nothing is said is the same from Python and on the command line."""

import inspect

import click
import pytest

import arena as package
from agents.board import STANDARD
from arena.cli import cli

CALLED = {"evaluate": "eval", "solve_random": "solve"}
"""The functions with another name than the command."""
READ = {"7x6x4": STANDARD, range(1, 9): [*range(1, 9)], range(1, 7): [*range(1, 7)]}
"""What a command reads from the text of the same default."""


@pytest.mark.parametrize("name", [name for name in package.__all__ if name not in {"Result", "load", "plot"}])
def test_a_function_has_the_defaults_of_its_command(name):
    keywords = inspect.signature(getattr(package, name)).parameters.values()
    says = {keyword.name: keyword.default for keyword in keywords if keyword.default is not None}
    params = cli.get_command(None, CALLED.get(name, name)).params
    options = [option for option in params if isinstance(option, click.Option) and option.show_default]
    typed = {option.name: option.type.convert(option.default, option, None) for option in options}
    assert {key: typed[key] for key in typed.keys() & says} == {
        key: READ.get(says[key], says[key]) for key in typed.keys() & says
    }
