"""What the text of a file tells of the agents in it, before any of it is run."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from agents.errors import InputError
from agents.specs import outline as module
from agents.specs.outline import LARGE, LONGEST_TEXT, SECONDS, Parameters, defined, inspect_source, with_imports
from agents.specs.registry import parse

BOTS = """
import dataclasses
from elsewhere import Base

class Edge:
    def __init__(self, daring=0.1, *, side=0): ...
    def choose(self, board, limits): ...

class Deep(Edge):
    pass

class Needs:
    def __init__(self, depth, width, name="x", *, side): ...

class Plain:
    def choose(self, board): ...

class Open:
    def __init__(self, depth, **rest): ...

class All:
    def __init__(self, **settings): ...

class Far(Base): ...

@dataclasses.dataclass
class Data:
    depth: int

def choose(board): ...

def look(obs, config): ...

def make(depth, width=3): ...
"""

REFUSED = [
    ("Edge:darin=0.3", "'darin': did you mean daring"),
    ("Deep:darin=0.3", "'darin': did you mean daring"),
    ("Edge:qqq=0.3", "'qqq': there are daring, side"),
    ("Needs", "Needs needs depth and width and side: write .*bots.py:Needs:depth=…,width=…,side=…"),
    ("Needs:depth=1,side=2", "Needs needs width"),
    ("Plain:depth=3", "Plain takes no parameters"),
    ("Open", "Open needs depth: write .*=…$"),
    ("choose:depth=3", "'depth': there are board"),
    ("look:depth=3", "'depth': there are config, obs"),
    ("make:width=1", "make needs depth: .*=…; a function that is the agent calls its first parameter board"),
]
TAKEN = ["Edge", "Edge:side=1,daring=2", "Deep:daring=2", "Needs:depth=1,width=2,side=3", "Plain", "choose", "look"]
TAKEN += ["Open:depth=1,other=2", "Far:anything=1", "All:some=1", "Data:anything=1", "make:depth=2"]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


@pytest.mark.parametrize(("rest", "message"), REFUSED)
def test_a_parameter_that_an_agent_of_a_file_does_not_take_is_refused_before_it_is_run(
    bots: Path, rest: str, message: str
) -> None:
    with pytest.raises(InputError, match=f"agent '.*{rest.partition(':')[0]}.*': .*{message}"):
        parse(f"{bots}:{rest}")


@pytest.mark.parametrize("rest", TAKEN)
def test_what_it_takes_or_may_take_passes(bots: Path, rest: str) -> None:
    assert parse(f"{bots}:{rest}").kind.startswith(str(bots))


def test_a_file_that_has_a_heuristic_and_no_agent_says_what_searches_with_it(tmp_path: Path) -> None:
    path = tmp_path / "centre.py"
    path.write_text("def evaluate(own, opp):\n    return 0\n")
    with pytest.raises(InputError, match=r"defines no agent: .*; alphabeta:heuristic=.*centre\.py:evaluate searches"):
        parse(str(path))


SEVERAL = [
    (
        "class Bob:\n    def choose(self, board, limits): return 0\n",
        "which agent\\?.*defines Bob, Bill",
    ),
    ("class Bob:\n    def choose(self, board, limits): raise NotImplementedError\n", ""),
    ("class Bob:\n    def choose(self, board, limits): ...\n", ""),
    ("class Bob:\n    def choose(self, board, limits): pass\n", ""),
    ('class Bob:\n    def choose(self, board, limits):\n        """Say."""\n        ...\n', ""),
    ("class Bob:\n    def value(self): ...\n    def choose(self, board, limits): return 0\n", ""),
    ("class Bob:\n    def value(self): pass\n    def choose(self, board, limits): return 0\n", "defines Bob, Bill"),
    ("class Bob:\n    def choose(self, board, limits): return ...\n", "defines Bob, Bill"),
    ("from typing import Protocol\nclass Bob(Protocol):\n    def choose(self, board, limits): return 0\n", ""),
    ('class Bob:\n    def value(self):\n        """Say."""\n    def choose(self, board, limits): return 0\n', ""),
    ("import abc\nclass Bob(abc.ABC):\n    def choose(self, board, limits): return 0\n", ""),
    ("class _Bob:\n    def choose(self, board, limits): return 0\nBob = _Bob\n", ""),
]


@pytest.mark.parametrize(("base", "message"), SEVERAL)
def test_of_several_classes_one_must_be_named_but_for_what_others_only_build_on(
    tmp_path: Path, base: str, message: str
) -> None:
    path = tmp_path / "bob.py"
    name = "_Bob" if "_Bob" in base else "Bob"
    path.write_text(f"{base}class Bill({name}):\n    def choose(self, board, limits): return 1\n")
    if message:
        with pytest.raises(InputError, match=message):
            parse(str(path))
    else:
        assert defined(path) == "Bill"


def test_a_misspelt_class_is_answered_with_the_near_one(bots: Path) -> None:
    with pytest.raises(InputError, match="'Deap': did you mean Deep"):
        parse(f"{bots}:Deap").source()


@pytest.mark.parametrize(
    "error", [subprocess.TimeoutExpired("python", 4), subprocess.CalledProcessError(-24, "python")]
)
def test_a_large_file_that_takes_too_long_is_told_the_limits(tmp_path, monkeypatch, error):
    def refused(*words, **rest):
        raise error

    path = tmp_path / "large.py"
    path.write_text("#" * LARGE + f"\n# {error}\n")
    monkeypatch.setattr(subprocess, "run", refused)
    with pytest.raises(InputError) as raised:
        inspect_source(path)
    assert str(raised.value) == f"{path} cannot be read: that takes more than {SECONDS} s or 1024 MB"


ENDS = {
    "fails": "raise SystemExit(1)",
    "raises": "raise MemoryError",
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "fails after an answer": """print('", line 1: invalid syntax"', flush=True); raise SystemExit(3)""",
}


@pytest.mark.parametrize("how", ENDS)
def test_a_large_file_whose_reader_ends_without_an_outline_is_told_the_limits(tmp_path, monkeypatch, how):
    path = tmp_path / "large.py"
    path.write_text("#" * LARGE + f"\n# its reader {how}\n")
    monkeypatch.setattr(module, "_BEGIN", ENDS[how])
    with pytest.raises(InputError) as raised:
        defined(path)
    assert str(raised.value) == f"{path} cannot be read: that takes more than {SECONDS} s or 1024 MB"


def test_a_large_file_is_parsed_within_limits_of_time_and_memory(monkeypatch, capsys):
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda kind, both: limits.update({kind: both}))
    for source in (b"class A:\n    def choose(self, b, l): ...\n", b"def f(:\n"):
        monkeypatch.setattr(sys, "argv", ["-c", "somewhere", "name.py", "7"])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
        module.main()
        told = json.loads(capsys.readouterr().out)
        expected = module._parsed("name.py", source)
        assert told == (expected if isinstance(expected, str) else asdict(expected))
    assert limits == {resource.RLIMIT_CPU: (7, 7), resource.RLIMIT_DATA: (1 << 30, 1 << 30)}


def test_limits_that_a_system_refuses_are_left(monkeypatch, capsys):
    def refuses(kind, both):
        raise ValueError

    monkeypatch.setattr(resource, "setrlimit", refuses)
    monkeypatch.setattr(sys, "argv", ["-c", "somewhere", "name.py", "7"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    module.main()
    assert json.loads(capsys.readouterr().out)["agents"] == []


def test_what_a_large_file_defines_is_what_a_small_one_would(tmp_path, monkeypatch):
    text = BOTS + "import helper\nfrom . import other\nX = 'a.csv'\n"
    small, large = tmp_path / "small.py", tmp_path / "large.py"
    small.write_text(text)
    large.write_text(text + "#" * LARGE)
    asked = []
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *words, **rest: asked.append((words, rest)) or run(*words, **rest))
    found = inspect_source(small)
    assert not asked
    seen = inspect_source(large)
    assert replace(seen, imports=[(level, name) for level, name in seen.imports]) == found
    assert len(asked) == 1
    assert asked[0][0][0][1:5] == ["-I", "-S", "-X", "utf8"]
    assert asked[0][0][0][-3:] == [str(Path(module.__file__).parents[2]), str(large), str(SECONDS)]
    assert {name: asked[0][1][name] for name in ("timeout", "check", "input")} == {
        "timeout": 4 * SECONDS, "check": True, "input": large.read_bytes(),
    }  # fmt: skip
    large.write_text(text + "#" * (LARGE - len(text)))
    inspect_source(large)
    assert len(asked) == 1  # as large as a small one may be


def test_functions_within_methods_make_no_agent(tmp_path: Path) -> None:
    path = tmp_path / "inner.py"
    path.write_text(
        "class A:\n    def make(self):\n        def choose(board): return 0\n        return choose\n"
        "class B:\n    class Inner:\n        def __init__(self, depth): ...\n    def choose(self, board): return 0\n"
        "def outer():\n    def act(obs): return 0\n    class Far:\n        def choose(self, b, l): return 0\n"
    )
    found = inspect_source(path)
    assert found.agents == ["B"]
    assert found.makers["B"].names == []
    assert {*found.functions} == {"outer"}
    assert {"choose", "act", "Far", "Inner"} <= {*found.names}


FOLDER = {
    "bot.py": "import pkg.a, pkg.deep.lower.far\ndef choose(board): return 0\n",
    "pkg/__init__.py": "",
    "pkg/a.py": "from .b import f\nfrom . import c\nfrom .deep.d import g\n",
    "pkg/b.py": "import os\n",
    "pkg/c.py": "from .missing import x\nfrom ... import bot\n",
    "pkg/deep/d.py": "from ..e import h\nfrom .. import k\n",
    "pkg/deep/lower/__init__.py": "",
    "pkg/deep/lower/far.py": "from pkg.deep.lower.near import nearer\n",
    "pkg/deep/lower/near.py": "",
    "pkg/deep/lower/unused.py": "",
    "pkg/e.py": "",
    "pkg/k.py": "from b import y\n",
    "pkg/unused.py": "",
    "b.py": "",
    "c.py": "",
    "e.py": "",
    "os.txt": "",
}


def test_a_relative_import_is_of_the_package_and_an_absolute_one_of_the_folder(tmp_path):
    for name, text in FOLDER.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = {str(path.relative_to(tmp_path)) for path in with_imports(tmp_path / "bot.py")}
    unused = {"pkg/unused.py", "pkg/deep/lower/unused.py", "c.py", "e.py", "os.txt"}
    assert found == FOLDER.keys() - unused
    assert inspect_source(tmp_path / "pkg" / "deep" / "d.py").imports == [(2, "e.h"), (2, "k")]


def test_a_class_has_the_parameters_and_the_choice_of_its_base_class_in_a_file_beside(tmp_path: Path) -> None:
    files = {
        "search": "class Minimax:\n    def __init__(self, depth=4): ...\n    def choose(self, board, limits): ...\n",
        "middle": "import search\nclass Wide(search.Minimax): ...\n",
        "main": "from middle import Wide\nclass AlphaBeta(Wide): ...\nclass _Hid(Wide): ...\nclass Far(Foreign): ...\n",
        "torn": "from broken import Base\nclass Torn(Base):\n    def choose(self, board): ...\n",
        "broken": "class Base(:\n",
        "round": "from around import A\nclass B(A): ...\n",
        "around": "from round import B\nclass A(B): ...\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    found = inspect_source(tmp_path / "main.py")
    assert found.agents == ["AlphaBeta"]
    assert {name: maker.names for name, maker in found.makers.items()} == {"AlphaBeta": ["depth"], "_Hid": ["depth"]}
    assert (inspect_source(tmp_path / "torn.py").agents, inspect_source(tmp_path / "torn.py").makers) == (["Torn"], {})
    assert inspect_source(tmp_path / "round.py").agents == []


def test_a_file_that_cannot_be_parsed_is_told_with_the_line_where_there_is_one(tmp_path):
    path = tmp_path / "bot.py"
    for text, told in (
        ("x = 1\ndef choose(board:\n", f"{path}, line 2: "),
        ("x = 1\0", f"{path}(:| cannot be read:) source code string cannot contain null bytes$"),
        ("x = 1\n\n" + "(" * 5000, f"{path}(, line 3:| cannot be read:) "),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=f"^{told}") as raised:
            inspect_source(path)
        assert "None" not in str(raised.value)


def test_of_two_files_with_a_class_of_one_name_the_first_has_its_parameters(tmp_path):
    base = "class Base:\n    def __init__(self, {0}=1): pass\n{1}"
    choose = "    def choose(self, board, limits): return 0\n"
    (tmp_path / "early.py").write_text(base.format("early", ""))
    (tmp_path / "late.py").write_text(base.format("late", choose) + "class Other(Base): ...\n")
    (tmp_path / "main.py").write_text("import late, early\nclass Bot(early.Base): ...\nclass Two(late.Other): ...\n")
    found = inspect_source(tmp_path / "main.py")
    assert {name: maker.names for name, maker in found.makers.items()} == {"Bot": ["early"], "Two": ["late"]}
    assert found.agents == ["Bot", "Two"]  # either file may be meant


def test_an_agent_of_a_folder_is_not_in_the_folders_below_it(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "helper.py").touch()
    (tmp_path / "sub" / "helper.py").touch()
    (tmp_path / "sub" / "more.py").write_text("import helper\nfrom . import helper as other\nfrom .... import far\n")
    (tmp_path / "bot.py").write_text("import numpy\nimport sub.more\nimport bot\n")
    found = {str(path.relative_to(tmp_path)) for path in with_imports(tmp_path / "bot.py")}
    assert found == {"bot.py", "sub/more.py", "helper.py", "sub/helper.py"}
    assert with_imports(tmp_path / "sub" / "more.py") == {tmp_path / "sub" / "more.py", tmp_path / "sub" / "helper.py"}
    assert with_imports(tmp_path / "none.py") == {tmp_path / "none.py"}


def test_a_class_whose_base_is_a_function_shows_no_parameters(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("def make(depth=4): ...\nclass Bot(make):\n    def choose(self, board, limits): ...\n")
    assert (inspect_source(path).agents, inspect_source(path).makers.keys() & {"Bot"}) == (["Bot"], set())


LAST = {
    "def one(obs): ...\ndef two(obs, conf): ...": "two",
    "def one(obs): ...\ndef two(a, b, c): ...": "",
    "def one(a, b, c=1): ...": "one",
    "def one(): ...": "",
    "def evaluate(own, opp): ...": "",
    "def choose(board): ...": "",
    "def one(obs): ...\nclass Two: ...": "",
    "def one(obs): ...\nclass Two:\n    def __call__(self, obs): ...": "",
    "class Two:\n    def __call__(self, obs): ...\ntwo = Two()": "two",
    "def one(a, b, /, c): ...": "",
    "def one(obs, /, b): ...": "one",
    "def one(*, obs): ...": "",
    "def one(obs): ...\nimport other\ntwo = other.make()": "one",
    "def one(obs): ...\ntwo = one": "one",
    "two = lambda obs: 0": "two",
    "def make(): ...\ntwo = make()": "two",
    "class Make: ...\ntwo = Make()": "two",
    "two = open()": "",
    "def one(obs): ...\nx = 3": "one",
    "def one(obs): ...\ndef two(): ...\ndef one(obs): ...": "",
    "": "",
}


@pytest.mark.parametrize("text", LAST)
def test_kaggles_agent_is_what_was_first_defined_last_if_it_takes_an_observation(tmp_path, text):
    (tmp_path / "bot.py").write_text(text)
    assert inspect_source(tmp_path / "bot.py").last == LAST[text]


@pytest.mark.parametrize(
    ("names", "agents"),
    [("my_agent act agent choose", ["choose"]), ("my_agent act agent", ["agent"]), ("my_agent act", ["act"]),
     ("other my_agent", ["my_agent"]), ("other", [])],
)  # fmt: skip
def test_a_function_is_an_agent_by_its_name_or_else_the_last_one_by_kaggles_parameters(tmp_path, names, agents):
    def outline(parameters):
        text = "".join(f"def {name}({parameters}): ...\n" for name in names.split())
        (tmp_path / "bot.py").write_text(text)
        return inspect_source(tmp_path / "bot.py")

    assert outline("board").agents == agents
    for parameters in ("obs", "observation, configuration", "obs, conf"):
        assert outline(parameters).agents == (agents or ["other"])
    for parameters in ("obs, conf, more", "obs, board", "conf", ""):
        assert outline(parameters).agents == agents
    (tmp_path / "bot.py").write_text("def one(obs): ...\ndef two(obs): ...\n")
    assert inspect_source(tmp_path / "bot.py").agents == ["two"]


def test_parameters_that_are_given_by_name_alone_make_no_other_function_of_it(tmp_path):
    (tmp_path / "bot.py").write_text(
        "def value(own, opp, *, depth=3): ...\ndef other(opp, own): ...\ndef more(own, opp, depth=3): ...\n"
        "def see(obs, conf, *, depth=3, **rest): ...\nasync def late(obs): ...\n"
    )
    found = inspect_source(tmp_path / "bot.py")
    assert found.functions == {
        "value": ["own", "opp"], "other": ["opp", "own"], "more": ["own", "opp", "depth"], "see": ["obs", "conf"],
    }  # fmt: skip
    assert (found.heuristics, found.agents) == (["value"], ["see"])
    assert {name: (maker.names, maker.needed, maker.others) for name, maker in found.makers.items()} == {
        "value": (["own", "opp", "depth"], ["own", "opp"], False), "other": (["opp", "own"], ["opp", "own"], False),
        "more": (["own", "opp", "depth"], ["own", "opp"], False),
        "see": (["obs", "conf", "depth"], ["obs", "conf"], True),
    }  # fmt: skip


HIDDEN = [
    "class A(metaclass=M):\n    def __init__(self, depth): ...",
    "class A:\n    def __new__(cls, depth): ...\n    def __init__(self, depth): ...",
    "class A:\n    @wrapped\n    def __init__(self, depth): ...",
    "@wrapped\nclass A:\n    def __init__(self, depth): ...",
    "class A(B, C):\n    pass\nclass B: ...\nclass C: ...",
    "class A(A):\n    pass",
]


def test_parameters_are_those_that_the_text_shows(tmp_path):
    for text in HIDDEN:
        (tmp_path / "bot.py").write_text(text)
        assert "A" not in inspect_source(tmp_path / "bot.py").makers
    text = "class A:\n    def __init__(self, one, /, two, three=3, *, four, five=5): ...\nclass B(object): ...\n"
    (tmp_path / "bot.py").write_text(f"{text}def f(one, /, two=2, *, three): ...\n")
    made = inspect_source(tmp_path / "bot.py").makers
    assert made["A"] == Parameters(
        ["one", "two", "three", "four", "five"], ["one", "two", "four"], others=False, of_class=True
    )
    assert made["B"] == Parameters([], [], others=False, of_class=True)
    assert made["f"] == Parameters(["one", "two", "three"], ["one", "three"], others=False, of_class=False)


def test_an_outline_has_the_authors_line_and_the_short_texts_and_names_of_a_file(tmp_path):
    long = "x" * LONGEST_TEXT
    (tmp_path / "bot.py").write_text(f'"""\nAnn\n\nmore"""\nfrom a import b as c\nd = "{long}", "{long[1:]}", "", e\n')
    found = inspect_source(tmp_path / "bot.py")
    assert (found.author, found.names) == ("Ann", ["c", "d", "e"])
    assert [text for text in found.texts if "Ann" not in text] == [long[1:]]
    (tmp_path / "bot.py").write_text("e = 1\n")
    assert inspect_source(tmp_path / "bot.py").author == ""


def test_a_file_is_read_up_to_a_megabyte(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=f"^{tmp_path} cannot be read: Is a directory$"):
        inspect_source(tmp_path)
    path = tmp_path / "bot.py"
    monkeypatch.setattr(module, "LARGEST", 100)
    path.write_text("#" * 100)
    assert inspect_source(path).agents == []
    path.write_text("#" * 101)
    with pytest.raises(InputError) as raised:
        inspect_source(path)
    assert str(raised.value) == f"{path} is larger than 0 MB"


def test_a_name_that_a_star_may_have_imported_is_asked_for_when_the_file_is_run(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("from helper import *\n")
    assert parse(f"{path}:Bot").source().words == (str(path), "Bot")
    path.write_text("from helper import Other\n")
    with pytest.raises(InputError, match=r"has no class or function 'Bot'$"):
        parse(f"{path}:Bot").source()
