import json
from pathlib import Path

import pytest

import arena as api
from agents.errors import InputError

BOT = "class Kim:\n    def choose(self, board, limits):\n        return board.legal_moves()[{0}]\n"
WORDS = ("-q", "-j", "1")


@pytest.fixture
def kim(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kim.py").write_text(BOT.format(0))
    assert arena("run", "greedy", "kim.py", "--rounds", "1", "--out", "run.sqlite", "--in-process", *WORDS).code == 0
    Path("kim.py").write_text(BOT.format(-1))


def test_a_stored_run_grows(arena, kim):
    grow = ["run", "--resume", "run.sqlite", "--json", "--add", "random", "--rounds", "2", *WORDS]
    refused = arena(*grow)
    assert refused.code == 2
    said = " ".join(refused.err.split())
    assert "kim.py has changed since its 2 games; --replay kim.py deletes them and plays again" in said
    again = arena(*grow, "--replay", "kim.py")
    assert json.loads(again.out)["games"]["played"] == 12
    assert "2 games deleted, to be played again" in again.err
    assert len(json.loads(arena("games", "run.sqlite", "--json").out)) == 12


def test_what_makes_a_run_grow_needs_a_run(arena):
    for words in (["--add", "random"], ["--replay", "greedy"]):
        refused = arena("run", "greedy", "random", *words)
        assert (refused.code, "--resume FILE names" in " ".join(refused.err.split())) == (2, True)


def test_a_stored_run_grows_from_python(kim):
    with pytest.raises(InputError, match=r"kim\.py has changed since its 2 games"):
        api.run(resume="run.sqlite")
    result = api.run(resume="run.sqlite", add=["random"], rounds=2, replay=["kim.py"])
    assert len(result.games) == 12
    with pytest.raises(InputError, match="seed cannot change it"):
        api.run(resume="run.sqlite", seed=2)
    with pytest.raises(InputError, match="which resume FILE names"):
        api.run(["greedy", "random"], replay=["greedy"])


def test_a_run_grows_from_any_folder_with_the_files_beside_which_it_began(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def worth(own, opp):\n    return 0\n")
    spec = "minimax:depth=1,heuristic=mine.py:worth,compiled=no"
    assert arena("run", spec, "greedy", "--rounds", "1", "--out", "run.sqlite", *WORDS).code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    done = arena("run", "--resume", tmp_path / "run.sqlite", "--rounds", "2", "--json", *WORDS)
    assert (done.code, json.loads(done.out)["games"]["played"]) == (0, 4), done.err
