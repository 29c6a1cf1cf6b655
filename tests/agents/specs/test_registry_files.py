"""Specs of agents in files."""

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.specs.plugins import reader
from agents.specs.registry import expand, parse

MINE = """
from agents import Analysis

class Fixed:
    def __init__(self, column=3, name="it"):
        if column == 9:
            raise ValueError("nine is too many\\nreally")
        self.column = column
        self.name = name

    def choose(self, board, limits):
        return Analysis(self.column)

class Mute:
    pass

number = 4
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_an_agent_in_a_file_takes_its_keys_as_they_read(mine):
    assert parse(f"{mine}:Fixed").build().column == 3
    agent = parse(f"{mine}:Fixed:column=5,name=she").build()
    assert (agent.column, agent.name) == (5, "she")
    assert [spec.text for spec in expand(f"{mine}:Fixed:column=1..2")] == [
        f"{mine}:Fixed:column=1",
        f"{mine}:Fixed:column=2",
    ]
    assert parse(f"{mine}:Fixed:column=5").resolved() == {"column": 5}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0.5", -0.5), ("0x10", 16), ("1_0", 10), ("'5'", "5"), ("[1]", [1]), ("(1,2)", (1, 2)), ("None", None),
        ("True", True), ("true", "true"), ("007", "007"), ("She", "She"), ("A b.TXT", "A b.TXT"), ("a==b", "a==b"),
        ("1+1", "1+1"), ("f(1,2)", "f(1,2)"), ("[" * 300, "[" * 300), ("1+" * 5000 + "1j", "1+" * 5000 + "1j"),
        ("-" * 9000 + "1", "-" * 9000 + "1"), ("\0", "\0"), ("x.py", "x.py"),
    ],
    ids=lambda value: str(value)[:9].replace("\0", "zero"),
)  # fmt: skip
def test_a_setting_of_a_file_is_a_value_of_python_or_else_its_text(mine, text, value):
    agent = parse(f"{mine}:Fixed:name={text}").build()
    assert (agent.name, type(agent.name), agent.column) == (value, type(value), 3)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (":Fixed:column=9", "cannot be made: ValueError: nine is too many"),
        (":Fixed:colour=9", "'colour': did you mean column?"),
        (":Mute", "has no method choose(board, limits)"),
        (":Absent", "has no function or class 'Absent'"),
        (":number", "has no function or class 'number'"),
    ],
)
def test_an_agent_in_a_file_that_cannot_be_made_says_why(mine, rest, message):
    with pytest.raises(InputError) as error:
        parse(f"{mine}{rest}").build()
    assert str(error.value).endswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import nonesuch", "does not import: ModuleNotFoundError: No module named 'nonesuch'"),
        ("def f(:", "broken.py, line 1: invalid syntax"),
        ("raise SystemExit(3)", "does not import: SystemExit: 3"),
    ],
)
def test_a_file_that_does_not_import_says_why(tmp_path, source, message):
    path = tmp_path / "broken.py"
    path.write_text(source)
    for _ in range(2):
        with pytest.raises(InputError) as error:
            parse(f"{path}:Agent").build()
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_a_heuristic_of_a_folder_stands_in_the_parameters_as_it_was_written(tmp_path):
    (tmp_path / "own.py").write_text("def evaluate(own, opp):\n    return 0\n")
    spec = parse("alphabeta:heuristic=own.py:evaluate", str(tmp_path))
    assert spec.resolved()["heuristic"] == "own.py:evaluate"  # wherever the folder is moved


def test_signs_in_the_paths_of_files_that_are_there_split_no_spec(tmp_path):
    for name in ("a,b=c.py", "own|2..3;x=y.py", "last;one=1.py"):
        text = "def play(x, y): return 0\n" if "last" in name else MINE + "def evaluate(own, opp): return 0\n"
        (tmp_path / name).write_text(text)
    for name in ("engine,a;b=c", "net;1=2.nnue"):
        (tmp_path / name).touch(mode=0o755)
    here = str(tmp_path)
    for name in ("a,b=c.py", "own|2..3;x=y.py"):
        specs = expand(f"alphabeta:heuristic={name}:evaluate,depth=1..2", here)
        assert [spec.parameters for spec in specs] == [
            {"heuristic": f"{name}:evaluate", "depth": depth} for depth in (1, 2)
        ]
        specs = expand(f"{name}:Fixed:column=2|4,name=net;1=2.nnue", here)
        assert [spec.parameters for spec in specs] == [{"column": column, "name": "net;1=2.nnue"} for column in (2, 4)]
        assert [spec.kind for spec in specs] == [f"{name}:Fixed"] * 2
        assert expand(name, here)[0].source(here).words == (f"{here}/{name}", "Fixed")
    assert parse("last;one=1.py", here).parameters == parse("kaggle:last;one=1.py", here).parameters
    assert parse("last;one=1.py", here).parameters == {"from": "last;one=1.py"}
    source = parse("uci:./engine,a;b=c -q;Eval=net;1=2.nnue;Hash=2", here).source(here)
    assert source.words == (f"{here}/engine,a;b=c", "-q")
    assert source.options == (("Eval", "net;1=2.nnue"), ("Hash", "2"))


def test_files_of_two_folders_import_neighbours_of_their_own(tmp_path):
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "helper.py").write_text(f"COLUMN = {number}\n")
        (folder / "bot.py").write_text("import helper\ndef choose(board):\n    return helper.COLUMN\n")
    agents = [parse(f"{tmp_path / str(number)}/bot.py").build() for number in (1, 2)]
    assert [agent.choose(Board(), Limits()) for agent in agents] == [1, 2]


def test_modules_are_read_from_an_agents_folder_and_not_from_known_ones_in_it(tmp_path):
    for name in ("agents/tools/deep", "agents/env/lib/deep", "other"):
        (tmp_path / name).mkdir(parents=True)
    hook = reader(tmp_path / "agents", [tmp_path, tmp_path / "agents" / "env"])
    for name in ("agents", "agents/tools", "agents/tools/deep"):
        assert hook(str(tmp_path / name)).path == str(tmp_path / name)
    for name in ("other", "agents/env", "agents/env/lib", "agents/env/lib/deep", "."):
        with pytest.raises(ImportError, match=name):
            hook(str(tmp_path / name))


def test_every_source_counts_from_its_folder_wherever_the_program_runs(tmp_path, monkeypatch):
    home, away = tmp_path / "home", tmp_path / "away"
    (home / "sub").mkdir(parents=True)
    away.mkdir()
    for name, text in (
        ("engine", "#!/bin/sh\n"), ("bot.py", MINE), ("sub/bot.py", MINE), ("net.onnx", ""),
        ("kaggle.py", "def helper(a): return a\ndef my(x, y): return 0\n"),
        ("own.py", "def evaluate(own, opp): return 0\n"),
    ):  # fmt: skip
        (home / name).write_text(text)
    (home / "engine").chmod(0o755)
    for module in ("network.player", "bridges.openspiel"):
        monkeypatch.setattr(f"agents.{module}.find_spec", lambda name: name)
    monkeypatch.chdir(away)
    there = str(home)
    specs = {
        "cmd:./engine -q": ("cmd", (f"{there}/engine", "-q"), there, ()),
        "uci:./engine;Hash=1;Hash=2": ("uci", (f"{there}/engine",), there, (("Hash", "1"), ("Hash", "2"))),
        "onnx:net.onnx;pick=puct;batch=4": ("python", (f"{there}/net.onnx", "", "onnx"), there,
                                            (("pick", "puct"), ("batch", 4))),
        "pettingzoo:own.py:evaluate": ("python", (f"{there}/own.py", "evaluate", "pettingzoo"), there, ()),
        "kaggle.py": ("python", (f"{there}/kaggle.py", "", "kaggle"), there, ()),
        "sub/bot.py:Fixed:column=2,python=./engine": ("python", (f"{there}/sub/bot.py", "Fixed"), f"{there}/sub",
                                                      (("column", 2), ("python", f"{there}/engine"))),
        "bot.py": ("python", (f"{there}/bot.py", "Fixed"), there, ()),
        "alphabeta:heuristic=own.py:evaluate": ("python", ("alphabeta:heuristic=own.py:evaluate",), there, ()),
        "greedy": ("python", ("greedy",), there, ()),
    }  # fmt: skip
    for text, expected in specs.items():
        for folder in (there, "../home"):
            [spec] = expand(text, folder)
            for found in (spec.source(there), spec.source("../home"), parse(text, folder).source(folder)):
                told = found.protocol, found.words, found.folder, found.options
                assert [str(each).replace(f"{away}/../home", there) for each in told] == [*map(str, expected)]
        if text != "greedy":
            with pytest.raises(InputError, match="there is no "):
                expand(text)[0].source()


def test_of_many_keys_that_an_agent_does_not_take_the_first_one_is_named(mine):
    for words in ("zq xw vk jj yy bb hh pp", "pp hh bb yy jj vk xw zq"):
        pairs = ",".join(f"{key}=1" for key in ("column", "python", *words.split()))
        with pytest.raises(InputError) as raised:
            parse(f"{mine}:Fixed:{pairs}")
        assert str(raised.value).endswith(f" '{words[:2]}': there are column, name")


def test_a_range_of_a_file_that_seems_kaggles_is_none_and_one_of_ours_in_its_folder_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.py").write_text(MINE)
    (tmp_path / "there" / "last.py").write_text("def one(a, b): return 0\n")
    assert [spec.text for spec in expand("mine.py:column=1..2", "there")] == [
        f"mine.py:Fixed:column={each}" for each in (1, 2)
    ]
    assert [spec.kind for spec in expand(" last.py ", "there")] == ["kaggle"]
    with pytest.raises(InputError, match="there is no file last"):
        expand("last.py")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("SystemExit(3)", "SystemExit: 3"), ("MemoryError()", "MemoryError"), ("KeyError('w')", "KeyError: 'w'"),
        ("InputError('no weights')", "no weights"),
    ],
)  # fmt: skip
def test_an_agent_that_leaves_while_it_is_made_ends_nothing_else(tmp_path, error, told):
    path = tmp_path / "mine.py"
    path.write_text(
        f"from agents.errors import InputError\nclass Bot:\n    def __init__(self):\n        print('so')\n"
        f"        raise {error}\n    def choose(self, board, limits): return 0\n"
    )
    with pytest.raises(InputError) as raised:
        parse(str(path)).build()
    begin = "" if "InputError" in error else f"agent '{path}' cannot be made: "
    assert str(raised.value) == f"{begin}{told}"
    path.write_text(path.read_text().replace(error, "KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        parse(str(path)).build()
