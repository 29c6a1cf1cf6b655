from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.specs.registry import parse
from arena.play.cluster import packed
from arena.play.field import Setting
from arena.play.referee import Conditions
from arena.records import Job


@pytest.fixture
def parcel(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    specs = (parse("greedy"), parse(f"{bot}:choose"), parse("random"))
    sources = (None, specs[1].source(), None)
    return packed(Setting(specs, (Board(),), STANDARD, 1, Conditions(Limits()), sources))


def test_of_workers_that_unpack_at_once_one_writes_and_all_read_the_same(parcel, tmp_path, monkeypatch):
    folder, first = tmp_path / "worker", []
    rename = Path.rename

    def late(beside, home):
        monkeypatch.setattr(Path, "rename", rename)
        first.append(parcel.unpacked(folder))  # another one was here a moment ago
        return rename(beside, home)

    monkeypatch.setattr(Path, "rename", late)
    assert [parcel.unpacked(folder)] == first
    home = folder / f"arena-{parcel.digest}"
    assert Path(f"{home}{tmp_path}/bot.py").is_file()
    assert parcel.unpacked(folder) == first[0]
    assert list(folder.iterdir()) == [home]  # what the other wrote in vain is gone


def test_a_folder_that_cannot_be_named_is_an_error(parcel, tmp_path, monkeypatch):
    def refuse(beside, home):
        raise PermissionError("no")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError, match="no"):
        parcel.unpacked(tmp_path / "worker")


def test_a_parcel_without_files_writes_nothing(tmp_path):
    specs = (parse("greedy"), parse("random"))
    setting = Setting(specs, (Board(),), STANDARD, 1, Conditions(Limits()))
    parcel = packed(setting)
    assert parcel.unpacked(tmp_path / "worker") == setting
    assert not (tmp_path / "worker").exists()
    assert (parcel.files, parcel.programs, parcel.missing()) == ((), (), [])


def test_games_are_named_by_the_first_of_them_and_all_of_their_agents(parcel, tmp_path):
    bot = f"{tmp_path}/bot.py:choose"
    assert parcel.name([Job(2, 0, 3)]) == "game 2-0-3 between greedy, random"
    assert parcel.name([Job(2, 0, 3), Job(0, 1, 0)]) == f"game 2-0-3 and 1 more between greedy, {bot}, random"
    assert parcel.name([Job(2, 2, 3)] * 3) == "game 2-2-3 and 2 more between random"
