"""An output style and a command are one new file each, too."""

from functools import partial

import pytest
from installed import install


@pytest.fixture
def package(tmp_path, monkeypatch):
    return partial(install, tmp_path, monkeypatch)


TABS = """
    from arena.report.styles import Style

    def grid(headers, lines, sides):
        return chr(10).join(chr(9).join(cells) for cells in [headers, *lines])

    tabs = Style(grid, title="== {}")
"""


def test_an_output_style_is_one_new_file(arena, package):
    package("styles", "tabs", TABS)
    done = arena("eval", "4", "--heuristic", "zero", "--style", "tabs")
    assert (done.code, done.out) == (0, "position\theuristic\tmover\tfirst\n4\tzero\t0\t0\n")
    assert "|tabs]" in " ".join(arena("eval", "--help").out.split())


def test_a_style_for_programs_gets_the_fields_and_full_numbers(arena, package):
    package("styles", "tabs", TABS.replace('title="== {}"', "data=True"))
    first, *_ = arena("depths", "minimax", "--depth", 1, "--style", "tabs").out.splitlines()
    assert first.split("\t")[3:5] == ["nodes", "seconds"]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("tabs = 7", "style 'tabs': added_to_arena:tabs is not a Style of arena.report.styles"),
        ("1 // 0", "style 'tabs' does not import: ZeroDivisionError"),
        ("other = 7", "style 'tabs' does not import: AttributeError"),
    ],
)
def test_a_style_that_is_none_is_told_in_a_line(arena, package, source, error):
    package("styles", "tabs", source)
    done = arena("bench", "--style", "tabs")
    assert (done.code, done.out) == (2, "")
    assert error in done.err
    assert done.err.count("\n") == 1


def test_an_unknown_style_gets_the_near_names(arena, package):
    package("styles", "tabs", TABS)
    assert "no style 'tab': did you mean tabs?" in arena("agents", "--style", "tab").err


HELLO = """
    import click

    @click.command("hello", short_help="Say hello.")
    @click.argument("name")
    def hello(name):
        click.echo(f"hello {name}")
"""


def test_a_command_is_one_new_file(arena, package):
    package("commands", "hello", HELLO)
    assert arena("hello", "arena").out == "hello arena\n"
    assert "Installed:\n  hello  Say hello.\n" in arena("--help").out
    assert "no command 'helo': did you mean hello" in arena("helo").err


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("hello = 7", "command 'hello' is no click command: added_to_arena:hello"),
        ("1 // 0", "command 'hello' does not import: ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_a_command_that_is_none_is_told_when_it_is_called_and_spoils_no_help(arena, package, source, error):
    package("commands", "hello", source)
    done = arena("hello")
    assert (done.code, done.out, done.err) == (2, "", f"arena: {error}\n")
    assert arena("--help").code == 0


def test_a_package_cannot_take_the_name_of_a_command_that_there_is(arena, package):
    package("commands", "perft", HELLO.replace("hello", "perft"))
    assert arena("perft", 1).out == "depth 1: sequences 7, nodes 8\n"
