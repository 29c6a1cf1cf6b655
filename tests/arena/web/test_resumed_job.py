"""A page of a server with --sandbox continues no run of agents that began outside of one."""

from pathlib import Path

import pytest

import arena as package
from agents.errors import InputError
from arena.web.job import begun

BOT = """
from pathlib import Path

Path({0!r}).write_text("started")

def choose(board):
    return board.legal_moves()[0]
"""


def test_it_is_refused_before_any_agent_starts_and_left_as_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT.format(str(tmp_path / "started")))
    path = package.run(["bot.py", "greedy"], rounds=1, out="run.sqlite").path
    package.run(resume=path, rounds=2)
    (tmp_path / "started").unlink()
    words = {"resume": str(path), "sandbox": True}
    with pytest.raises(InputError, match="this run began outside of a sandbox; arena run --resume continues it so"):
        begun(words)
    assert not (tmp_path / "started").exists()
    run = begun(words | {"sandbox": False})
    assert run.store.count_games() == 4
    run.store.close()


def test_a_run_without_such_agents_goes_on(tmp_path):
    path = package.run(["greedy", "random"], rounds=1, out=tmp_path / "run.sqlite").path
    begun({"resume": str(path), "sandbox": True}).store.close()
