"""Runs of version 0.2.0 with agents that were dropped, and games that were superseded, which no version makes now."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from changed import connect
from played import GAMES, grown, held, played, rows
from samples import DATA

import arena
from agents.errors import InputError
from arena.games.plan import Plan
from arena.store.machine import versions
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged
from arena.tournament.games import Filter, filtered


@pytest.fixture
def old(tmp_path):
    """Return a run of greedy, random and a dropped minimax:depth=1; the four games of random were played twice."""
    path = shutil.copy(DATA / "dropped.sqlite", tmp_path / "old.sqlite")
    change(path, "UPDATE session SET versions = ?", json.dumps(versions()))  # so that its agents are those of now
    return path


def change(path, statement, *values):
    with closing(connect(path)) as connection, connection:
        connection.execute(statement, values)


def count(path, table):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_what_was_dropped_and_superseded_is_in_no_table(old):
    run = arena.load(old)
    assert run.standings[["agent", "games", "points", "wins"]].to_numpy().tolist() == [
        ["greedy", 2, 2.0, 2], ["random", 2, 0.0, 0],
    ]  # fmt: skip
    assert (run.counts.played, run.counts.planned) == (2, 2)
    with Store.read(old) as store:
        refuse_damaged(store, whole=True)
        assert [game.second for game in filtered(store, Filter())] == ["random", "greedy"]
    assert (count(old, "game"), count(old, "superseded")) == (6, 4)


def test_those_that_were_not_dropped_play_on_and_nothing_that_is_stored_is_lost(old):
    before = rows(old, GAMES)
    assert rows(grown(old), GAMES) == before
    assert {*before} < {*rows(grown(old, rounds=3), GAMES)}
    run = arena.load(old)
    assert (run.counts.played, run.counts.planned, list(run.standings["agent"])) == (6, 6, ["greedy", "random"])
    assert (count(old, "game"), count(old, "superseded")) == (10, 4)
    assert rows(old, "PRAGMA foreign_key_check") == []
    with Store.read(old) as store:
        refuse_damaged(store, whole=True)


def test_one_that_was_not_dropped_plays_again_and_one_that_was_does_not(old):
    before = rows(old, GAMES)
    assert rows(grown(old, replay=("greedy",)), GAMES) == before
    assert arena.load(old).counts.planned == 2
    for growth, message in (
        ({"replay": ("minimax:depth=1",)}, "minimax:depth=1 meets nobody in .*; begin a new run$"),
        ({"add": ("mcts",), "entries": (None,)}, "a new agent would have no opponent"),
    ):
        with pytest.raises(InputError, match=message):
            grown(old, **growth)
    assert rows(old, GAMES) == before


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_where_results_decide_who_meets_whom_one_that_was_dropped_plays_on_and_is_in_no_table(tmp_path, name):
    agents = ("greedy", "random", "greedy", "random")
    path = played(tmp_path / "run.sqlite", *agents, rounds=1, format=name, games=4)
    whole = played(tmp_path / "whole.sqlite", *agents, rounds=1, format=name)
    for each in (path, whole):
        change(each, "UPDATE run SET plan = json_set(plan, '$.dropped', json_array('greedy#2'))")
    assert held(grown(path)) == held(whole)
    assert count(path, "game") > len(rows(path, GAMES)) > 0
    assert set(arena.load(path).standings["agent"]) == {"greedy", "random", "random#2"}
    with Store.read(path) as store:
        assert Plan.from_document(store.plan()).format == name
