"""Files of users that are imported: what of them is read again, and what they leave behind."""

import sys
import types
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from installed import install

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.specs import plugins
from agents.specs.notation import protect, restore
from agents.specs.plugins import find, format_error, import_path, installed, load, output_to_stderr, run_file
from agents.specs.registry import parse

BOT = "import helper\nfrom tools import deep\ndef choose(board):\n    return helper.COLUMN + deep.COLUMN\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "helper.py").write_text("COLUMN = 1\n")
    (tmp_path / "tools" / "__init__.py").write_text("")
    (tmp_path / "tools" / "deep.py").write_text("COLUMN = 0\n")
    return tmp_path


def plays(folder):
    return parse(f"{folder}/bot.py").build().choose(Board(), Limits())


def test_an_edit_of_any_file_that_an_agent_imports_is_seen_at_once(folder):
    assert plays(folder) == 1
    (folder / "helper.py").write_text("COLUMN = 2\n")
    assert plays(folder) == 2
    (folder / "tools" / "deep.py").write_text("COLUMN = 3\n")
    assert plays(folder) == 5
    (folder / "tools" / "__init__.py").write_text("from tools import deep\ndeep.COLUMN = 4\n")
    assert plays(folder) == 6
    (folder / "bot.py").write_text(BOT.replace("return ", "return -6 + "))
    assert plays(folder) == 0
    (folder / "helper.py").write_text("COLUMN = 2\nDATA = 5\n")
    assert plays(folder) == 0


def test_a_file_that_is_named_by_its_whole_path_sees_other_numbers_in_its_data_at_once(folder):
    (folder / "bot.py").write_text(
        "from pathlib import Path\n"
        "COLUMN = int(Path(__file__).with_name('data.txt').read_text())\n"
        "def choose(board):\n    return COLUMN\n"
    )
    for column in (3, 5):
        (folder / "data.txt").write_text(str(column))
        assert plays(folder) == column


