"""Specs by the hundred: what each spelling becomes, or the line that refuses it; read from the registry itself.

A new kind or key is part of this without a line; `--write-pages` then records it.
"""

import dataclasses
import shutil
from pathlib import Path

import pytest
from recorded import holds, plain, tried
from samples import DATA

from agents import score
from agents.agent import Limits
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.specs import components, notation, outline, parameters, plugins, registry
from agents.specs import sources as written
from agents.specs.kinds import KINDS, LEVELS
from agents.specs.registry import expand, parse

TEXTS = (
    "0", "1", "2", "12", "63", "64", "65", "257", "65536", "65537", "1_000", "-1", "+3", "0.5", "1e3", "100.0",
    "100.5", "0.0001", "86400", "86401", "nan", "inf", "", " ", "on", "YES", "True", "off", "No", "false", "perhaps",
    "zero", "parity", "windows", "windows(1,2,3,4)", "smart-aware(1)", "centre", "simple", "aware", "8", "policy",
    "puct", "random", "forfeit", "grid", "moves", "own,top", "1,2", "0.5,1.5", "HOME", "A=B", "9" * 18, "9" * 19, "٣",
)  # fmt: skip
SETTINGS = (
    "alphabeta", " alphabeta ", "alphabeta:", "alphabeta:depth", "alphabeta:depth=", "alphabeta:=4",
    "alphabeta:depth=4",
    "alphabeta:depth=4,depth=5", "alphabeta:table-size=2,table=on", "alphabeta:table_size=2", "alphabeta:tabel=on",
    "alphabeta:depth=0", "alphabeta:seconds=1,nodes=5", "alphabeta:depth=2..4,order=centre|left-to-right",
    "alphabeta:depth=4..2", "alphabeta:depth=1..2|6", "alphabeta:heuristic=windows(1..2,3,4|5,6)", "alphabeta:a(b",
    "alphabeta:heuristic=windows", "alphabeta:heuristic=windows(1,2,3,4),", "alphabeta:heuristic=centre", "",
    "powers-of-ten", "centre", "windows(1,2,3,4)", "medium", "medium:depth=3", "master", "nobody", "alphabets",
    "perfect:seconds=5", "perfect", "mcts", "mcts:playouts=5", "random", "greedy:depth=3", "net:pick=puct",
    "cmd:", "cmd:   ", "cmd:'", "cmd:./none", "cmd:./here.sh -v 'a b'", "cmd:there-is-no-such-program",
    "uci:./here.sh;Hash=16",
    "uci:./here.sh;Hash", "uci:./here.sh;=1", "uci:./here.sh; Path=a b;c=", "uci:./here.sh 'x;y';z=1;w=a=b",
    "uci:./plain.txt",
    "pons:./here.sh;a=1", "kaggle:./bots.py", "kaggle:./none.py", "kaggle:bots.py;a=1",
    "openspiel:mcts", "openspiel:mcts;max_simulations=5", "openspiel:other", "openspiel:bots.py",
    "openspiel:bots.py:make",
    "pettingzoo:random", "pettingzoo:bots.py", "pettingzoo:bots.py:choose", "onnx:none.onnx", "llm:", "llm:some",
    "llm:;x=1",
    "llm:some@http://h:1/v1;prompt=grid;retries=0", "llm:some;retries=x", "llm:some;nobody=1", "llm:@",
    "llm:a;legal=on;legal=off",
    "bots.py", "bots.py:Edge", "bots.py:Edge:daring=2", "bots.py:Edge:darin=2", "bots.py:daring=2", "bots.py:None",
    "bots.py:choose", "bots.py:make:depth=1..3", "bots.py:Needs", "bots.py:Edge:side=3,python=./here.sh", "one.py",
    "one.py:level=2",
    "one.py:One:level=a", "one.py:", "broken.py", "nothing.py", "none.py", "none.py:X", "kaggle.py", "two.py",
    "plain.txt",
    "alphabeta:heuristic=values.py:evaluate", "alphabeta:heuristic=values.py:none",
    "alphabeta:heuristic=none.py:evaluate",
    "alphabeta:heuristic=values.py", "alphabeta:order=values.py:by_column,depth=2", "values.py", "values", "bots",
    "./bots",
    "alphabeta:table-size=2,table-size=3", "alphabeta:table_size=2,table-size=3", "alphabeta:table-size=2,table_size=2",
    "mcts:c=1,c=1", "HARD", "Hard", "Alphabeta", " hard ", "hard:", "easy:seconds=1..2", "alphabeta:Depth=3",
    "alphabeta:depth = 3", "alphabeta:depth=3 ,table=on", "alphabeta:depth=3;table=on", "alphabeta:depth=1|2,nodes=5",
    "alphabeta:depth=1..2,depth=3", "alphabeta:order=values.py:by_column|centre", "alphabeta:heuristic=zero()",
    "alphabeta:heuristic=windows(one=1,two=2,three=3,four=4)", "alphabeta:heuristic=windows(1,2,four=4,three=3)",
    "alphabeta:heuristic=aware(two-now=1)", "alphabeta:heuristic=windows()", "alphabeta:order=centre(1)",
    "alphabeta:heuristic=values.py:evaluate(1)", "alphabeta:heuristic=values.py:evaluate(w=1..2)",
    "llm:a@http://h;max-tokens=5", "llm:a;max_tokens=5;max-tokens=6", "llm:a|b;retries=1", "llm:a,b", "LLM:a",
    "llm:a;system=plain.txt;prompt=moves", "llm:a;prompt=plain.txt", "llm:a@http://h:1/;key-env=KEY",
    "llm:a;;legal=on;",
    "uci:./here.sh;Hash=1;Hash=2;Clear=", "uci:./here.sh;hash =1", "onnx:net.onnx", "onnx:net.onnx;pick=puct;batch=4",
    "onnx:net.onnx;pick=best", "onnx:net.onnx;simulations=5;simulations=6", "onnx:net.onnx;layout=own,top", "onnx:",
    "onnx:net.onnx;seconds=0", "onnx:sub/none.onnx", "onnx:net.onnx;nobody=1", "pettingzoo:values.py:evaluate",
    "pettingzoo:values.py:evaluate;a=1", "pettingzoo:values.py:none", "kaggle:kaggle.py", "kaggle:kaggle.py;a=1",
    "kaggle.py:my", "kaggle.py:helper", "./kaggle.py", "sub/../kaggle.py", "one.py:One:level=1..2", "one.py:level=1|a",
    "one.py:One:level=1,level=2", "one.py:One:level=[1,2]", "one.py:One:level='a'", "one.py:One:level=None",
    "one.py:One:python=./here.sh,level=2", "one.py:One:python=none", "one.py:One:", "one.py:One:level",
    "sub/deep.py:other",
    "two.py:A", "two.py:B", "two.py:C", "bots.py:_Hidden", "bots.py:Base", "bots.py:evaluate", "folder.py",
)  # fmt: skip
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


