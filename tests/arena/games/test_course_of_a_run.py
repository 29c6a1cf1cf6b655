"""Runs in which results decide who meets next: played, stopped, refused and shown."""

import json
import re
from contextlib import suppress
from dataclasses import replace

import pytest
from played import GAMES, rows

from agents.errors import InputError
from arena.games.formats import FixedFormat
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess, Processes

PLAN = Plan(("greedy", "random", "alphabeta:depth=1", "alphabeta:depth=2"), rounds=6)


@pytest.mark.parametrize(("name", "processes"), [("swiss", 2), ("knockout", 0)])
def test_whoever_plays_and_wherever_it_was_stopped_the_games_are_the_same(tmp_path, name, processes):
    plan = replace(PLAN, format=name)
    whole, parts = Run.begin(plan, tmp_path / "whole.sqlite"), Run.begin(plan, tmp_path / "parts.sqlite")
    with whole.store:
        assert whole.play(InProcess())
        played = len(whole.store.played())
        assert whole.store.planned() == played <= plan.tournament().most
    with parts.store:
        assert not parts.play(Processes(processes) if processes else InProcess(), games=7)
        assert len(parts.store.played()) == 7
    for games, number in ((1, 8), (18, 26), (None, played)):
        run = Run.resume(tmp_path / "parts.sqlite")
        with run.store:
            assert run.play(InProcess(), games=games) == (games is None)
            assert len(run.store.played()) == number
    assert rows(tmp_path / "parts.sqlite", GAMES) == rows(tmp_path / "whole.sqlite", GAMES)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("swiss:9", "a Swiss tournament of 4 agents has 1 to 2 rounds, not 9; in more of them a round robin says more"),
        ("knockout:2", "format 'knockout:2': knockout takes no number of rounds"),
        ("gauntlet:2", "'gauntlet:2': did you mean gauntlet?"),
        ("swis", "'swis': did you mean swiss?"),
    ],
)
def test_a_format_that_makes_no_sense_is_told(name, error):
    with pytest.raises(InputError, match=error):
        replace(PLAN, format=name)


def test_what_a_format_cannot_have_is_told():
    with pytest.raises(InputError, match="a sequential test takes a match of two agents"):
        replace(PLAN, agents=PLAN.agents[:2], format="swiss", sprt="elo0=0,elo1=30")
    with pytest.raises(InputError, match="lets nobody meet itself"):
        replace(PLAN, format="knockout", include_self=True)


def test_pairings_that_are_named_are_in_place_of_any_format():
    assert isinstance(replace(PLAN, format="swiss", pairs=(("greedy", "random"),)).tournament(), FixedFormat)


def test_the_tables_tell_the_rounds_and_the_places(arena, tmp_path):
    words = ["run", *PLAN.agents, "--rounds", 4, "-j", 1, "-q", "--format", "knockout", "--out", tmp_path / "r.sqlite"]
    assert re.search(r"^Places by the knockout: 1\. \S+, 2\. ", arena(*words).out, re.MULTILINE)
    shown = json.loads(arena("show", tmp_path / "r.sqlite", "--json").out)
    assert sorted(shown["places"]) == sorted(PLAN.agents)
    assert [row["round"] for row in shown["rounds"]] == [1, 1, 2]
    assert sum(row["points_one"] + row["points_two"] for row in shown["rounds"]) == shown["games"]["played"]
    assert "round,one,two,pairs" in arena("show", tmp_path / "r.sqlite", "--table", "rounds", "--style", "csv").out


def test_a_tournament_that_is_still_played_has_rounds_and_no_places(arena, tmp_path):
    words = ["run", *PLAN.agents, "--rounds", 4, "-j", 1, "-q", "--format", "knockout", "--out", tmp_path / "r.sqlite"]
    done = arena(*words, "--games", 3)
    assert "Rounds: knockout" in done.out
    assert "Places" not in done.out


OWN = """
from arena.games.formats_by_results import Swiss

class Own(Swiss):
    pass

def nobody(agents, include_self):
    return []

def ring(agents, include_self):
    return [(place, (place + 1) % agents) for place in range(agents)]
"""


def test_a_format_in_which_nobody_meets_is_whole_from_the_beginning_and_leaves_a_file(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    run = Run.begin(Plan(("greedy", "random"), format=f"{tmp_path}/own.py:nobody"), tmp_path / "run.sqlite")
    with run.store:
        assert run.play(InProcess())
        assert (run.store.planned(), run.store.played()) == (0, set())
    assert (tmp_path / "run.sqlite").exists()
    assert Run.resume(tmp_path / "run.sqlite").store.close() is None


class Failing(InProcess):
    """Stops before the first game, as Ctrl-C does."""

    def play(self, jobs):
        raise KeyboardInterrupt
        yield


@pytest.mark.parametrize("executor", [InProcess, Failing])
def test_a_run_without_games_leaves_a_file_only_if_it_was_there_before(tmp_path, executor):
    def stopped(run, games):
        with suppress(KeyboardInterrupt), run.store:
            assert not run.play(executor(), games=games)

    path = tmp_path / "run.sqlite"
    stopped(Run.begin(PLAN, path), 0)
    assert list(tmp_path.iterdir()) == []
    Run.begin(PLAN, path).store.close()
    stopped(Run.resume(path), 0)
    assert list(tmp_path.iterdir()) == [path]
    with (run := Run.resume(path)).store:
        assert not run.play(InProcess(), games=1)
    stopped(Run.resume(path), 0)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["Own", "ring", "swiss"])
def test_a_format_of_the_users_own_goes_on_where_it_stopped(tmp_path, name):
    (tmp_path / "own.py").write_text(OWN)
    agents = ("greedy", "random", "greedy", "random", "random")
    plan = Plan(agents, rounds=1, format=name if name == "swiss" else f"{tmp_path}/own.py:{name}")
    with (run := Run.begin(plan, tmp_path / "run.sqlite")).store:
        assert not run.play(InProcess(), games=3)
        assert run.store.plan()["strata"] == [run.store.plan()["population"]] == [568]
    with (run := Run.resume(tmp_path / "run.sqlite")).store:
        assert run.play(InProcess())
        assert len(run.store.played()) == run.store.planned()
    whole = Run.begin(plan, tmp_path / "whole.sqlite")
    with whole.store:
        whole.play(InProcess())
    assert rows(tmp_path / "run.sqlite", GAMES) == rows(tmp_path / "whole.sqlite", GAMES)
