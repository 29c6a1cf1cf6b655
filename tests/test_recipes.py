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