def neutral(value, folder):
    """Return plain data without the places of this machine."""
    if isinstance(value, str):
        return value.replace(str(folder), "FOLDER").replace(str(Path.cwd()), "HERE")
    if isinstance(value, list):
        return [neutral(each, folder) for each in value]
    return {key: neutral(each, folder) for key, each in value.items()} if isinstance(value, dict) else value


def seen(spec):
    """Return what a spec says of its agent."""
    said = [spec.text, spec.kind, spec.parameters, spec.resolved(), spec.deterministic, spec.has_process]
    return [*said, registry.package(spec.kind), tried(spec.source) if spec.has_process else None]


def test_every_spelling_of_a_spec_stays(folder, request):
    found = {}
    for text in SETTINGS:
        found[text] = tried(lambda text=text: [seen(spec) for spec in expand(text)])
        if "/" not in text and ".py" in text:
            found[f"{text} in a folder"] = tried(lambda text=text: seen(parse(text, str(folder / "sub" / ".."))))
    holds("specs", neutral(found, folder), request)


def read_of(read):
    """Return what a reader makes of the texts that it takes, and the lines in which it refuses others."""
    values = {text: tried(read, text) for text in TEXTS}
    refused = {text: each for text, each in values.items() if isinstance(each, str) and each.startswith("InputError")}
    lines = dict.fromkeys(each.replace(repr(text), "…") for text, each in refused.items())
    return {text: each for text, each in values.items() if text not in refused}, [*lines][:3]


