"""What each spelling of a spec becomes, or the words in which it is refused."""

import shutil
from pathlib import Path

import pytest
from samples import DATA

from agents.agent import Limits
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.specs import notation, outline, plugins
from agents.specs.kinds import KINDS
from agents.specs.registry import expand, parse

FILES = {
    "bots.py": '''"""Ada

More."""
import os, helper
from .other import thing as what
import sub.deep
class Base:
    def choose(self, board, limits):
        raise NotImplementedError
class Edge(Base):
    def __init__(self, daring=0.1, *, side=0): ...
    def choose(self, board, limits): ...
class Needs:
    def __init__(self, depth, width, name="x", *, side): ...
    def choose(self, board): ...
class _Hidden:
    def choose(self, board): ...
def choose(board): ...
def make(depth, width=3): ...
def evaluate(own, opp): ...
WORD = "data.txt"
''',
    "helper.py": "import twice\nfrom sub import deep\n",
    "twice.py": "import helper\n",
    "sub/__init__.py": "from . import deep, more\n",
    "sub/more.py": "",
    "sub/deep.py": "from .. import other\n",
    "other.py": "thing = 1\n",
    "one.py": "class One:\n    def __init__(self, level=1): self.level = level\n"
    "    def choose(self, board, limits): return 0\n",
    "broken.py": "def choose(board):\n    return (\n",
    "nothing.py": "def evaluate(own, opp): return 0\n",
    "kaggle.py": "def helper(a): return a\ndef my(obs, config): return 0\n",
    "two.py": "class A:\n    def choose(self, b, l): ...\nclass B(A):\n    pass\n",
    "values.py": "def evaluate(own, opp):\n    return 1\ndef by_column(own, opp, column):\n    return -column\n",
    "plain.txt": "no program\n",
    "here.sh": "#!/bin/sh\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "here.sh").chmod(0o755)
    shutil.copy(DATA / "engines" / "solver.py", tmp_path / "solver.py")
    (tmp_path / "net.onnx").touch()
    (tmp_path / "folder.py").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plugins, "installed", lambda group: {})  # what else is installed here
    for module in ("network.player", "bridges.openspiel"):
        monkeypatch.setattr(f"agents.{module}.find_spec", lambda name: name)  # nor what is not
    return tmp_path


