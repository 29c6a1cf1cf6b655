"""To add something takes one new file: each recipe is followed here, in a package that is installed for the test."""

import json
from functools import partial

import pytest
from installed import install


@pytest.fixture
def package(tmp_path, monkeypatch):
    return partial(install, tmp_path, monkeypatch)


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
    assert "'chian': did you mean chain?" in arena("run", "random", "greedy", "--format", "chian").err


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
    assert f"{kind} 'edgee': did you mean edges" in done.err