def test_every_key_reads_what_it_read(request):
    found = {}
    for name, kind in KINDS.items():
        found[name] = [kind.chance, kind.first, tried(lambda name=name: seen(parse(name)))]
        for key, each in kind.parameters.items():
            found[f"{name}:{key}"] = [each.default, each.choices, *read_of(each.read)]
    found["levels"] = LEVELS
    for low, high in ((1, 64), (0, 5), (-3, 3)):
        found[f"{low} to {high}"] = [read_of(each(low, high)) for each in (parameters.whole, parameters.number)]
    holds("specs-keys", plain(found), request)


def state(agent):
    """Return the attributes of an agent that are settings, not what it has made ready."""
    found = {}
    for name, value in sorted(vars(agent).items()):
        if isinstance(value, Searcher):
            found[name] = state(value)
        elif value is None or isinstance(value, bool | int | float | str | tuple | Limits | Path):
            found[name] = value if not isinstance(value, Path) else value.name
    return found


def test_every_setting_reaches_its_agent(request):
    found = {}
    for name, kind in KINDS.items():
        if name == "llm":
            continue  # it wants its client; its own tests read what it asks with
        found[name] = state(parse(name).build())
        for key, each in kind.parameters.items():
            known = (text for text in TEXTS if text.strip() and not isinstance(tried(each.read, text), str))
            words = (text for text in TEXTS if tried(each.read, text) == text and text)
            for text in [*[text for text in known if each.read(text) != each.default][:2], *[*words][:2]]:
                made = tried(lambda text=text, name=name, key=key: state(parse(f"{name}:{key}={text}").build()))
                found[f"{name}:{key}={text}"] = (
                    made if isinstance(made, str) else {k: v for k, v in made.items() if v != plain(found[name]).get(k)}
                )
    holds("specs-agents", plain(found), request)


def test_the_notation_stays(request):
    calls = ("a", "a(1)", "a(1,-2)", "a(1,b=2)", "a(b=1,2)", "a(b=1,b=2)", "a()", "a( )", "a(1", "a(1)x", "a)1(",
    "x.py:f",
"a(b-c=1,b_c=2)", "a( 1 , b = 2 )", "a(+1,-0,b=+3)", "a(b=)", "a(=1)", "a(1,)", "a(1)(2)", "a())", "x.py(1)",
             "x.py:f(1).py:g(2)", "x.py:f(b=1,2)", "x.py:f(b=1,b=2)", "a(b=c)", "a(b==1)", "a(1e3)", "a(٣)",
             "x.py:f(1)", "x.py:f(two-three=4)", "a(1.5)", "a(+7)", "a(9999999999999999999)", "a((1))", "a(1=2)",
             "a(,)")  # fmt: skip
    values = ("1", "1..3", "3..1", "1..1001", "1..1002", "-2..1", "a|b", "a|1..2", "f(1..2,3)", "f(a|b)|c",
    "f(x=1..2)", "1...3",
              "f(1..100,1..100)", "f(1..101,1..100)", "1234567..1234568", "", "|", "f(1..2)g")  # fmt: skip
    settings = (["a=1..2", "b=x|y"], ["a"], [], ["f(1..2)"], ["a=f(1|2)", "b=3"], ["a=1..101", "b=1..100"])
    found = {
        "calls": {text: tried(notation.call, text) for text in calls},
        "values": {text: tried(notation.values, text) for text in values if "10" not in text},
        "numbers of values": {text: tried(lambda text: len(notation.values(text)), text) for text in values},
        "splits": {text: tried(notation.split, text, ",") for text in ("a,b", "a(b,c),d", "(", ")", "", ",",
        "a,(b|c,d)")},
        "combinations": [tried(notation.combinations, each) for each in settings[:-1]],
        "too many": tried(notation.combinations, settings[-1]),
        "every": tried(notation.every, ["a|b", "1..3"]),
    }  # fmt: skip
    for kind, table in components.TABLES.items():
        found[f"{kind}s"] = {
            name: [dataclasses.asdict(row), components.signature(name, row)] for name, row in table.items()
        }
        found[f"{kind} names"] = components.complete(table)
        found[f"{kind} known"] = {
            text: tried(components.checked_name, kind, text)
            for name in [*table, "nobody", "parities"] for text in (name, f"{name}(1,2,3)", f"{name}()")
        }  # fmt: skip
    texts = (
        "zero",
        "centre",
        "windows(1)",
        "alphabeta",
        "windows(1,2,3,4)",
        "aware(two=1)",
        "open-windows(1)",
        "zero(",
    )
    found["no agents"] = [tried(components.refuse_part, text) for text in texts]
    holds("specs-notation", plain(found), request)


