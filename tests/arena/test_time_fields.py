"""Every time in a JSON document stands in a field whose name says its unit: `ms` or `seconds`."""

import ast
import json
import re
import shutil
from pathlib import Path

import pytest
from columns import OTHERS, RUN

from agents.jit.compiler import JIT
from arena.cli import commands
from arena.table.rows import described

ROOT = Path(__file__).parents[2]
WARNED_OF = "Overrun"
"""A row that becomes a line of text alone."""
RATIO = re.compile(r"^time_ratio(_|$)|_per_second$")
"""A time over another one has no unit, and a speed is no time."""
UNITS = re.compile(r"(^|_)(ms|seconds)(_|$)")


@pytest.mark.parametrize("row", {**RUN, **OTHERS}.values(), ids={**RUN, **OTHERS})
def test_times_of_rows_say_their_unit(row):
    for each in described(row):
        if each.unit in {"seconds", "milliseconds"}:
            assert UNITS.search(each.name), each.name


def fields():
    """Yield every field of dataclasses with its docstring or the text of its cell, from files that tell times."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("a*/**/*.py"))]
    for text in (text for text in texts if "[seconds]" in text or "[milliseconds]" in text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name != WARNED_OF:
                for field, after in zip(node.body, [*node.body[1:], None], strict=False):
                    if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                        continue
                    name = f"{node.name}.{field.target.id}"
                    if isinstance(field.value, ast.Call) and field.value.args:  # a cell: its meaning comes first
                        yield name, str(ast.literal_eval(field.value.args[0]))
                    elif isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                        yield name, str(after.value.value)


def test_whatever_field_is_in_seconds_or_milliseconds_is_named_so():
    found = [(name, text) for name, text in fields() if re.match(r"\[(seconds|milliseconds)\]", text)]
    assert len(found) > 10
    assert [name for name, _ in found if not UNITS.search(name.rpartition(".")[2])] == []


SEARCH = "alphabeta:depth=2"
PLAN = "--rounds 2 --openings plies:2 -j 1 --quiet"
"""Games are stored as they end, and two processes may end them in either order."""
TIMED = {"run", "show", "depths", "move", "check", "solve", "replay", "grade"}
"""The commands that print times."""
COMMANDS = {
    "run": f"run greedy random {PLAN} --out other.sqlite",
    "show": "show run.sqlite",
    "show-moves": "show run.sqlite --table moves",
    "show-searches": "show run.sqlite --table searches",
    "rate": "rate run.sqlite",
    "games": "games run.sqlite",
    "replay": "replay run.sqlite 1",
    "diff": "diff run.sqlite run.sqlite",
    "list": "list .",
    "audit": "audit small.sqlite --quiet",
    "depths": f"depths {SEARCH} --depth 1..2",
    "move": f"move {SEARCH} 4453",
    "eval": "eval 4453",
    "order": "order 4453",
    "perft": "perft 2",
    "solve": "solve 112233",
    "check": "check greedy --positions 5",
    "compare": f"compare zero powers-of-ten --depth 1 {PLAN} --out third.sqlite",
    "tree": f"tree {SEARCH} 4453 --depth 2",
    "elo": "elo 3 4 5",
    "sprt": "sprt 3 4 5 --elo0 0 --elo1 10",
    "grade": "grade alphabeta --depth 2 --positions 20 --plies 24..30 --quiet",
    "verify": "verify --positions 2 --depth 2 --heuristic zero --ordering centre --quiet",
    "tune": "tune windows(1,10,100,1000) --depth 1 --positions 20 --evaluations 3 --quiet",
}


def numbers(document, key=""):
    """Yield every number of a document with the key that it stands under."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from numbers(value, name)
    elif isinstance(document, list):
        for value in document:
            yield from numbers(value, key)
    elif isinstance(document, int | float) and not isinstance(document, bool):
        yield key, document


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return [tmp_path_factory.mktemp(name) for name in ("one", "two")]


@pytest.mark.skipif(not JIT, reason="several of these search, which takes minutes as plain Python")
@pytest.mark.parametrize("words", [
    pytest.param(words, id=name, marks=[pytest.mark.compiles] * (name == "tune"))
    for name, words in COMMANDS.items()
    if words.split()[0] in commands()
])  # fmt: skip
def test_whatever_number_is_another_when_all_is_done_again_stands_under_a_key_with_ms_or_seconds(
    arena, folders, monkeypatch, words, small_runs
):
    found = []
    for folder in folders:
        monkeypatch.chdir(folder)
        if not (folder / "run.sqlite").exists():
            assert arena("run", SEARCH, "greedy", *PLAN.split(), "--out", "run.sqlite").code == 0
            shutil.copy(small_runs[0], "small.sqlite")
        result = arena(*words.split(), "--json")
        assert result.code == 0, result.err
        found.append(list(numbers(json.loads(result.out))))
    one, two = found
    assert one
    assert [key for key, _ in one] == [key for key, _ in two]
    other = {key for (key, value), (_, again) in zip(one, two, strict=True) if value != again}
    assert [key for key in other if not UNITS.search(key) and not RATIO.search(key)] == []
    assert other or words.split()[0] not in TIMED
