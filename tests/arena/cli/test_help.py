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


LISTED = """
Play a tournament: run check compare assignment study
Look at it: show list games replay report serve
Play a game: move play
Measure: depths perft eval order tree tune
Perfect play: solve audit grade verify explain
Statistics: rate elo sprt diff
Other programs: submission engine uci
What there is: agents heuristics orderings
"""
"""The commands in their groups, as the help orders them."""


def test_the_help_lists_every_command_once_in_its_group(arena):
    text = arena("--help").out
    listed = sections(text)
    assert [f"{title}: {' '.join(listed[title])}" for title in TITLES] == LISTED.strip().splitlines()
    assert [*listed][-len(TITLES) :] == [*TITLES]
    assert sorted(name for title in TITLES for name in listed[title]) == sorted(commands())
    assert "  -V, --version  Show" in text
    assert "  -h, --help     Show" in text


def test_the_help_begins_with_lines_to_start_with_that_name_commands(arena):
    _, _, start = arena("--help").out.partition("\n  Start here:\n")
    lines = [line.strip() for line in start.partition("\n\n")[0].splitlines()]
    assert [re.split(" {2,}", line)[0] for line in lines] == [
        "arena run", "arena compare smart-aware parity", "arena depths minimax alphabeta", "arena assignment hw.py",
        "arena play alphabeta:depth=6",
    ]  # fmt: skip


MORE = {
    "docs/tournaments.md": "run",
    "docs/agents.md": "check agents move play",
    "docs/reports.md": "show list games replay report serve tree",
    "docs/heuristics.md": "heuristics orderings compare eval order tune",
    "docs/solver.md": "solve audit grade perft explain",
    "docs/tables.md": "depths",
    "docs/published.md": "verify",
    "docs/assignment.md, docs/class.md": "assignment",
    "docs/players.md": "submission",
    "docs/statistics.md": "rate elo sprt",
    "docs/ci.md": "diff",
    "docs/engines.md": "engine uci",
    "docs/study.md": "study",
}
"""The commands that each page explains."""


def test_a_help_names_the_page_that_explains_its_command(arena):
    shown = {name: arena(name, "--help").out.rpartition("\n  More: ")[2] for name in commands()}
    assert shown == {name: f"{page}\n" for page, names in MORE.items() for name in names.split()}


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
