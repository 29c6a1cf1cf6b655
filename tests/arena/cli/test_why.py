"""Searches that are looked into on the command line."""

import json
import signal

import pytest
from played import INSIDE, rows

from arena.analysis.effort import PHASES
from arena.cli.options import INTERRUPTED
from arena.measure import profile
from arena.measure.profile import counting_agents
from arena.store.findings import unprofiled_games
from arena.store.run_file import Store


def test_the_command_stores_it_and_show_says_it(arena, tmp_path):
    file = str(tmp_path / "run.sqlite")
    words = ("alphabeta:depth=3", "greedy", "--rounds", "1", "--board", "5x4x4", "--openings", "plies:2")
    assert arena("run", *words, "--why", "--quiet", "--out", file).code == 0
    document = json.loads(arena("show", file, "--json").out)
    [row] = [row for row in document["effort"] if row["agent"] != "greedy"]
    assert row["inner"] + row["leaves"] + row["table_cutoffs"] == pytest.approx(row["nodes"])
    assert row["over_minimal"] >= 1
    assert {row["phase"] for row in document["phases"]} <= set(PHASES)
    text = arena("show", file).out
    assert "Search profile" in text
    assert text.count("Effort by phase") == 1
    assert arena("show", file, "--table", "phases").out.count("Effort by phase") == 1
    assert arena("export", file, str(tmp_path / "tables")).code == 0
    lines = (tmp_path / "tables" / "phases.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(document["phases"])


def test_a_run_that_was_not_looked_into_has_phases_where_they_are_asked_for(arena, tmp_path):
    file = str(tmp_path / "run.sqlite")
    words = ("alphabeta:depth=2", "greedy", "--rounds", "1", "--board", "5x4x4", "--openings", "plies:2")
    text = arena("run", *words, "--quiet", "--out", file).out
    assert "Effort by phase" not in text
    assert arena("show", file, "--table", "phases").out.count("Effort by phase") == 1
    again = arena("run", "--resume", file, "--why", "--quiet")
    assert again.code == 0
    assert "Search profile" in again.out


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="not as Windows interrupts")
def test_ctrl_c_while_searches_are_looked_into_loses_nothing_and_resuming_goes_on(arena, tmp_path, monkeypatch):
    path, ended = tmp_path / "run.sqlite", []
    game = profile.Repeater.game

    def interrupted(again, decisions):
        ended.append(decisions)
        if len(ended) == 3:
            signal.raise_signal(signal.SIGINT)
        return game(again, decisions)

    monkeypatch.setattr(profile.Repeater, "game", interrupted)
    monkeypatch.setattr(profile, "CHUNK", 1)
    words = ("alphabeta:depth=2", "greedy", "--rounds", 4, "--board", "5x4x4", "--openings", "plies:2")
    answer = arena("run", *words, "--why", "--quiet", "-j", 1, "--out", path)
    assert answer.code == INTERRUPTED
    assert f"arena run --resume {path} --why" in " ".join(answer.err.split())
    before = rows(path, INSIDE)
    assert {key for key, *_ in before}
    with Store.read(path) as store:
        stored = store.select("SELECT * FROM move")[1]
        assert store.value("SELECT count(*) FROM game") == 8
        assert 0 < len(unprofiled_games(store, list(counting_agents(store)))) < 8
    monkeypatch.undo()
    assert arena("run", "--resume", path, "--why", "--quiet", "-j", "1").code == 0
    with Store.read(path) as store:
        assert unprofiled_games(store, list(counting_agents(store))) == []
        assert store.select("SELECT * FROM move")[1] == stored
    assert set(before) <= set(rows(path, INSIDE))
