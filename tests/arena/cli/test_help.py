import re

import pytest
from recorded import holds

from arena.cli import TITLES, cli, commands


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


def test_every_help_lists_its_options_and_arguments_as_it_did(arena, request):
    every = [
        [name, *([inner] if inner else [])]
        for name in commands()
        for inner in getattr(cli.get_command(None, name), "commands", [""])
    ]
    found = {"arena": arena("--help").out.splitlines(), "arena study": arena("study", "--help").out.splitlines()}
    for words in every:
        lines = arena(*words, "--help").out.splitlines()
        titles_and_options = [line for line in lines if re.match(r"Usage|\S.*:$|  -|  More", line)]
        # A command keeps the form of --help from where it was first asked for, which may be another test.
        found[" ".join(["arena", *words])] = [
            re.split(r"(?<=\S)  ", line)[0].replace("-h, --help", "--help") for line in titles_and_options
        ]
    holds("cli-helps", found, request)