SOURCES = {
    "kaggle by name": "def act(observation, configuration): ...\nagent = lambda obs: 0\n",
    "lambda": "def f(own, opp): ...\nmy_agent = lambda obs, conf: 0\n",
    "made": "class Maker: ...\nbot = Maker()\ndef make(a, b, c): ...\n",
    "made by a function": "def maker(x): ...\nbot = maker(1)\nother = print(2)\n",
    "three": "def one(obs): ...\ndef two(observation, config): ...\ndef three(obs, x): ...\n",
    "four": "def agent(board): ...\ndef choose(board): ...\n",
    "abstract": "from abc import ABC\nclass A(ABC):\n    def choose(self, b, l): ...\nclass C(A):\n"
    "    def choose(self, b, l): return 1\n"
    "class D(C):\n    def think(self): raise NotImplementedError\nclass E(D):\n    def think(self): return 2\n",
    "attribute base": "import x\nclass A(x.Agent): ...\nclass B(x.Agent):\n    def choose(self, board, limits): ...\n",
    "decorated": "@d\nclass A:\n    def choose(self, b, l): ...\nclass B:\n    @d\n"
    "    def __init__(self, a): ...\n    def choose(self, b, l): ...\n",
    "new": "class A:\n    def __new__(cls, a): ...\n    def choose(self, b, l): ...\nclass B(A, object):\n"
    "    pass\nclass C(metaclass=M):\n    def choose(self, b, l): ...\n",
    "keywords": "class A:\n    def __init__(self, a, /, b, *c, d, e=1, **f): ...\n    def choose(self, b, l): ...\n",
    "inherited": "class A(object):\n    def __init__(self, a): ...\nclass B(A):\n    def choose(self, b, l): ...\n"
    "class L(L): ...\n",
    "imports": "from a import *\nimport b.c as d, e\nfrom ..f import g\ntry:\n    import h\n"
    "except ImportError: pass\nx = 'data.csv'\n",
    "texts": f"'''{'long ' * 60}'''\ny = ['', 'a', '{'b' * 199}', '{'c' * 200}']\n",
    "only raises": "class A:\n    def choose(self, b, l): raise NotImplementedError\n",
    "built on": "class A:\n    def choose(self, b, l): pass\nclass B(A): ...\nclass C(Z): ...\nclass D(m.B): ...\n",
    "protocols": "from typing import Protocol\nclass A(Protocol):\n    def choose(self, b, l): return 1\n"
    "    def think(self): return 1\nclass B(A): ...\n",
    "hidden bases": "class _A:\n    def choose(self, b, l): return 1\nclass B(_A): ...\nclass _C(B): ...\n",
    "positions alone": "def two(a, b, /): ...\n", "one and a half": "def f(a, /, b, c=1): ...\n",
    "three positions": "def f(a, b, /, c): ...\n", "many with defaults": "def f(a, b, c=1, d=2, *, e): ...\n",
    "no positions": "def f(*, a): ...\n", "rest alone": "def f(*a): ...\n", "a heuristic last": "def f(a): ...\n"
    "def g(own, opp): ...\n", "choose last": "def f(a): ...\ndef choose(board): ...\n",
    "again": "def f(a): ...\nclass A: ...\ndef f(a, b): ...\n", "later a class": "def f(a): ...\nclass A: ...\n",
    "a number last": "def f(a): ...\nx = 3\n", "made of a class": "class A: ...\nx = A()\ny = x\n",
    "made by a method": "class A: ...\nx = A.make()\n", "two targets": "x = y = lambda o: 0\n",
    "a tuple": "x, y = 1, 2\nz = lambda o: 0\n", "typed": "def f(a): ...\nx: int = f(1)\n",
    "by name": "def act(a, b): ...\ndef my_agent(obs): ...\ndef agent(x): ...\n",
    "by parameters": "def a(obs): ...\ndef b(observation, conf): ...\ndef c(obs, x): ...\n",
    "async": "async def choose(board): ...\ndef f(a): ...\n",
    "makers": "class A(B): ...\nclass B: ...\nclass C(B, A): ...\nclass D(x.E): ...\nclass F(object):\n"
    "    def __init__(this, a, /, b=1, *c, d, e=2, **f): ...\ndef g(a, /, b=1, *c, d, e=2, **f): ...\n"
    "@d\ndef h(a): ...\n",
    "rounds": "class A(B): ...\nclass B(A): ...\ndef f(a): ...\nclass G(f): ...\n",
    "strings": "b'bytes'\nx = f'{1}part'\ny = 'tw' 'o'\n", "imports again": "import a, a.b\nfrom . import c, c as d\n"
    "from .. import *\nfrom e.f import g\ndef h():\n    import i\n",
    "no author": "x = 1\n", "author": '"""\n\nLate"""\n', "nothing": "", "wrong": "def f(:\n",
}  # fmt: skip


