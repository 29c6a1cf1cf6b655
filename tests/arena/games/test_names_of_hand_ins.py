"""Hand-ins whose names hide them, and packages of theirs that ours hide: each gets a line."""

from pathlib import Path

import pytest

from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.entries import read_entries

BOT = "class Bot:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]\n"
LEFT = ": no agent is looked for where a name begins with _"


def files(folder, **texts):
    """Write files, `/` as two underscores in their names."""
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_an_agent_in_a_file_that_begins_with_an_underscore_is_named(tmp_path):
    found = read_entries(str(files(tmp_path, _kim=BOT, lee=BOT, _help="X = 1\n")))
    assert [entry.name for entry in found.agents] == ["lee"]
    assert found.remarks == (f"{tmp_path}: left out: _kim.py{LEFT}",)


def test_so_is_one_in_a_folder_and_the_file_in_a_folder_of_its_own(tmp_path):
    (tmp_path / "__pycache__").mkdir()
    found = read_entries(str(files(tmp_path, _kim__main=BOT, lee__main=BOT, pat___main=BOT)))
    assert [entry.name for entry in found.agents] == ["lee"]
    assert found.remarks == (f"{tmp_path}: left out: _kim{LEFT}",)
    assert found.broken == (f"{tmp_path}/pat holds no agent: _main.py{LEFT}",)


def test_a_base_class_that_others_import_is_no_agent_left_out(tmp_path):
    text = "from _base import Bot\nclass Mine(Bot):\n    def choose(self, board, limits):\n        return 3\n"
    found = read_entries(str(files(tmp_path, _base=BOT, lee=text)))
    assert ([entry.name for entry in found.agents], found.remarks) == (["lee"], ())


@pytest.mark.parametrize("name", ["bot.PY", "bot.Py"])
def test_a_suffix_in_capitals_is_told_as_such(arena, tmp_path, monkeypatch, name):
    (tmp_path / name).write_text(BOT)
    (tmp_path / "lee.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    for text in (name, f"{name}:Bot"):
        with pytest.raises(
            InputError, match=f"^{name}: the name of a Python file ends in .py, not [.]P[yY]: rename it$"
        ):
            parse(text)
    done = arena("check", ".", "-q")
    assert f".: not agents: {name} (the name of a Python file ends in .py)" in " ".join(done.err.split())


@pytest.mark.parametrize("hidden", ["agents__util", "agents"])
@pytest.mark.parametrize("how", [(), ("--in-process",)])
def test_a_package_that_ours_hides_is_named(arena, tmp_path, monkeypatch, hidden, how):
    folder = files(tmp_path, **{hidden: "def best(board):\n    return 3\n"})
    line = "from agents.util import best" if "__" in hidden else "from agents import best"
    (folder / "bot.py").write_text(f"{line}\n{BOT}")
    monkeypatch.chdir(tmp_path)
    done = arena("move", "bot.py:Bot", "44", *how)
    beside = "agents" if "__" in hidden else "agents.py"
    assert done.code == 2
    said = f"the arena's own package agents hides {beside} beside the file: give it another name"
    assert said in " ".join(done.err.split())


def test_names_of_what_is_no_agent_are_lines_that_a_terminal_shows_whole_and_in_order(tmp_path):
    moodle = "Ann Li_12_assignsubmission_file_"
    (tmp_path / moodle).mkdir()
    (tmp_path / moodle / "_notes.txt").touch()
    for name in ("b\x1b[31m.txt", "a  b.txt", "c.txt"):
        (tmp_path / name).touch()
    for name in ("__old.py", "_a\x1b[31m.py", "lee.py"):
        (tmp_path / name).write_text(BOT)
    found = read_entries(str(tmp_path))
    assert ([entry.name for entry in found.agents], found.broken) == (["lee"], ())
    assert found.remarks == (
        f"{tmp_path}: not agents: {moodle}/ (folder), a b.txt, b\\x1b[31m.txt, c.txt",
        f"{tmp_path}: left out: __old.py, _a\\x1b[31m.py{LEFT}",
    )


@pytest.mark.parametrize("broken", [False, True])
def test_a_folder_without_an_agent_is_somebodys_only_beside_folders_with_one_and_is_told_with_twelve_files(
    tmp_path, broken
):
    for number in range(14):
        path = tmp_path / "pat" / f"{number:02}\x1b.txt"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "kim").mkdir()
    (tmp_path / "kim" / "_notes.txt").touch()
    with pytest.raises(InputError, match=f"^{tmp_path} holds no agent"):
        read_entries(str(tmp_path))
    files(tmp_path, lee__main=BOT, **({"amy": "def choose(:"} if broken else {}))
    names = ", ".join(f"{number:02}\\x1b.txt" for number in range(12))
    found = read_entries(str(tmp_path))
    assert found.broken[broken:] == (
        f"{tmp_path}/kim holds no agent: no file", f"{tmp_path}/pat holds no agent: {names}",
    )  # fmt: skip
    assert ([entry.name for entry in found.agents], found.remarks) == (["lee"], ())
    assert [line.name for line in found.broken] == [*["amy"] * broken, "kim", "pat"]


def test_files_come_before_folders_of_agents_in_all_that_is_told_of_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here = files(tmp_path / "all", **{
        "a  b": f"from _base import X\n{BOT}", "a b": BOT, "carl": "def choose(:", "_base": f"X = 1\n{BOT}",
        "a   b__main": BOT, "Bob_1_assignsubmission_onlinetext__main": "def choose(:", "Bob_2_x__main": BOT,
        "_two__one": BOT, "_two__two": BOT, "shut__main": BOT,
    })  # fmt: skip
    (here / "abe").symlink_to(tmp_path)
    plain = Path.iterdir

    def iterdir(path):
        if path.name == "shut":
            raise PermissionError(13, "Permission denied", str(path))
        return plain(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    found = read_entries("all")
    assert [entry.name for entry in found.agents] == ["a b", "a b#2", "Bob_2_x", "a b#3"]
    assert found.remarks == (
        "all/a b.py: 'a b' is the agent of all/a  b.py; this one is 'a b#2'",
        f"all/a   b/main.py: 'a b' is the agent of {here}; this one is 'a b#3'",
    )
    assert [(line.name, line.partition(",")[0]) for line in found.broken] == [
        ("carl", "all/carl.py"), ("abe", "all/abe is a link; the agents of a folder are files in it"),
        ("shut", "all/shut cannot be read: Permission denied"),
        ("Bob", "all/Bob_1_assignsubmission_onlinetext/main.py"),
    ]  # fmt: skip
