"""The agents that a server offers by name: of specs, folders and rosters, also where some of these are broken."""

import pytest

import arena as package
from agents.errors import InputError
from arena.games.seats import names

pytestmark = pytest.mark.usefixtures("here")


AGENT = "def choose(board):\n    return board.legal_moves()[-1]\n"
BROKEN = "def choose(:\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """The current folder, with folders and rosters."""
    folders = {"class": ("ada", "!bob", "cleo"), "some": ("ada", "!bob"), "none": ("!bob", "!carl")}
    for folder, people in folders.items():
        (tmp_path / folder).mkdir()
        for name in people:
            (tmp_path / folder / f"{name.strip('!')}.py").write_text(BROKEN if "!" in name else AGENT)
    for roster, files in {"all": ("ada", "bob", "cleo"), "one": ("bob", "cleo"), "bad": ("bob",)}.items():
        text = "".join(f'[[agent]]\nname = "{name}"\nspec = "class/{name}.py"\n' for name in files)
        (tmp_path / f"{roster}.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        (["class"], ["class/:ada", "class/:cleo"]),
        (["class/"], ["class/:ada", "class/:cleo"]),
        (["some"], ["some"]),
        (["class/:cleo"], ["class/:cleo"]),
        (["greedy", "some", "minimax:depth=1..2", "class"],
         ["greedy", "some", "minimax:depth=1", "minimax:depth=2", "class/:ada", "class/:cleo"]),
        (["all.toml"], ["all.toml:ada", "all.toml:cleo"]),
        (["one.toml", "random"], ["one.toml", "random"]),
        (["greedy", "class/:ada", "greedy", "class", "random"],
         ["greedy", "class/:ada", "class/:cleo", "random"]),
        ([], []),
    ],
)  # fmt: skip
def test_a_file_that_is_broken_keeps_none_of_its_folder_or_roster_away(agents, expected):
    assert names(agents) == expected


def test_what_is_offered_of_a_folder_plays_beside_a_broken_file():
    assert [package.move(name, "44").move for name in names(["some", "all.toml"])] == [7, 7, 7]


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (["none"], r"^none/bob\.py, line 1: invalid syntax"),
        (["class", "none"], r"^none/bob\.py, line 1: invalid syntax"),
        (["class/:bob"], r"^class/bob\.py, line 1: invalid syntax"),
        (["bad.toml"], r"class/bob\.py, line 1: invalid syntax"),
        (["class/bob.py"], r"class/bob\.py, line 1: invalid syntax"),
    ],
)
def test_what_holds_broken_files_alone_is_refused_with_the_first_fault(agents, message):
    with pytest.raises(InputError, match=message):
        names(agents)
