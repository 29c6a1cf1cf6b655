"""Which agent plays of a file or a folder that has several."""

from pathlib import Path

import pytest

from agents.errors import InputError
from arena.games.entries import Entry, named_in_full, of_file, player, read_entries


@pytest.mark.parametrize(
    ("names", "plays"),
    [
        ("Alphabeta Player Bot Agent", "Agent"), ("Player Alphabeta Bot", "Bot"), ("Alphabeta Player", "Player"),
        ("Mine Alpha_Beta2", "Alpha_Beta2"), ("My_Bot BOT_1 Bot", "BOT_1"), ("Bot_2 Bot", "Bot_2"), ("Mine", "Mine"),
        ("Mine Other", None),
    ],
)  # fmt: skip
def test_of_several_agents_in_a_file_the_one_plays_that_is_called_so(tmp_path, names, plays):
    bodies = (f"class {name}:\n    def choose(self, b): pass\n" for name in names.split())
    (tmp_path / "ann.py").write_text("".join(bodies))
    found = read_entries(str(tmp_path))
    assert [entry.spec for entry in found.agents] == ([f"{tmp_path}/ann.py:{plays}"] if plays else [])
    if plays:
        assert of_file(tmp_path / "ann.py").spec == f"{tmp_path}/ann.py:{plays}"


def test_of_a_folder_of_its_own_the_first_of_the_files_that_are_so_called_plays(tmp_path):
    for number, names in enumerate((("agent.py", "bot.py", "main.py"), ("bot.py", "agent.py"), ("bot.py", "other.py"))):
        folder = tmp_path / "all" / f"s{number}"
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_text("def choose(board):\n    return 0\n")
    assert [Path(entry.spec).name for entry in read_entries(str(tmp_path / "all")).agents] == [
        "main.py:choose", "agent.py:choose", "bot.py:choose",
    ]  # fmt: skip


def test_of_several_agents_in_a_file_the_one_with_a_players_name_plays_or_the_only_one_that_has_it_within(tmp_path):
    for names, plays in (
        ("Minimax AlphaBeta Agent", "Agent"),
        ("MyMinimax MyAlphaBeta", "MyAlphaBeta"),
        ("MyAlphaBeta alpha_beta", "alpha_beta"),
        ("Minimax MyBot OtherBot AlphaBetaPruned", "AlphaBetaPruned"),
    ):
        classes = [f"class {name}:\n    def choose(self, board, limits):\n        return 0\n" for name in names.split()]
        (tmp_path / "hw.py").write_text("\n\n".join(classes))
        assert player(tmp_path / "hw.py") == plays
    (tmp_path / "hw.py").write_text("\n\n".join(classes[1:3]))
    with pytest.raises(InputError, match="defines MyBot, OtherBot: which plays"):
        player(tmp_path / "hw.py")


def test_a_hand_in_of_one_file_is_named_after_it_and_anything_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bot.py").write_text('"""By Ann\\a."""\ndef choose(board): pass\n')
    (tmp_path / "my bot.json").touch()
    file = f"{tmp_path}/my bot.py"
    (tmp_path / "link").symlink_to(tmp_path)
    assert of_file(tmp_path / "link" / "my bot.py").spec == f"{tmp_path}/link/my bot.py:choose"
    (tmp_path / "two  \n lines.py").write_text("def choose(board): pass\n")
    assert of_file(tmp_path / "two  \n lines.py").name == "two lines"
    entry = Entry(
        "my bot", f"{file}:choose", str(tmp_path), author="By Ann\\x07.", files=(f"{tmp_path}/my bot.json", file)
    )
    assert of_file(tmp_path / "my bot.py") == of_file(Path("my bot.py")) == entry
    said = f"{tmp_path}/my bot.json is no Python file, folder or roster: hand-ins are these"
    (tmp_path / "bot").write_text("def choose(board): pass\n")
    for name, line in (
        ("my bot.json", said),
        ("bot", said.replace("my bot.json", "bot")),
        ("none.py", f"there is no file {tmp_path}/none.py"),
    ):
        with pytest.raises(InputError) as raised:
            of_file(tmp_path / name)
        assert str(raised.value).startswith(line)


def test_a_file_of_several_agents_is_named_in_full_whatever_its_settings_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bodies = {name: f"class {name}:\n    def choose(self, b): pass\n" for name in ("One", "MyBot", "Two")}
    Path("all.py").write_text("".join(bodies.values()))
    Path("two.py").write_text(bodies["One"] + bodies["Two"])
    Path("one.py").write_text(bodies["One"])
    for settings in ("", ":depth=3", ":depth=3,path=c:/a=b.txt", ":two.py=x", ":a b="):
        assert named_in_full(f"all.py{settings}") == f"all.py:MyBot{settings}"
        assert named_in_full(f"{tmp_path}/all.py{settings}") == f"{tmp_path}/all.py:MyBot{settings}"
        assert named_in_full(f"one.py{settings}") == f"one.py{settings}"
        with pytest.raises(InputError, match=r"^two.py defines One, Two: which plays.*; or write two.py:One$"):
            named_in_full(f"two.py{settings}")
    for text in ("all.py:Two", "all.py:Two:depth=3", "all.py:Two=", "none.py", "none.py:depth=3", "all.py:", "all"):
        assert named_in_full(text) == ("all.py:MyBot:Two=" if text == "all.py:Two=" else text)
