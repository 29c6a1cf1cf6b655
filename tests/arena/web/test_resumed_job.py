"""A page of a server with --sandbox continues no run of agents that began outside of one."""

from pathlib import Path

import pytest

import arena as package
from agents.errors import InputError
from arena.web.job import begun


def test_it_is_refused_before_any_agent_starts_and_left_as_it_was(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    started = tmp_path / "started"
    Path("engine").write_text(f"#!/bin/sh\necho x >> {started}\nexit 3\n")
    Path("engine").chmod(0o755)
    done = arena("run", "uci:./engine", "greedy", "--rounds", 1, "--games", 1, "-j", 1, "--out", "run.sqlite")
    assert done.code == 0, done.err
    started.unlink()
    words = {"resume": "run.sqlite", "sandbox": True}
    with pytest.raises(InputError, match="this run began outside of a sandbox; arena run --resume continues it so"):
        begun(words)
    assert not started.exists()
    run = begun(words | {"sandbox": False})
    assert (run.store.count_games(), started.exists()) == (1, True)
    run.store.close()


def test_a_run_without_such_agents_goes_on(tmp_path):
    path = package.run(["greedy", "random"], rounds=1, out=tmp_path / "run.sqlite").path
    begun({"resume": str(path), "sandbox": True}).store.close()