REFUSED = {
    "powers-of-ten": "is a heuristic and no agent: alphabeta:heuristic=powers-of-ten",
    "centre": "is an ordering and no agent: alphabeta:order=centre", "medium:depth=3": "takes no parameters",
    "alphabets": "did you mean alphabeta", "HARD": "'HARD'", "Hard": "did you mean hard",
    "greedy:depth=3": "it takes none", "hard:": "nothing follows the last colon",
    "alphabeta:Depth=3": "did you mean depth",
    "alphabeta:tabel=on": "did you mean table or table-size", "alphabeta:depth = 3": "'depth '",
    "alphabeta:table_size=2,table-size=3": "is given twice", "alphabeta:heuristic=zero()": "takes no weights",
    "cmd:  ": "no command follows cmd:", "cmd:'": "No closing quotation", "cmd:./none": "there is no file",
    "cmd:there-is-no-such-program": "on the PATH", "uci:./here.sh;Hash": "is not option=value",
    "uci:./here.sh;=1": "is not option=value", "uci:./plain.txt": "cannot be executed", "pons:./here.sh;a=1": "no file",
    "kaggle:./none.py": "no file", "kaggle:bots.py;a=1": "it takes none", "openspiel:other": "'other'",
    "openspiel:bots.py": "write openspiel:FILE.py:NAME", "pettingzoo:random": "write pettingzoo:FILE.py:NAME",
    "pettingzoo:values.py:none": "no class or function 'none'", "onnx:": "no command follows",
    "onnx:none.onnx": "no file",
    "onnx:net.onnx;pick=best": "policy or value or puct", "onnx:net.onnx;nobody=1": "'nobody'",
    "llm:;x=1": "nothing follows llm:", "llm:a;legal=on;legal=off": "legal is given twice",
    "llm:a;max_tokens=5;max-tokens=6": "is given twice", "LLM:a": "'LLM'",
    "llm:a;prompt=plain.txt": "no position",
    "bots.py": "which agent", "bots.py:daring=2": "which agent", "bots.py:Edge:darin=2": "did you mean daring",
    "bots.py:Needs": "needs depth and width and side", "bots.py:evaluate": "needs own and opp", "bots": "mean bots.py",
    "broken.py": "line 2", "nothing.py": "defines no agent", "none.py": "there is no file none.py",
    "folder.py": "cannot be read",
    "alphabeta:heuristic=values.py": "write values.py:evaluate or values.py:by_column",
    "plain.txt": "'plain.txt': there are",
    "alphabeta:heuristic=none.py:evaluate": "no file none.py", "one.py:One:level": "not key=value",
    "./bots": "no file bots",
    "alphabeta:,depth=4": "'' is not key=value", "alphabeta:depth=4,,nodes=5": "'' is not key=value",
    "alphabeta:depth=4,": "'' is not key=value", "alphabeta:order=centre||left-to-right": "'order=' is not key=value",
    "alphabeta:depth=|4": "'depth=' is not key=value", "alphabeta:heuristic=windows(1,,2,3)": "'' is not a whole",
    "one.py:One:level=1,level=2": "is given twice", "kaggle.py:helper": "needs a",
}  # fmt: skip
"""Specs, and the essential words of the line that refuses them."""
ACCEPTED = {
    " alphabeta ": [("alphabeta", {})], "alphabeta:table_size=2": [("alphabeta", {"table_size": 2})],
    "alphabeta:depth=1|2,nodes=5": [("alphabeta", {"depth": 1, "nodes": 5}), ("alphabeta", {"depth": 2, "nodes": 5})],
    "one.py": [("one.py:One", {})], "one.py:level=2": [("one.py:One", {"level": 2})],
    "one.py:One:level=1..2": [("one.py:One", {"level": 1}), ("one.py:One", {"level": 2})],
    "one.py:One:level='a'": [("one.py:One", {"level": "a"})],
    "one.py:One:level=None": [("one.py:One", {"level": None})],
    "bots.py:Edge:daring=2": [("bots.py:Edge", {"daring": 2})], "bots.py:choose": [("bots.py:choose", {})],
    "kaggle.py:my": [("kaggle.py:my", {})], "sub/../one.py": [("sub/../one.py:One", {})],
    "two.py:B": [("two.py:B", {})],
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_a_spec_that_cannot_be_is_refused_in_one_line(folder, text):
    with pytest.raises(InputError) as raised:
        expand(text)
    assert REFUSED[text] in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_spec_stands_for_these_agents(folder, text):
    expected = ACCEPTED[text]
    assert [(spec.kind, dict(spec.parameters)) for spec in expand(text)] == expected


def state(agent):
    """Return the attributes of an agent that are settings, not what it has made ready."""
    found = {}
    for name, value in sorted(vars(agent).items()):
        if isinstance(value, Searcher):
            found[name] = state(value)
        elif value is None or isinstance(value, bool | int | float | str | tuple | Limits | Path):
            found[name] = value if not isinstance(value, Path) else value.name
    return found


OTHER = ("1", "2", "on", "off", "zero", "parity", "centre", "simple", "policy", "0.5", "forfeit", "random")


@pytest.mark.parametrize("name", [name for name in KINDS if name != "llm"])
def test_every_setting_but_the_size_of_an_unused_table_changes_its_agent(name):
    default = state(parse(name).build())
    for key, parameter in KINDS[name].parameters.items():
        if key == "threads":
            continue  # they show in the trees of a game alone
        for text in OTHER:
            try:
                differs = parameter.read(text) != parameter.default
            except InputError:
                continue
            table = ",table=on" if key == "table_size" and "table" in KINDS[name].parameters else ""
            before = state(parse(f"{name}:table=on").build()) if table else default
            assert (state(parse(f"{name}:{key}={text}{table}").build()) != before) == differs, f"{key}={text}"


@pytest.mark.parametrize(
    ("text", "name", "positions", "keywords"),
    [
        ("a", "a", (), {}), ("a()", "a", (), {}), ("a(1,-2)", "a", (1, -2), {}),
        ("a( 1 , b = 2 )", "a", (1,), {"b": 2}),
        ("a(+1,-0,b=+3)", "a", (1, 0), {"b": 3}), ("x.py:f", "x.py:f", (), {}), ("x.py(1)", "x.py", (1,), {}),
        ("x.py:f(two-three=4)", "x.py:f", (), {"two_three": 4}), ("x.py:f(1).py:g(2)", "x.py:f(1).py:g", (2,), {}),
    ],
)  # fmt: skip
def test_a_call_is_a_name_with_whole_numbers(text, name, positions, keywords):
    called = notation.call(text)
    assert (called.name, called.positions, called.keywords) == (name, positions, keywords)
    assert called.parentheses == text.endswith(")")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a(b=1,2)", "before"), ("a(b=1,b=2)", "twice"), ("a(b-c=1,b_c=2)", "twice"), ("a(1", "not closed"),
        ("a(1)x", "nothing may follow"), ("a)1(", "not opened"), ("a(1)(2)", "not opened"), ("a(b=)", "not a whole"),
        ("a(=1)", "neither"), ("a(1,)", "not a whole"), ("a(b==1)", "neither"), ("a(1e3)", "not a whole"),
        ("a(٣)", "not a whole"), ("a(9999999999999999999)", "not a whole"), ("a((1))", "not a whole"),
        ("a(1=2)", "neither"),
    ],
)  # fmt: skip
def test_a_call_that_is_none_is_refused(text, word):
    with pytest.raises(InputError, match=word):
        notation.call(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1", ["1"]), ("1..3", ["1", "2", "3"]), ("-2..1", ["-2", "-1", "0", "1"]), ("a|1..2", ["a", "1", "2"]),
        ("f(1..2,3)", ["f(1,3)", "f(2,3)"]), ("f(a|b)|c", ["f(a)", "f(b)", "c"]), ("f(x=1..2)", ["f(x=1)", "f(x=2)"]),
        ("1...3", ["1...3"]), ("1234567..1234568", ["1234567..1234568"]), ("", [""]), ("f(1..2)g", ["f(1..2)g"]),
        ("-5..-3", ["-5", "-4", "-3"]), ("-1..-1", ["-1"]), ("2|1..2", ["2", "1", "2"]),
        ("f(-2..-1)", ["f(-2)", "f(-1)"]),
        ("999999..999999", ["999999"]), ("-999999..-999999", ["-999999"]), ("1..-1234567", ["1..-1234567"]),
        ("|a||1..2|", ["", "a", "", "1", "2", ""]), ("f(1,,2|)", ["f(1,,2)", "f(1,,)"]), ("f(,)", ["f(,)"]),
        ("f(1|(2|3),4)", ["f(1,4)", "f((2),4)", "f((3),4)"]),
        ("+1..2", ["+1..2"]), ("1..+2", ["1..+2"]), ("--1..2", ["--1..2"]), ("1..--2", ["1..--2"]), ("1..x", ["1..x"]),
    ],
)  # fmt: skip
def test_choices_and_ranges_stand_for_values(text, values):
    assert notation.values(text) == values


def test_a_thousand_steps_and_ten_thousand_combinations_are_the_most():
    assert len(notation.values("1..1001")) == 1001
    assert len(notation.values("f(1..100,1..100)")) == 10_000
    assert notation.combinations(["a=f(1|2)", "b=x|y"]) == [
        ["a=f(1)", "b=x"], ["a=f(1)", "b=y"], ["a=f(2)", "b=x"], ["a=f(2)", "b=y"]
    ]  # fmt: skip
    for text in ("1..1002", "-1..1000", "3..1", "-1..-2", "f(1..101,1..100)"):
        with pytest.raises(InputError):
            notation.values(text)
    with pytest.raises(InputError, match="more than 10000"):
        notation.combinations(["a=1..101", "b=1..100"])


def test_a_file_is_read_with_all_files_of_its_folder_that_it_imports(folder):
    names = {str(path.relative_to(folder)) for path in outline.with_imports(folder / "bots.py")}
    assert names == {"bots.py", "helper.py", "twice.py", "other.py", "sub/__init__.py", "sub/deep.py", "sub/more.py"}
