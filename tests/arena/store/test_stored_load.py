"""What other programs used of the machine while a run was played and timed is stored, and said where times stand."""

import json
from contextlib import closing

import pytest
from changed import connect
from played import play, played, rows

from arena.comparison.timing import time_alone
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.store import machine
from arena.table.cells import WITHIN
from arena.table.render import write
from arena.tournament.result import load
from arena.tournament.tables import parts

FIELD = ("minimax:depth=1", "greedy")
LOADS = "SELECT what, others, cores FROM load ORDER BY rowid"
NOTE = ", rough: other programs used 1.5 of 2 cores"


@pytest.fixture
def busy(monkeypatch):
    """Other programs use so many cores of two from now on."""

    def use(others):
        monkeypatch.setattr(machine, "BUSY", 0.25)
        monkeypatch.setattr("arena.store.machine.load", lambda: lambda: machine.Load(others, 2))

    return use


def shown(path):
    return write(parts(load(path).frames), "plain")


def test_each_session_of_games_has_its_load_and_the_worst_stands_below_the_tables(tmp_path, busy):
    busy(1.5)
    path = played(tmp_path / "run.sqlite", *FIELD, games=2)
    busy(0.25)
    play(Run.resume(path))
    play(Run.resume(path))  # in which nothing was left to play
    assert rows(path, LOADS) == [("games", 1.5, 2), ("games", 0.25, 2)]
    assert f"ms: mean time of a move, {WITHIN}{NOTE}\n" in shown(path)
    assert shown(path).count(NOTE) == 2, "standings and effort show times"
    assert load(path).meta["load"] == {"other_seconds_per_second": 1.5, "cores": 2}


def test_a_quiet_machine_is_no_note(tmp_path, busy):
    busy(0.5)
    assert "rough:" not in shown(played(tmp_path / "run.sqlite", *FIELD))


def test_interrupted_games_leave_their_load_too(tmp_path, busy):
    busy(1.5)
    path = play(Run.begin(Plan(FIELD, rounds=2), tmp_path / "run.sqlite"), stop=2)
    assert rows(path, LOADS) == [("games", 1.5, 2)]


def test_times_taken_alone_have_a_load_of_their_own_that_follows_them(tmp_path, busy, arena):
    busy(0.5)
    run = Run.begin(Plan(FIELD, openings="plies:2", rounds=2), tmp_path / "run.sqlite")
    with run.store:
        run.play(InProcess())
        for others in (1.0, 1.5):
            busy(others)
            time_alone(run)
    assert rows(run.store.path, LOADS) == [("games", 0.5, 2), ("times", 1.5, 2)]
    document = json.loads(arena("show", run.store.path, "--json").out)
    assert [(each["what"], each["other_seconds_per_second"], each["cores"]) for each in document["loads"]] == [
        ("games", 0.5, 2), ("times", 1.5, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("games", "times", "noted"), [(1.5, 0.0, "ratings"), (0.0, 1.5, "pairings")])
def test_a_comparison_says_under_each_time_how_busy_the_machine_was(
    tmp_path, busy, arena, monkeypatch, games, times, noted
):
    busy(games)
    monkeypatch.setattr("arena.comparison.timing.watched", lambda run, what: busy(times) or machine.watched(run, what))
    words = ("--depth", "1", "--rounds", "2", "-j", "1", "-q", "--out", tmp_path / "run.sqlite")
    pairings, ratings = arena("compare", "zero", "smart-simple", *words).out.split("Ratings")
    assert {name for name, text in (("ratings", ratings), ("pairings", pairings)) if NOTE in text} == {noted}


def test_two_runs_side_by_side_name_the_busy_one(tmp_path, busy, arena):
    busy(0.0)
    old = played(tmp_path / "old.sqlite", *FIELD)
    busy(1.5)
    new = played(tmp_path / "new.sqlite", *FIELD)
    out = arena("diff", old, new).out
    assert "time ×: new over old" in out
    assert out.count(NOTE) == 1


def test_a_file_without_loads_is_read_as_before(tmp_path):
    path = played(tmp_path / "run.sqlite", *FIELD)
    with closing(connect(path)) as connection, connection:
        connection.execute("DROP TABLE load")
    assert load(path).frames.made["loads"] == []
    assert load(path).meta["load"] is None
