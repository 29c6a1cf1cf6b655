"""Tournaments whose pairings depend on results, played by dice: who is stronger by how much is planted."""

import json
import random
import re
from dataclasses import replace

import pytest

from agents.board import Outcome
from agents.errors import InputError
from arena.play.course import STEP, Listed, Match, course
from arena.play.plan import Plan
from arena.play.swiss import Swiss, neighbours
from arena.play.tournament import Run
from arena.play.workers import InProcess, Processes
from arena.store.records import Job
from arena.store.store import Store

GAMES = "SELECT key, moves, result, termination FROM game ORDER BY key"
FORMATS = ["swiss", "knockout", "ladder"]


def by_dice(strengths):
    """Return who wins a game: the first player with chance 1/2 and their difference in strength."""

    def outcome(job):
        dice = random.Random(job.key).random()
        ahead = strengths[job.first] - strengths[job.second]
        return Outcome.FIRST_WINS if dice < 0.5 + ahead else Outcome.SECOND_WINS

    return outcome


def play(how, outcome, known=()):
    """Play a course; return the keys of its games, stage by stage, and the places."""
    outcomes = dict(known)
    stages, told = how.stages(outcomes), []
    while True:
        try:
            stage = next(stages)
        except StopIteration as end:
            return told, end.value
        told.append((stage.round, [job.key for job in stage.jobs]))
        assert stage.jobs
        for job in stage.jobs:
            outcomes[job.key] = outcome(job)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("agents", [2, 3, 5, 8, 13])
def test_the_strongest_comes_first_no_game_is_played_twice_and_there_are_no_more_than_said(name, agents):
    strengths = [(place * 5 % agents) / agents * 0.9 for place in range(agents)]
    how = course(name, agents, 20, 3)
    told, places = play(how, by_dice(strengths))
    keys = [key for _, stage in told for key in stage]
    assert len(keys) == len(set(keys)) <= how.most
    assert sorted(places) == list(range(agents))
    assert strengths[places[0]] == max(strengths)


@pytest.mark.parametrize("name", FORMATS)
def test_openings_are_played_in_pairs(name):
    for _, keys in play(course(name, 5, 7, 1), by_dice([0.1, 0.2, 0.0, 0.3, 0.1]))[0]:
        jobs = {tuple(map(int, key.split("-"))) for key in keys}
        assert {(second, first, opening) for first, second, opening in jobs} == jobs


