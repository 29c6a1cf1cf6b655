"""What a job does where nothing is said, from Python and on the command line, and the bounds of all numbers."""

import inspect

import click
import pytest

import arena as package
from agents.board import STANDARD
from arena.cli import cli, commands
from arena.cli.types import SEEDS

LIVES = {"patience": 60.0, "memory": 1024}
PLAIN = {"style": "plain"}
DEFAULTS = {
    "audit": ({"workers": 1}, PLAIN),
    "compare": (
        {"search": "alphabeta:order=centre", "rounds": 100, "seed": 1, "rules": "7x6x4", "workers": 1},
        {"openings": "plies:4", "margin": 30.0, **LIVES, **PLAIN},
    ),
    "depths": (
        {"depth": range(1, 9), "positions": (), "rounds": 10, "rules": "7x6x4", "budget": 10.0, "why": False},
        {"seed": 1, **LIVES, **PLAIN},
    ),
    "evaluate": ({"positions": "", "heuristics": (), "compiled": True, "rules": "7x6x4"}, PLAIN),
    "grade": (
        {"depth": range(1, 7), "positions": 500, "seed": 1, "workers": 1, "rules": "7x6x4"},
        {**LIVES, **PLAIN},
    ),
    "move": ({"position": "", "rules": "7x6x4"}, LIVES),
    "order": ({"positions": "", "orderings": (), "rules": "7x6x4"}, PLAIN),
    "perft": ({"position": "", "divide": False, "rules": "7x6x4"}, PLAIN),
    "run": (
        {"agents": (), "add": (), "replay": (), "workers": 1},
        {"openings": "plies:4", "rounds": 20, "seed": 1, "format": "round-robin", "margin": 0.1, "rules": STANDARD}
        | LIVES | PLAIN,
    ),
    "solve": ({"positions": "", "columns": False, "book": True, "rules": "7x6x4"}, {"seed": 1}),
    "solve_random": ({"seed": 1, "rules": "7x6x4"}, {}),
    "verify": (
        {"positions": 40, "depth": 6, "seed": 1, "heuristics": (), "orderings": (), "rules": "7x6x4"},
        {**LIVES, **PLAIN},
    ),
}  # fmt: skip
"""The defaults of a function, and those that only its command has; all others are None, or leave it to the machine."""
CALLED = {"evaluate": "eval", "solve_random": "solve"}
"""The functions with another name than the command."""
READ = {"7x6x4": STANDARD, range(1, 9): [*range(1, 9)], range(1, 7): [*range(1, 7)]}
"""What a command reads from the text of the same default."""

BOUNDS = {
    "--budget": (0.0, None), "--concurrency": (1, 1024), "--depth": (1, 20), "--games": (1, None), "--limit": (1, None),
    "--margin": (0.0, 3600.0), "--margin-elo": (0.0, 2000.0), "--memory": (64, 1 << 20), "--nodes": (1, SEEDS),
    "--patience": (0.01, 86_400.0), "--plies": (0, 64), "--ply": (0, None), "--positions": (1, 100_000),
    "--random": (1, 100_000_000), "--repeat": (1, 100_000), "--rounds": (1, None), "--rounds of run": (1, SEEDS),
    "--seconds": (0.0001, 86_400.0), "--seed": (0, SEEDS), "--threads": (1, 1024), "depth": (0, 64),
}  # fmt: skip
"""The least and the largest number that an option of the core takes, the same in all its commands."""


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_function_has_the_defaults_of_its_command(name):
    defaults, only_typed = DEFAULTS[name]
    keywords = inspect.signature(getattr(package, name)).parameters.values()
    says = {keyword.name: keyword.default for keyword in keywords if keyword.default not in (None, keyword.empty)}
    assert says.pop("progress", False) is False
    assert {key: value for key, value in says.items() if not callable(value)} == defaults
    params = cli.get_command(None, CALLED.get(name, name)).params
    options = [option for option in params if isinstance(option, click.Option) and option.show_default]
    typed = {option.name: option.type.convert(option.default, option, None) for option in options}
    assert typed == {key: READ.get(value, value) for key, value in defaults.items() if key in typed} | only_typed


def test_every_function_is_listed_here():
    assert {*package.__all__} - {"Result", "load", "plot"} == {*DEFAULTS}


def test_an_option_takes_the_same_numbers_in_all_commands():
    """The width of an equivalence may not be 0, all other bounds may be reached."""
    met = set()
    for name in [name for name, offer in commands().items() if ".plugins." not in offer.folder]:
        for param in cli.get_command(None, name).params:
            if isinstance(param.type, click.IntRange | click.FloatRange):
                kind, option = param.type, param.opts[0]
                special = f"{option} of {name}"
                met.add(special if special in BOUNDS else option)
                assert (kind.min, kind.max) == BOUNDS.get(special, BOUNDS[option]), special
                assert (kind.min_open, kind.max_open) == (option == "--margin-elo", False), special
    assert met == {*BOUNDS}