def test_files_of_one_text_in_several_folders_are_several_modules_which_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "import pathlib\nDATA = pathlib.Path(__file__).with_name('data.txt').read_text()\ndef f(): return DATA\n"
    functions = {}
    for name in ("one", "a:b.c", "two.py:x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(text)
        (tmp_path / name / "data.txt").write_text(name)
        functions[name] = find("heuristic", f"{name}/mine.py:f", {})
    assert {name: function() for name, function in functions.items()} == {name: name for name in functions}
    for name, function in functions.items():
        assert find("ordering", f"{name}/mine.py:f", {}) is function
    for missing in ("g", "DATA", ""):
        with pytest.raises(InputError, match=f"mine.py has no function or class {missing!r}$"):
            find("heuristic", f"a:b.c/mine.py:{missing}", {})


def state():
    return [*sys.path], [*sys.path_hooks], {*sys.modules}, {*sys.path_importer_cache}


@pytest.mark.parametrize("known", [False, True])
def test_an_import_leaves_paths_hooks_and_modules_as_they_were(folder, monkeypatch, known):
    if known:
        monkeypatch.syspath_prepend(folder)
        for name, file in (("known_before", "known_before.py"), ("known_deep", "tools/deep.py"), ("nowhere", None)):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
            sys.modules[name].__file__ = file and str(folder / file)
    before = state()
    assert plays(folder) == 1
    after = state()
    assert after[:2] == before[:2]  # in this order
    assert after[2] == before[2]
    assert not [place for place in after[3] - before[3] if place.startswith(str(folder))]
    assert not {"helper", "tools", "tools.deep"} & after[2]


def test_a_file_that_fails_leaves_nothing_either_and_may_be_mended(folder):
    (folder / "helper.py").write_text("COLUMN = 1\nraise ValueError('not\\ntoday')\n")
    before = state()
    for _ in range(2):
        with pytest.raises(InputError) as raised:
            plays(folder)
        assert str(raised.value) == f"{folder}/bot.py does not import: ValueError: not"
    assert state()[:3] == before[:3]
    (folder / "helper.py").write_text("COLUMN = 3\n")
    assert plays(folder) == 3


def test_modules_of_elsewhere_that_a_file_was_the_first_to_import_stay(folder, monkeypatch):
    (folder / "site").mkdir()
    (folder / "site" / "installed_here.py").write_text("VALUE = 1\n")
    (folder / "agents").mkdir()
    (folder / "agents" / "bot.py").write_text("import installed_here\ndef choose(board):\n    return 0\n")
    monkeypatch.syspath_prepend(folder / "site")
    monkeypatch.delitem(sys.modules, "installed_here", raising=False)
    parse(f"{folder}/agents/bot.py").build()
    assert sys.modules.pop("installed_here").VALUE == 1


def test_an_installed_module_is_found_before_a_neighbour_of_its_name(folder):
    (folder / "json.py").write_text("raise ValueError('the wrong one')\n")
    (folder / "bot.py").write_text("import json\ndef choose(board):\n    return len(json.dumps([1])) - 1\n")
    assert plays(folder) == 2


def test_compiled_code_that_lies_there_is_not_run(folder):
    import py_compile

    (folder / "helper.py").write_text("COLUMN = 6\n")
    py_compile.compile(folder / "helper.py")
    (folder / "helper.py").write_text("COLUMN = 4\n")
    (folder / "helper.py").touch()
    [kept] = (folder / "__pycache__").glob("helper*.pyc")
    data = bytearray(kept.read_bytes())
    stat = (folder / "helper.py").stat()
    data[8:16] = int(stat.st_mtime).to_bytes(4, "little") + stat.st_size.to_bytes(4, "little")
    kept.write_bytes(bytes(data))
    assert plays(folder) == 4


def test_ctrl_c_while_a_file_is_imported_is_no_fault_of_the_file(folder):
    (folder / "bot.py").write_text("def choose(board): ...\nraise KeyboardInterrupt\n")
    before = {*sys.modules}
    with pytest.raises(KeyboardInterrupt):
        parse(f"{folder}/bot.py").build()
    assert {*sys.modules} == before


def test_what_a_file_is_run_as_says_where_it_is(folder):
    source = b"from __future__ import annotations\nhere = __file__, __name__\ndef f(x: nothing): ...\n"
    module = run_file(folder / "some.py", source, "of_mine")
    assert module.here == (str(folder / "some.py"), "of_mine")
    assert module.f.__code__.co_filename == str(folder / "some.py")
    assert sys.modules.pop("of_mine") is module
    with pytest.raises(NameError):  # our own file's `from __future__` is not theirs
        run_file(folder / "some.py", b"def f(x: nothing): ...\n", "of_mine")
    del sys.modules["of_mine"]


def test_output_of_foreign_code_goes_to_stderr_alone(capsys):
    with output_to_stderr():
        print("theirs")
    print("ours")
    assert capsys.readouterr() == ("ours\n", "theirs\n")
    for error in (BrokenPipeError, ValueError, SystemExit, KeyboardInterrupt):
        with pytest.raises(error), output_to_stderr():
            raise error
    print("again")
    assert capsys.readouterr() == ("again\n", "")


def test_what_packages_offer_is_found_by_group_and_name(tmp_path, monkeypatch):
    points = [EntryPoint(f"mine{place}", "os.path:join", "connect4_arena.agents") for place in range(2)]
    others = [
        EntryPoint("mine0", "os.path:split", "someone_elses.agents"),
        EntryPoint("mine0", "os.path:join", "connect4_arena.orderings"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda: EntryPoints([*points, *others]))
    monkeypatch.syspath_prepend(tmp_path)  # a folder that no earlier call has seen
    assert {name: point.group for name, point in installed("agents").items()} == dict.fromkeys(
        ("mine0", "mine1"), "connect4_arena.agents"
    )
    assert installed("heuristics") == {}
    assert [*installed("orderings")] == ["mine0"]
    assert find("agent", "mine1", {}) is load("os.path:join")
    assert find("agent", "own", {"own": "os.path:split"}) is load("os.path:split")
    with pytest.raises(InputError, match="'mine2': did you mean mine1 or mine0"):
        find("agent", "mine2", {})
    with pytest.raises(InputError, match="'mine1'"):
        find("heuristic", "mine1", {"zero": "os:sep"})


@pytest.mark.parametrize("kind", ["agent", "heuristic", "ordering"])
def test_a_name_is_what_is_built_in_and_else_what_a_package_offers_whatever_lies_here(tmp_path, monkeypatch, kind):
    point = EntryPoint("mine", "os.path:join", f"connect4_arena.{kind}s")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda: EntryPoints([point]))
    monkeypatch.syspath_prepend(tmp_path)
    for create in (Path.touch, Path.mkdir):
        (tmp_path / create.__name__).mkdir()
        monkeypatch.chdir(tmp_path / create.__name__)
        create(Path("zero"))
        create(Path("mine"))
        assert find(kind, "zero", {"zero": "os.path:split"}) is load("os.path:split")
        assert find(kind, "mine", {"zero": "os.path:split"}) is load("os.path:join")
        assert find(kind, "mine", {"mine": "os.path:split"}) is load("os.path:split")


def test_a_package_that_is_installed_meanwhile_is_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    assert "late" not in installed("agents")
    install(tmp_path, monkeypatch, "agents", "late", "")
    sys.path.remove(str(tmp_path))  # the places are those of before
    assert "late" in installed("agents")


def test_a_package_in_the_folder_that_the_program_runs_in_is_found_as_soon_as_it_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.chdir(tmp_path)
    assert "here" not in installed("agents")
    install(tmp_path, monkeypatch, "agents", "here", "")
    sys.path.remove(str(tmp_path))
    assert "here" in installed("agents")
    assert "here" not in installed("heuristics")


def test_a_folder_is_beside_while_its_block_lasts(folder, monkeypatch):
    monkeypatch.setitem(sys.path_importer_cache, str(folder), None)  # it was looked at before, in vain
    with import_path(folder):
        import helper

        assert helper.COLUMN == 1
        assert sys.path[-1] == str(folder)
        assert sys.path_hooks[0].__name__ == "hook"
    assert "helper" not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        __import__("helper")


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError


def test_any_error_is_one_line():
    assert format_error(SilentError()) == "SilentError"
    assert format_error(ValueError("  \n two\nlines")) == "ValueError: two"
    assert format_error(ValueError("x" * 300)) == f"ValueError: {'x' * 300}"
    assert format_error(ValueError("x" * 301)) == f"ValueError: {'x' * 299}…"
    assert format_error(plugins.PlainError("as\nit is")) == "as"
    assert format_error(plugins.PlainError("")) == "PlainError"


@pytest.mark.parametrize(
    ("name", "line", "hidden"),
    [("arena/__init__.py", "from arena import mine", "arena"), ("agents.py", "from agents import mine", "agents.py"),
     ("agents.py", "import agents.mine", "agents.py"), ("arena.txt", "from arena import mine", None),
     ("json.py", "from json import mine", None), ("arena/__init__.py", "raise ValueError('so')", None)],
)  # fmt: skip
def test_a_neighbour_that_a_package_of_ours_hides_is_named(folder, name, line, hidden):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("mine = 1\n")
    (folder / "bot.py").write_text(f"{line}\ndef choose(board): ...\n")
    with pytest.raises(InputError) as raised:
        plays(folder)
    package = line.split()[1].partition(".")[0]
    hint = f"; the arena's own package {package} hides {hidden} beside the file: give it another name"
    assert str(raised.value).endswith(hint) is (hidden is not None)
    assert ("hides" in str(raised.value)) is (hidden is not None)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("bots", "no agent 'bots': did you mean bots.py?"),
        ("alphabeta:heuristic=bots", "no heuristic 'bots': did you mean bots.py:two or bots.py:one?"),
        ("alphabeta:heuristic=bots.py", "heuristic 'bots.py' names no function: write bots.py:one or bots.py:two"),
        ("alphabeta:order=none.py", "ordering 'none.py' names no function: write none.py:FUNCTION"),
    ],
)
def test_a_file_that_was_meant_is_named_with_its_functions(tmp_path, monkeypatch, spec, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text("def one(own, opp): ...\ndef _hidden(): ...\ndef two(own, opp): ...\n")
    (tmp_path / "none.py").touch()
    with pytest.raises(InputError) as raised:
        parse(spec)
    assert str(raised.value).endswith(said)


@pytest.mark.parametrize(("commas", "is_whole"), [(39, True), (40, False)])
def test_so_many_signs_in_a_path_are_no_separators(tmp_path, commas, is_whole):
    name = f"{'a,' * commas}.py"
    (tmp_path / name).touch()
    protected = protect(name, str(tmp_path))
    assert ("," not in protected) is is_whole
    assert restore(protected) == name
