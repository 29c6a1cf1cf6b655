"""Which agents of a run are meant where it is played on."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.specs.registry import parse
from arena.games.extend import _places


@pytest.mark.parametrize(("here", "folder"), [("own", "other"), ("other", "own")])
def test_a_file_names_its_agent_from_the_current_folder_and_from_that_of_the_run(tmp_path, monkeypatch, here, folder):
    for name in ("own", "other"):
        (tmp_path / name).mkdir()
    Path(tmp_path / "own" / "kim.py").write_text("def choose(board):\n    return 3\n")
    monkeypatch.chdir(tmp_path / here)
    store = SimpleNamespace(names=lambda: ["greedy", "kim"], name_of=lambda _: None)
    agents = [parse("greedy"), parse(f"{tmp_path}/own/kim.py")]
    plan = SimpleNamespace(isolation=SimpleNamespace(folder=str(tmp_path / folder)))
    assert _places(store, "kim.py", agents, plan) == {1}