def test_what_is_seen_of_a_file_stays(folder, request):
    found = {name: plain(outline._parsed("x.py", text.encode())) for name, text in SOURCES.items()}
    for name in FILES:
        if name.endswith(".py"):
            path = folder / name
            found[name] = [plain(outline.inspect_source(path)), tried(outline.defined, path),
                           sorted(str(each.relative_to(folder)) for each in outline.with_imports(path))] if (
                               name != "broken.py") else tried(outline.defined, path)  # fmt: skip
    cases = (("Edge", ["daring"]), ("Edge", ["darin"]), ("Needs", []), ("Needs", ["depth", "width", "side"]), ("Base",
    ["x"]),
             ("make", []), ("make", ["depth"]), ("choose", []), ("choose", ["x"]), ("evaluate", []), ("Nobody",
             ["x"]))  # fmt: skip
    found["misfits"] = [tried(outline.refuse_misfit, folder / "bots.py", name, given, "here") for name, given in cases]
    found["missing"] = tried(outline.inspect_source, folder / "none.py")
    found["a folder"] = tried(outline.inspect_source, folder / "folder.py")
    found["misfits of others"] = [
        tried(outline.refuse_misfit, folder / file, name, given, "here")
        for file, name, given in (
            ("kaggle.py", "my", []),
            ("kaggle.py", "my", ["a"]),
            ("kaggle.py", "helper", []),
            ("two.py", "B", ["a"]),
            ("one.py", "One", ["level", "lever"]),
            ("one.py", "One", ["lever", "level"]),
            ("values.py", "evaluate", ["own"]),
        )
    ]
    (folder / "large.py").write_text("#" * (outline.LARGEST + 1), encoding="utf-8")
    found["large"] = tried(outline.inspect_source, folder / "large.py")
    (folder / "longer.py").write_text("def choose(board): ...\n" + "# x\n" * outline.LARGE, encoding="utf-8")
    found["longer"] = plain(outline.inspect_source(folder / "longer.py"))
    names = ((), ("obs",), ("observation", "config"), ("observation", "x"), ("board",), ("obs", "conf", "conf2"))
    found["kaggle"] = [outline.is_kaggle(each) for each in names]
    holds("specs-outlines", neutral(found, folder), request)


