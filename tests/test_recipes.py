"""To add something takes one new file: each recipe is followed here, in a package that is installed for the test."""

import json
import sys
import textwrap

import pytest


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a package of one file, `added_to_arena.py`, with an entry point: package("formats", "swap", source)."""

    def install(group, name, source):
        (tmp_path / "added_to_arena.py").write_text(textwrap.dedent(source))
        info = tmp_path / "added_to_arena-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added-to-arena\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[connect4_arena.{group}]\n{name} = added_to_arena:{name}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "added_to_arena", raising=False)

    return install


CHAIN = """
    def chain(agents, *, include_self=False):
        return [(place, place + 1) for place in range(agents - 1)]
"""


def test_a_pairing_format_is_one_new_file(arena, package, tmp_path):
    package("formats", "chain", CHAIN)
    words = ["--rounds", 1, "-j", 1, "--out", tmp_path / "run.sqlite", "--json"]
    done = arena("run", "random", "greedy", "minimax:depth=1", "--format", "chain", *words)
    assert done.code == 0, done.err
    met = {(row["agent"], row["opponent"]) for row in json.loads(done.out)["crosstable"]}
    neighbours = {("random", "greedy"), ("greedy", "minimax:depth=1")}
    assert met == neighbours | {(other, one) for one, other in neighbours}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("[(0, 2)]", "format 'odd' pairs agents that there are not: [(0, 2)]"),
        ("[(0, 1), (1, 0)]", "format 'odd' lets two agents meet twice: [(0, 1), (1, 0)]"),
        ("[0, 1]", "format 'odd' fails: TypeError: cannot unpack non-iterable int object"),
        ("1 // 0", "format 'odd' fails: ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_a_pairing_format_that_is_wrong_is_told_in_a_line(arena, package, body, error):
    package("formats", "odd", f"def odd(agents, *, include_self=False):\n    return {body}\n")
    done = arena("run", "random", "greedy", "--format", "odd")
    assert (done.code, done.out, done.err) == (2, "", f"arena: {error}\n")


def test_an_unknown_pairing_format_gets_the_near_names(arena, package):
    package("formats", "chain", CHAIN)
    assert "no format 'chian': did you mean chain?" in arena("run", "random", "greedy", "--format", "chian").err


EDGE = """
    class Edge:
        '''Plays the outermost free column of one side.'''

        def __init__(self, right=False):
            self.place = -1 if right else 0

        def choose(self, board, limits):
            return board.legal_moves()[self.place]
"""


def test_an_agent_is_one_new_file(arena, package, tmp_path):
    package("agents", "Edge", EDGE)
    words = ["--rounds", 1, "-j", 1, "--out", tmp_path / "run.sqlite", "--json"]
    done = arena("run", "Edge", "Edge:right=True", "greedy", *words)
    assert done.code == 0, done.err
    assert {row["agent"]: row["faults"] for row in json.loads(done.out)["standings"]} == {
        "Edge": 0,
        "Edge:right=True": 0,
        "greedy": 0,
    }
    assert json.loads(arena("move", "Edge:right=True", "77", "--json").out)["move"] == 7
    assert "Edge" in [row["name"] for row in json.loads(arena("agents", "--json").out)]


HEIGHT = """
    from agents.heuristics import popcount, row_cells

    def height(own, opp):
        return popcount(opp & row_cells(0)) - popcount(own & row_cells(0))

    def made(rules, weight):
        bottom = sum(1 << column * (rules.rows + 1) for column in range(rules.columns))

        def evaluate(own, opp):
            return weight * (popcount(opp & bottom) - popcount(own & bottom))

        return evaluate
"""


@pytest.mark.parametrize(("name", "spec", "value"), [("height", "height", 1), ("made", "made(weight=-3)", -3)])
def test_a_heuristic_is_one_new_file(arena, package, name, spec, value):
    package("heuristics", name, HEIGHT)
    (row,) = json.loads(arena("eval", "12223", "--heuristic", spec, "--json").out)
    assert (row["mover"], row["first"]) == (value, -value)
    decision = json.loads(arena("move", f"alphabeta:depth=3,heuristic={spec}", "--json").out)
    plain = json.loads(arena("move", f"minimax:depth=3,heuristic={spec},compiled=no", "--json").out)
    assert (decision["move"], decision["score"]) == (plain["move"], plain["score"])
    assert f"{name}: installed" in arena("heuristics").out


SIDE = """
    def side(own, opp, column):
        return column

    def edges(rules, first=0):
        return tuple(sorted(range(rules.columns), key=lambda column: column != first))
"""


@pytest.mark.parametrize(
    ("name", "spec", "columns", "scores"),
    [
        ("side", "side", [7, 6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1, 0]),
        ("edges", "edges(6)", [7, 1, 2, 3, 4, 5, 6], None),
    ],
)
def test_an_ordering_is_one_new_file(arena, package, name, spec, columns, scores):
    package("orderings", name, SIDE)
    (row,) = json.loads(arena("order", "", "--ordering", spec, "--json").out)
    assert (row["columns"], row["scores"]) == (columns, scores)
    decision = json.loads(arena("move", f"minimax:depth=1,heuristic=zero,order={spec}", "--json").out)
    assert decision["move"] == columns[0]
    assert f"{name}: installed" in arena("orderings").out


@pytest.mark.parametrize(
    ("group", "kind", "words"),
    [
        ("agents", "agent", ["move", "edgee"]),
        ("heuristics", "heuristic", ["eval", "--heuristic", "edgee"]),
        ("orderings", "ordering", ["order", "--ordering", "edgee"]),
    ],
)
def test_what_is_installed_is_near_to_its_misspelling(arena, package, group, kind, words):
    package(group, "edges", SIDE)
    done = arena(*words)
    assert done.code == 2
    assert f"no {kind} 'edgee': did you mean edges" in done.err


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
    assert "hello       Say hello.\n" in arena("--help").out
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
