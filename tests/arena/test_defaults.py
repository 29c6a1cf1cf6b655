"""What a job does where nothing is said is the same from Python and on the command line."""

import inspect

import click
import pytest

import arena as package
from agents.board import STANDARD
from arena.cli import cli

DEFAULTS = {
    "audit": {"workers": 1},
    "compare": {"search": "alphabeta:order=centre", "rounds": 100, "seed": 1, "rules": "7x6x4", "workers": 1},
    "depths": {"depth": range(1, 9), "positions": (), "rounds": 10, "rules": "7x6x4", "budget": 10.0, "why": False},
    "evaluate": {"positions": "", "heuristics": (), "compiled": True, "rules": "7x6x4"},
    "grade": {"depth": range(1, 7), "positions": 500, "seed": 1, "workers": 1, "rules": "7x6x4"},
    "move": {"position": "", "rules": "7x6x4"},
    "order": {"positions": "", "orderings": (), "rules": "7x6x4"},
    "perft": {"position": "", "divide": False, "rules": "7x6x4"},
    "run": {"agents": (), "add": (), "replay": (), "workers": 1},
    "solve": {"positions": "", "columns": False, "book": True, "rules": "7x6x4"},
    "solve_random": {"seed": 1, "rules": "7x6x4"},
    "verify": {"positions": 40, "depth": 6, "seed": 1, "heuristics": (), "orderings": (), "rules": "7x6x4"},
}
"""The defaults of the functions; all others are None, or leave it to the machine."""
CALLED = {"evaluate": "eval", "solve_random": "solve"}
"""The functions with another name than the command."""
READ = {"7x6x4": STANDARD, range(1, 9): [*range(1, 9)], range(1, 7): [*range(1, 7)]}
"""What a command reads from the text of the same default."""


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_function_has_the_defaults_of_its_command(name):
    keywords = inspect.signature(getattr(package, name)).parameters.values()
    says = {keyword.name: keyword.default for keyword in keywords if keyword.default not in (None, keyword.empty)}
    assert says.pop("progress", False) is False
    assert {key: value for key, value in says.items() if not callable(value)} == DEFAULTS[name]
    params = cli.get_command(None, CALLED.get(name, name)).params
    options = [option for option in params if isinstance(option, click.Option) and option.show_default]
    typed = {option.name: option.type.convert(option.default, option, None) for option in options}
    both = typed.keys() & DEFAULTS[name].keys()
    assert {key: typed[key] for key in both} == {key: READ.get(says[key], says[key]) for key in both}


def test_every_function_is_listed_here():
    assert {*package.__all__} - {"Result", "load", "plot"} == {*DEFAULTS}
