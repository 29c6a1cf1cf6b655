import re

import pytest

from arena.cli import TITLES, cli, commands
from arena.cli.types import SEEDS


def sections(text):
    """Return the names that each section of a help text lists."""
    parts = re.split(r"^(\S.*):$", re.split(r"\n\n  (?:More: |arena COMMAND)", text)[0], flags=re.MULTILINE)
    return {
        title: re.findall(r"^  (?:-\w, )?(\S+)", rows, flags=re.MULTILINE)
        for title, rows in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_the_help_lists_every_command_once_in_its_group(arena):
    listed = sections(arena("--help").out)
    assert {title: set(listed.get(title, ())) for title in TITLES} == {
        title: {name for name, offer in commands().items() if offer.row[2] == title} for title in TITLES
    }
    assert sum(len(listed.get(title, ())) for title in TITLES) == len(commands())
    assert [title for title in listed if title in TITLES] == [*TITLES]
    assert [name for title in TITLES for name in listed[title]] == cli.list_commands(None)


@pytest.mark.parametrize("name", ["run", "compare"])
def test_the_help_lists_every_option_in_a_group_and_the_common_ones_first(arena, name):
    common = sections(arena(name, "--help").out)
    listed = sections(arena(name, "--help-all").out)
    assert {"--rounds", "--openings", "--seed", "--out"} <= set(next(iter(common.values())))
    assert [*common] == ["Common options", "Other options"]
    assert common["Common options"] == listed["Common options"]
    assert common["Other options"] == listed["Other options"] == ["--help", "--help-all"]
    options = [option for title in listed if title != "Other options" for option in listed[title]]
    assert sorted(options) == sorted(
        each.opts[0] for each in cli.get_command(None, name).params if each.opts[0].startswith("--")
    )


@pytest.mark.parametrize("words", ["--board nonsense --help-all", "--rounds -1 --help-all"])
def test_the_whole_help_is_printed_whatever_else_is_typed(arena, words):
    done = arena("run", *words.split())
    assert (done.code, done.err) == (0, "")
    assert done.out == arena("run", "--help-all").out


def test_every_help_lists_each_option_of_its_command_and_how_it_is_used(arena):
    for name in commands():
        command = cli.get_command(None, name)
        for inner, each in getattr(command, "commands", {"": command}).items():
            words = [name, *([inner] if inner else [])]
            lines = arena(*words, "--help-all" if name in {"run", "compare"} else "--help").out
            assert lines.startswith(f"Usage: arena {' '.join(words)} [OPTIONS]")
            assert all(param.help for param in each.params if param.param_type_name == "option")
            shown = {param.opts[0] for param in each.params if param.param_type_name == "option" and not param.hidden}
            assert shown - set(re.findall(r"--?[\w-]+", lines)) == set()
            assert str(SEEDS) not in lines