def test_what_a_name_stands_for_stays(folder, request):
    table = {"joined": "os.path:join", "gone": "os:nothing"}
    texts = ("joined", "join", "values.py:evaluate", "values.py:none", "values.py:WORD", "none.py:x", "broken.py:x",
    "values.py",
             "values", "sub/none", "bots.py:WORD", "folder.py", "Joined", "one.py", "sub/deep.py",
             "./values.py:evaluate", "values.py:by_column", "nothing.py", "two.py:A", "plain.txt")  # fmt: skip
    found = {}
    for kind in ("agent", "heuristic", "ordering"):
        for text in texts:
            found[f"{kind} {text}"] = tried(lambda kind=kind, text=text: plugins.find(kind, text, table).__name__)
            found[f"{kind} {text} known"] = tried(plugins.must_be_known, kind, text, table)
    errors = (
        ValueError("one\ntwo"),
        KeyError("x"),
        ValueError(),
        plugins.PlainError("whole"),
        OSError(2, "no"),
        ValueError("x" * 400),
    )
    found["lines"] = [plugins.format_error(error) for error in errors]
    sources = (("bots.py", "", {}), ("bots.py", "Edge", {"a": 1}), ("bots.py", "Nobody", {}), ("none.py", "", {}),
    ("one.py", "", {"python": "./here.sh"}),
               ("one.py", "", {"python": "./plain.txt"}), ("one.py", "", {"python": "./none"}), ("helper.py", "x",
               {}), ("two.py", "", {"b": 2, "a": 1}), ("broken.py", "",
               {}), ("broken.py", "x", {}), ("one.py", "Ona", {}), ("bots.py", "evaluate", {}), ("bots.py", "os", {}),
               ("nothing.py", "none", {}))  # fmt: skip
    for file, name, options in sources:
        found[f"source {file} {name} {options}"] = tried(written.python, folder / file, name, options)
    for text in SETTINGS:
        found[f"{text}?"] = [
            written.is_python(text),
            written.is_command(text),
            written.is_whole(text),
            written.semicolons(text),
        ]
        if written.is_command(text):
            found[f"command {text}"] = tried(written.command, text, str(folder), [("A", "b")])
    holds("specs-names", neutral(found, folder), request)


def test_scores_and_boards_in_words_stay(request):
    numbers = (0, 5, -7, 899_999, 900_000, 900_001, 999_999, 999_997, -999_996, 1_000_000, 1_000_001, -1_000_001)
    found = {
        "scores": [[each, score.proven(each), score.in_words(each), score.one_ply_earlier(each),
        score.sign(each)] for each in numbers],
        "plies": [score.plies_to_end(each) for each in numbers if score.proven(each)],
        "none": score.in_words(None),
        "coerced": [score.coerce_score(each) for each in (None, 3, 2.5, 3.5, -0.4, True, "4", 1 << 63, (1 << 63) - 1,
        float("nan"), 1j, 1e300)],
        "ending": [score.ending(sign, plies) for sign in (1, 0, -1) for plies in (1, 2, 9)],
        "in plies": {moves: [score.from_solver_score(each, Board.from_moves(moves)) for each in (-18, -3, -1, 0, 1, 2,
        18)] for moves in ("", "4", "44")},
        "rules": {text: tried(lambda text=text: str(Rules.parse(text))) for text in (
            "7x6", "9x6x5", "most-fours", "standard", "7x6x4:most-fours", "5x4:x", "7", "0x6", "8x8", "9x6x10",
            "7x6x1", "1x4", "7x6x4x2", "64x0")},
        "moves": {text: tried(lambda text=text: str(Board.from_moves(text))) for text in ("", "4", "4453", "4444444",
        "8", "0", "x", "1212121", "12121212", "4 4\n5")},
        "wide": {text: tried(lambda text=text: Board.from_moves(text, Rules(12, 4)).text) for text in ("1,12", "112",
        "13", "1,,2", "")},
        "limits": [Rules(6, 5, 3).line(0b111), Rules(6, 5, 3).fours(0b1111), Rules(most_fours=True).decisive,
        Rules().decisive],
    }  # fmt: skip
    holds("specs-boards", plain(found), request)