@pytest.mark.parametrize("name", FORMATS)
def test_games_that_were_played_before_change_nothing(name):
    outcome, how = by_dice([0.3, 0.2, 0.0, 0.35, 0.1, 0.2]), course(name, 6, 8, 5)
    told, places = play(how, outcome)
    games = {key: outcome(Job.named(key)) for _, stage in told for key in stage}
    for kept in (len(games) // 3, len(games)):
        assert play(how, outcome, list(games.items())[:kept]) == (told, places)


def test_in_a_swiss_no_two_meet_twice_and_neighbours_in_the_score_meet():
    strengths = [place / 16 for place in range(8)]
    told, places = play(Swiss(8, 10, 1, 4), by_dice(strengths))
    met = [{frozenset(key.split("-")[:2]) for key in keys} for _, keys in told]
    assert [len(each) for each in met] == [4] * 4
    assert len(set().union(*met)) == 16
    assert places[0] == 7
    assert places[-1] == 0


def test_in_a_swiss_of_an_odd_number_one_rests_and_nobody_twice():
    told, _ = play(Swiss(7, 1, 1, 4), by_dice([0.0] * 7))
    resting = [set("0123456") - {place for key in keys for place in key.split("-")[:2]} for _, keys in told]
    assert [len(each) for each in resting] == [1] * 4
    assert len(set().union(*resting)) == 4


@pytest.mark.parametrize("agents", range(2, 41))
def test_a_swiss_of_as_many_rounds_as_are_allowed_finds_its_pairs_whoever_wins(agents):
    how = Swiss(agents, 1, agents, max(1, (agents + 1) // 2))
    told, _ = play(how, by_dice([random.Random(agents).random() / 2 for _ in range(agents)]))
    assert sum(len(keys) for _, keys in told) == how.most


def test_two_who_are_left_over_and_have_met_change_partners():
    met = {frozenset(pair) for pair in [(2, 3), (0, 3)]}
    assert sorted(map(sorted, neighbours([0, 1, 2, 3], met))) == [[0, 2], [1, 3]]


def test_a_knockout_has_byes_for_the_first_and_keeps_the_first_two_apart_to_the_end():
    strengths = [0.4, 0.35, 0.2, 0.1, 0.0]
    told, places = play(course("knockout", 5, 30, 1), by_dice([0.8 * each for each in strengths]))
    rounds = {}
    for number, keys in told:
        rounds.setdefault(number, set()).update(frozenset(map(int, key.split("-")[:2])) for key in keys)
    assert rounds[1] == {frozenset((3, 4))}
    assert rounds[2] == {frozenset((0, 3)), frozenset((1, 2))}
    assert rounds[3] == {frozenset((0, 1))}
    assert places[0] == 0


def test_on_a_ladder_of_agents_from_the_strongest_on_each_newcomer_plays_one_match():
    told, places = play(course("ladder", 4, 20, 1), by_dice([0.45, 0.3, 0.15, 0.0]))
    assert places == [0, 1, 2, 3]
    assert {key[:3] for _, keys in told for key in keys} == {"1-0", "0-1", "2-1", "1-2", "3-2", "2-3"}


def test_a_match_stops_when_it_is_decided_and_when_nobody_can_catch_up():
    match = Match(1, 0, 100)
    while jobs := match.next_jobs():
        assert len(jobs) == 2 * STEP
        match.see(jobs, won_by(1, jobs))
    assert (match.winner, match.counts) == (1, [0, 0, 0, 0, 10])
    match = Match(1, 0, 9)
    match.see(jobs := match.next_jobs(), won_by(1, jobs))
    assert (match.winner, match.next_jobs()) == (1, [])


def test_a_tie_is_for_who_stood_higher():
    match = Match(1, 0, 3)
    match.see(jobs := match.next_jobs(), dict.fromkeys([job.key for job in jobs], Outcome.DRAW))
    assert (len(jobs), match.winner, match.next_jobs()) == (6, 0, [])


def won_by(agent, jobs):
    return {job.key: Outcome.FIRST_WINS if job.first == agent else Outcome.SECOND_WINS for job in jobs}


def games_of(path):
    with Store.read(path) as store:
        return store.select(GAMES)[1]


PLAN = Plan(("greedy", "random", "alphabeta:depth=1", "alphabeta:depth=2"), rounds=6)


@pytest.mark.parametrize("name", FORMATS)
def test_whoever_plays_and_wherever_it_was_stopped_the_games_are_the_same(tmp_path, name):
    plan = replace(PLAN, format=name)
    whole, parts = Run.begin(plan, tmp_path / "whole.sqlite"), Run.begin(plan, tmp_path / "parts.sqlite")
    with whole.store:
        assert whole.play(InProcess())
        played = len(whole.store.played())
        assert whole.store.planned() == played <= plan.course().most
    with parts.store:
        assert not parts.play(Processes(2), games=7)
    for games in (1, 18, None):
        run = Run.resume(tmp_path / "parts.sqlite")
        with run.store:
            assert run.play(InProcess(), games=games) == (games is None)
    assert games_of(tmp_path / "parts.sqlite") == games_of(tmp_path / "whole.sqlite")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("swiss:9", "a Swiss tournament of 4 agents has 1 to 2 rounds, not 9; in more of them a round robin says more"),
        ("knockout:2", "format 'knockout:2': knockout takes no number of rounds"),
        ("gauntlet:2", "no format 'gauntlet:2': did you mean gauntlet?"),
        ("swis", "no format 'swis': did you mean swiss?"),
    ],
)
def test_a_format_that_makes_no_sense_is_told(name, error):
    with pytest.raises(InputError, match=error):
        replace(PLAN, format=name)


def test_what_a_format_cannot_have_is_told():
    with pytest.raises(InputError, match="a sequential test takes a match of two agents"):
        replace(PLAN, agents=PLAN.agents[:2], format="swiss", sprt="elo0=0,elo1=30")
    with pytest.raises(InputError, match="lets nobody meet itself"):
        replace(PLAN, format="ladder", include_self=True)


def test_pairings_that_are_named_are_in_place_of_any_format():
    assert isinstance(replace(PLAN, format="swiss", pairs=(("greedy", "random"),)).course(), Listed)


def test_the_tables_tell_the_rounds_and_the_places(arena, tmp_path):
    words = ["run", *PLAN.agents, "--rounds", 4, "-j", 1, "-q", "--format", "knockout", "--out", tmp_path / "r.sqlite"]
    assert re.search(r"^Places by the knockout: 1\. \S+, 2\. ", arena(*words).out, re.MULTILINE)
    shown = json.loads(arena("show", tmp_path / "r.sqlite", "--json").out)
    assert sorted(shown["places"]) == sorted(PLAN.agents)
    assert [row["round"] for row in shown["rounds"]] == [1, 1, 2]
    assert sum(row["points_one"] + row["points_two"] for row in shown["rounds"]) == shown["games"]["played"]
    assert "round,one,two,pairs" in arena("show", tmp_path / "r.sqlite", "--table", "rounds", "--style", "csv").out


def test_a_tournament_that_is_still_played_has_rounds_and_no_places(arena, tmp_path):
    words = ["run", *PLAN.agents, "--rounds", 4, "-j", 1, "-q", "--format", "ladder", "--out", tmp_path / "r.sqlite"]
    done = arena(*words, "--games", 3)
    assert "Rounds: ladder" in done.out
    assert "Places" not in done.out


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_swiss_tournament_has_from_one_round_to_as_many_as_find_new_opponents(number):
    assert Swiss(4, 1, 1, 1).most < Swiss(4, 1, 1, 2).most
    with pytest.raises(InputError, match=f"has 1 to 2 rounds, not {number};"):
        Swiss(4, 1, 1, number)
