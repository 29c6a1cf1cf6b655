"""The settings of a plan are the same on the command line and in Python."""

import inspect
from dataclasses import fields
from typing import get_type_hints

import click
import pytest

import arena as package
from agents.errors import InputError
from arena.cli import cli
from arena.games.isolation import Isolation
from arena.games.plan import SETTINGS, Plan
from arena.games.settings import TYPES, Apart, as_keywords, heuristics_of
from arena.tournament.command_run import CHANGEABLE, command

OPTIONS = {option.name: option for option in command.params if isinstance(option, click.Option)}
KEYWORDS = inspect.signature(package.run).parameters
DEFAULTS = command.make_context("run", [], cli.make_context("arena", ["run"])).params
OTHER_KEYWORDS = {"agents", "out", "resume", "add", "replay", "workers", "isolation", "cluster", "progress"}
OTHER_OPTIONS = {"out", "no-store", "plies", "repeat", "rules"}
"""Where a run is stored, and the parts of `openings` and of the board."""
CALLED = {"pairs": "pair", "rules": "board"}
"""The options with another name than the setting."""
ISOLATION = {field.name: field for field in fields(Isolation) if field.name not in ("folder", "entries")}


def test_every_field_of_a_plan_is_a_setting_or_has_a_front_of_its_own():
    assert {field.name for field in fields(Plan)} - SETTINGS.keys() == {"agents", "isolation", "comparison"}


def test_every_front_has_the_settings_and_no_others():
    options = {option.opts[0].lstrip("-") for option in OPTIONS.values()}
    isolating = {OPTIONS[name].opts[0].lstrip("-") for name in ISOLATION if name in OPTIONS}
    assert options - CHANGEABLE - OTHER_OPTIONS - isolating == {
        CALLED.get(name, name.replace("_", "-")) for name in SETTINGS
    }
    assert KEYWORDS.keys() - OTHER_KEYWORDS == SETTINGS.keys()


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_the_same_on_every_front(name):
    setting, option = SETTINGS[name], OPTIONS[name]
    assert (DEFAULTS[name], option.help) == (setting.default, setting.help)
    if setting.range is not None:
        assert (option.type.min, option.type.max) == (setting.range.low, setting.range.high)
    if setting.type.__name__ in TYPES:
        assert KEYWORDS[name].annotation == f"{setting.type.__name__} | None"
    described = package.run.__doc__.replace("\n   ", "")
    assert f"{name}: " in described or f"{name}, " in described
    if default := setting.default:
        said = default if isinstance(default, int | float) else f'"{default}"'
        assert f"({said}" in described[described.index(f"{name}: ") :].split(")")[0]


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if setting.range])
def test_a_number_out_of_range_is_refused_by_its_name_on_every_front(name, arena):
    beyond, option = -1, f"--{name}"
    line = f"{name} is a {'whole ' * (SETTINGS[name].type is int)}number from {SETTINGS[name].range.low:g}"
    with pytest.raises(InputError, match=f"^{line}.*, not {beyond}$"):
        package.run(["greedy", "random"], **{name: beyond})
    done = arena("run", "greedy", "random", f"{option}={beyond}")
    assert done.code == 2
    assert f"Invalid value for '{option}'" in done.err
    assert f"Option '{option}' requires an argument" in arena("run", "greedy", "random", option).err


def test_isolation_is_the_same_on_every_front():
    hints = get_type_hints(Apart)
    assert hints == {name: get_type_hints(Isolation)[name] for name in ISOLATION}
    for name in ISOLATION.keys() & OPTIONS.keys():
        assert DEFAULTS[name] == ISOLATION[name].default
    assert ISOLATION.keys() - OPTIONS.keys() == {"everyone"}


@pytest.mark.parametrize(("value", "line"), [
    ({"patience": "1"}, "patience is a number, not '1'"),
    ({"memory": 64.5}, "memory is a whole number, not 64.5"),
    ({"sandbox": "no"}, "sandbox is True or False, not 'no'"),
    ({"debug": 3}, "debug is a text, not 3"),
])  # fmt: skip
@pytest.mark.parametrize("call", [
    lambda isolation: package.run(["greedy", "random"], isolation=isolation),
    lambda isolation: package.depths(["minimax"], 1, isolation=isolation),
    lambda isolation: package.move("greedy", isolation=isolation),
])  # fmt: skip
def test_isolation_of_another_type_is_refused(call, value, line):
    with pytest.raises(InputError, match=f"^{line}$"):
        call(value)


def test_options_in_an_error_become_keywords_all_or_those_of_a_function():
    text = "choose one of --seconds and --include-self, or --max-rss"
    assert as_keywords(text) == "choose one of seconds and include_self, or max_rss"
    assert as_keywords(text, ["seconds", "include_self"]) == "choose one of seconds and include_self, or --max-rss"


def test_a_file_stands_for_its_functions_of_two_sides_in_their_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "def zeta(own, opp): ...\ndef alpha(own, opp): ...\ndef part(rules, own): ...\ndef mid(own, opp): ...\n"
    )
    (tmp_path / "none.py").write_text("def choose(board): ...\n")
    names = ("zero|parity", "mine.py", "40-17-15-4-2", "windows(1|2,10)", "mine.py:alpha", "other.py", "none")
    assert heuristics_of(names) == [
        "zero", "parity", "mine.py:zeta", "mine.py:alpha", "mine.py:mid", "smart-aware", "windows(1,10)",
        "windows(2,10)", "mine.py:alpha", "other.py", "none",
    ]  # fmt: skip
    assert heuristics_of(()) == []
    with pytest.raises(InputError, match=r"^none\.py has no heuristic: no function of own and opp$"):
        heuristics_of(["zero", "none.py"])
