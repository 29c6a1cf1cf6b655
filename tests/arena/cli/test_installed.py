"""What installed packages add to the command: commands, styles, agents, heuristics and orderings."""

import re
import sys

import pytest
from installed import install

from agents.errors import unknown
from arena.tournament.command_agents import WIDTH

SOURCE = """
    import click

    @click.command()
    @click.argument("name", default="you")
    def hello(name):
        \"\"\"Greet somebody, and say in many words which exceed what a line of a terminal holds that it is done.\"\"\"
        click.echo(f"hello {name}")
        return 3

    @click.command(hidden=True)
    def secret():
        \"\"\"Say nothing.\"\"\"

    number = 5

    COMMANDS = tuple(
        (name, f":{what}", "Measure", "what it does", "README.md")
        for name, what in (*((name, name) for name in ("hello", "secret", "number", "gone")), ("show", "hello"))
    )

    def own(own, opp):
        return 0
"""
GONE = "AttributeError: module 'added_to_arena' has no attribute 'gone'"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package that adds to everything, until the test ends."""
    install(tmp_path, monkeypatch, "plugins", "hello", SOURCE)
    entries = {
        "plugins": {"added": ""},
        "agents": {"theirs": "hello"}, "heuristics": {"their-values": "own"}, "orderings": {"their-order": "own"},
        "styles": {"their-style": "number"},
    }  # fmt: skip
    lines = [
        line
        for group, names in entries.items()
        for line in (
            f"[connect4_arena.{group}]",
            *(f"{name} = added_to_arena{what and ':'}{what}" for name, what in names.items()),
        )
    ]
    (tmp_path / "added_to_arena-1.0.dist-info" / "entry_points.txt").write_text("\n".join(lines))
    yield
    sys.modules.pop("added_to_arena", None)


def test_commands_are_listed_after_ours_unless_they_are_hidden_and_what_fails_is_told(arena, installed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = arena("--help").out.split("\nInstalled:\n")[1].split("\n\n")[0].splitlines()
    assert " ".join(" ".join(lines).split()) == (
        "hello Greet somebody, and say in many words which exceed what a... "
        "number (is no click command: :number) "
        "gone (does not import: AttributeError: module 'added_to_arena' has no attribute 'gone')"
    )
    assert max(map(len, lines)) <= 80


def test_a_package_that_does_not_import_hides_no_command_of_others(arena, installed, tmp_path):
    entries = tmp_path / "added_to_arena-1.0.dist-info" / "entry_points.txt"
    entries.write_text("[connect4_arena.plugins]\na-broken = no_such_package\nb = added_to_arena\n")
    shown = arena("--help").out.split("\nInstalled:\n")[1].split("\n\n")[0]
    assert re.findall(r"(?m)^  (\S+)", shown) == ["a-broken", "hello", "number", "gone"]
    assert "(does not import: ModuleNotFoundError: No module named 'no_such_package')" in " ".join(shown.split())
    assert arena("hello").out == "hello you\n"
    done = arena("a-broken")
    assert (done.code, done.err.startswith("arena: command 'a-broken' does not import: ")) == (2, True)


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (["hello"], 3, "hello you\n", ""),
        (["hello", "all"], 3, "hello all\n", ""),
        (["secret"], 0, "", ""),
        (["number"], 2, "", "arena: command 'number' is no click command: :number\n"),
        (["gone"], 2, "", f"arena: command 'gone' does not import: {GONE}\n"),
        (["helo"], 2, "", f"arena: {unknown('command', 'helo', ['hello', 'elo', 'show'])}\n"),
        (["show"], 2, "", "arena show: Missing argument 'FILE'.\n"),
    ],
)  # fmt: skip
def test_an_installed_command_runs_and_one_that_cannot_be_had_says_so(arena, installed, words, code, out, err):
    done = arena(*words)
    assert (done.code, done.out, done.err) == (code, out, err)


def test_installed_styles_stand_in_the_help_and_in_what_is_said_of_an_unknown_one(arena, installed):
    said = " ".join(arena("list", "--help").out.split())
    assert re.search(r"How to write tables: [a-z, ]+, latex[a-z, ]*, their-style\.", said), said
    assert "did you mean their-style?" in arena("list", "--style", "their-stile").err


@pytest.mark.parametrize(
    ("command", "name"), [("agents", "theirs"), ("heuristics", "their-values"), ("orderings", "their-order")]
)
def test_installed_agents_and_parts_are_listed_last(arena, installed, command, name):
    lines = arena(command).out.splitlines()
    last = lines[-2] if command == "agents" else lines[-1]
    assert last == f"{name}: installed"
    assert arena(command, "--style", "csv").out.splitlines()[-1].startswith(f"{name},installed,")


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("500", WIDTH), ("0", WIDTH)])
def test_listings_are_as_wide_as_the_terminal_and_no_wider_than_text_is_read(arena, monkeypatch, columns, width):
    arena("list")
    monkeypatch.setenv("COLUMNS", columns)
    lines = arena("agents").out.splitlines()
    wide = [line for line in lines if len(line) > width]
    assert not wide or all(line.startswith("file.py:Class") for line in wide)
    assert max(len(line) for line in lines) > width - 12
    assert " depth plies to search; 6 unless" in " ".join(" ".join(lines).split())
