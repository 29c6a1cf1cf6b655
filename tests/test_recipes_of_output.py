"""A column is one new line; an output style and a command are one new file each."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from installed import install

from arena.position import position

ADDED = '    unit: str = cell("What both numbers count.", "counted in", default="points")\n'
OVERLAID = """
import sys, arena.position
arena.position.__path__.insert(0, sys.argv.pop(1))
from arena.__main__ import main
main()
"""


@pytest.mark.process
def test_a_column_is_one_new_line_for_every_style(tmp_path):
    before, field, after = (
        Path(position.__file__).read_text(encoding="utf-8").partition("    first: int | None = cell(")
    )
    line, end, rest = after.partition("\n\n\n")
    (tmp_path / "position.py").write_text(f"{before}{field}{line}\n{ADDED}{end}{rest}", encoding="utf-8")
    words = [sys.executable, "-c", OVERLAID, str(tmp_path), "eval", "4", "--heuristic", "zero"]

    def shown(style):
        return subprocess.run([*words, "--style", style], capture_output=True, text=True, check=True).stdout

    header, _, row = shown("plain").splitlines()
    assert (header.split()[-2:], row.split()[-1]) == (["counted", "in"], "points")
    assert shown("csv") == "position,heuristic,mover,first,unit\n4,zero,0,0,points\n"
    assert json.loads(shown("json")) == [
        {"position": "4", "heuristic": "zero", "mover": 0, "first": 0, "unit": "points"}
    ]


@pytest.fixture
def package(tmp_path, monkeypatch):
    return partial(install, tmp_path, monkeypatch)


TABS = """
    from arena.table.styles import Style

    def grid(headers, lines, sides):
        return chr(10).join(chr(9).join(cells) for cells in [headers, *lines])

    tabs = Style(grid, title="== {}")
"""


def test_an_output_style_is_one_new_file(arena, package):
    package("styles", "tabs", TABS)
    done = arena("eval", "4", "--heuristic", "zero", "--style", "tabs")
    assert (done.code, done.out) == (0, "position\theuristic\tmover\tfirst\n4\tzero\t0\t0\n")
    assert ", tabs." in " ".join(arena("eval", "--help").out.split())


def test_a_style_for_programs_gets_the_fields_and_full_numbers(arena, package):
    package("styles", "tabs", TABS.replace('title="== {}"', "data=True"))
    first, *_ = arena("depths", "minimax", "--depth", 1, "--style", "tabs").out.splitlines()
    assert first.split("\t")[3:5] == ["nodes", "seconds"]


LINES = """
    import json
    from arena.table.styles import Style

    def written(rows, meta):
        return chr(10).join(json.dumps(row) for row in rows)

    lines = Style(None, data=True, document=written)
"""


def test_a_style_of_documents_gets_the_rows_as_plain_data(arena, package):
    package("styles", "lines", LINES)
    done = arena("eval", 4, "--style", "lines")
    assert [json.loads(line) for line in done.out.splitlines()] == json.loads(arena("eval", 4, "--json").out)


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "4", "--heuristic", "zero"],
        ["agents"],
        ["perft", 2, "--divide"],
        ["elo", 3, 4, 5],
        ["check", "greedy"],
        ["verify", "--depth", 2, "--positions", 2, "-q"],
    ],
)
@pytest.mark.process
def test_json_is_a_style(arena, words):
    done, asked = arena(*words, "--style", "json"), arena(*words, "--json")
    assert done.code == asked.code == 0
    assert isinstance(json.loads(done.out), list | dict)
    assert json.loads(done.out).__class__ is json.loads(asked.out).__class__
    if words[0] not in ("check", "verify"):  # which say how long it took, and what the machine did
        assert done.out == asked.out


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("tabs = 7", "style 'tabs': added_to_arena:tabs is not a Style of arena.table.styles"),
        ("1 // 0", "style 'tabs' does not import: ZeroDivisionError"),
        ("other = 7", "style 'tabs' does not import: AttributeError"),
    ],
)
def test_a_style_that_is_none_is_told_in_a_line(arena, package, source, error):
    package("styles", "tabs", source)
    done = arena("agents", "--style", "tabs")
    assert (done.code, done.out) == (2, "")
    assert error in done.err
    assert done.err.count("\n") == 1


def test_an_unknown_style_gets_the_near_names(arena, package):
    package("styles", "tabs", TABS)
    assert "'tab': did you mean tabs?" in arena("agents", "--style", "tab").err


HELLO = """
    import click

    @click.command("hello", short_help="Say hello.")
    @click.argument("name")
    def hello(name):
        click.echo(f"hello {name}")

    COMMANDS = (("hello", ":hello", "Measure", "Say hello.", "README.md"),)
"""


def test_a_command_is_one_new_file(arena, package):
    package("plugins", "hello", HELLO)
    assert arena("hello", "arena").out == "hello arena\n"
    assert "Installed:\n  hello  Say hello.\n" in arena("--help").out
    assert "'helo': did you mean hello" in arena("helo").err


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("hello = 7\nCOMMANDS = (('hello', ':hello', '', '', ''),)", "command 'hello' is no click command: :hello"),
        ("1 // 0", "command 'hello' does not import: ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_a_command_that_is_none_is_told_when_it_is_called_and_spoils_no_help(arena, package, source, error):
    package("plugins", "hello", source)
    done = arena("hello")
    assert (done.code, done.out, done.err) == (2, "", f"arena: {error}\n")
    assert arena("--help").code == 0


def test_a_package_cannot_take_the_name_of_a_command_that_there_is(arena, package):
    package("commands", "perft", HELLO.replace("hello", "perft"))
    assert arena("perft", 1).out == "depth 1: sequences 7, nodes 8\n"
