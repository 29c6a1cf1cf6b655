from dataclasses import replace
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.specs.registry import parse
from arena.games.field import Setting
from arena.games.referee import Conditions
from arena.plugins.cluster.cluster import bundle_of, difference
from arena.records import Job


@pytest.fixture
def bundle(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    specs = (parse("greedy"), parse(f"{bot}:choose"), parse("random"))
    sources = (None, specs[1].source(), None)
    return bundle_of(Setting(specs, (Board(),), STANDARD, 1, Conditions(Limits()), sources))


def test_of_workers_that_unpack_at_once_one_writes_and_all_read_the_same(bundle, tmp_path, monkeypatch):
    folder, first = tmp_path / "worker", []
    rename = Path.rename

    def late(beside, home):
        monkeypatch.setattr(Path, "rename", rename)
        first.append(bundle.unpack(folder))  # another one was here a moment ago
        return rename(beside, home)

    monkeypatch.setattr(Path, "rename", late)
    assert [bundle.unpack(folder)] == first
    home = folder / f"arena-{bundle.digest}"
    assert Path(f"{home}{tmp_path}/bot.py").is_file()
    assert bundle.unpack(folder) == first[0]
    assert list(folder.iterdir()) == [home]  # what the other wrote in vain is gone


def test_the_same_files_at_another_place_are_unpacked_apart(bundle, tmp_path):
    moved = replace(bundle, files=tuple((f"/elsewhere{path}", content) for path, content in bundle.files))
    changed = replace(bundle, files=tuple((path, content + b"#") for path, content in bundle.files))
    assert len({each.digest for each in (bundle, moved, changed)}) == 3


def test_a_folder_that_cannot_be_named_is_an_error(bundle, tmp_path, monkeypatch):
    def refuse(beside, home):
        raise PermissionError("no")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError, match="no"):
        bundle.unpack(tmp_path / "worker")


def test_a_bundle_without_files_writes_nothing(tmp_path):
    specs = (parse("greedy"), parse("random"))
    setting = Setting(specs, (Board(),), STANDARD, 1, Conditions(Limits()))
    bundle = bundle_of(setting)
    assert bundle.unpack(tmp_path / "worker") == setting
    assert not (tmp_path / "worker").exists()
    assert (bundle.files, bundle.programs, bundle.missing()) == ((), (), [])


def test_games_are_named_by_the_first_of_them_and_all_of_their_agents(bundle, tmp_path):
    bot = f"{tmp_path}/bot.py:choose"
    assert bundle.name([Job(2, 0, 3)]) == "game 2-0-3 between greedy, random"
    assert bundle.name([Job(2, 0, 3), Job(0, 1, 0)]) == f"game 2-0-3 and 1 more between greedy, {bot}, random"
    assert bundle.name([Job(2, 2, 3)] * 3) == "game 2-2-3 and 2 more between random"


def test_a_worker_that_differs_is_told_what_to_install():
    here = {"connect4-arena": "1.2", "numba": "0.60"}
    assert difference({"connect4-arena": "1.2", "numba": "0.59"}, here) == (
        "it has numba 0.59, and here is 0.60: pip install 'numba==0.60' there"
    )
    assert difference({"connect4-arena": "1.1", "numba": "0.59"}, here).startswith("it has connect4-arena 1.1, and ")
    assert "pip install 'connect4-arena==1.2' there" in difference(None, here)
