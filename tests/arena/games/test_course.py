"""Tournaments whose pairings depend on results, played by dice: who is stronger by how much is planted."""

import random

import pytest
from played import walked

from agents.board import Outcome
from agents.errors import InputError
from arena.games.formats import of_name, replay
from arena.games.formats_by_results import Knockout, Swiss, pair_up
from arena.records import Job

FORMATS = ["swiss", "knockout"]


def by_dice(strengths):
    """Return who wins a game: the first player with chance 1/2 and their difference in strength."""

    def outcome(job):
        dice = random.Random(str(job)).random()
        ahead = strengths[job.first] - strengths[job.second]
        return Outcome.FIRST_WINS if dice < 0.5 + ahead else Outcome.SECOND_WINS

    return outcome


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("agents", [2, 3, 5, 8, 13])
def test_the_strongest_comes_first_no_game_is_played_twice_and_there_are_no_more_than_said(name, agents):
    strengths = [(place * 5 % agents) / agents * 0.9 for place in range(agents)]
    how = of_name(name, agents, 20, 3)
    batches, places = walked(how, by_dice(strengths))
    games = [job for batch in batches for job in batch]
    assert len(games) == len(set(games)) <= how.most
    assert sorted(places) == list(range(agents))
    assert strengths[places[0]] == max(strengths)


@pytest.mark.parametrize(
    ("name", "agents", "most"),
    [
        ("swiss", 2, 14), ("swiss", 3, 28), ("swiss", 5, 84), ("swiss", 8, 168), ("swiss", 9, 224), ("swiss:1", 9, 56),
        ("knockout", 2, 14), ("knockout", 5, 56), ("knockout", 8, 98),
        ("round-robin", 5, 140), ("gauntlet", 5, 56),
    ],
)  # fmt: skip
def test_a_format_says_how_many_games_it_plays_at_most(name, agents, most):
    assert of_name(name, agents, 7, 1).most == most


@pytest.mark.parametrize(
    ("name", "agents", "message"),
    [
        ("swiss", 1, "format 'swiss' needs two agents"),
        ("knockout:3", 4, "format 'knockout:3': knockout takes no number of rounds"),
        (
            "swiss:4",
            5,
            "a Swiss tournament of 5 agents has 1 to 3 rounds, not 4; in more of them a round robin says more",
        ),
        (
            "swiss:0",
            5,
            "a Swiss tournament of 5 agents has 1 to 3 rounds, not 0; in more of them a round robin says more",
        ),
    ],
)
def test_a_format_that_does_not_fit_is_refused_in_one_line(name, agents, message):
    with pytest.raises(InputError) as raised:
        of_name(name, agents, 7, 1)
    assert str(raised.value) == message


@pytest.mark.parametrize("name", FORMATS)
def test_where_results_decide_who_meets_nobody_meets_itself(name):
    with pytest.raises(InputError, match="lets nobody meet itself; --include-self is for a round robin or a gauntlet"):
        of_name(name, 4, 7, 1, include_self=True)


@pytest.mark.parametrize("name", FORMATS)
def test_openings_are_played_in_pairs(name):
    for batch in walked(of_name(name, 5, 7, 1), by_dice([0.1, 0.2, 0.0, 0.3, 0.1]))[0]:
        assert {Job(job.second, job.first, job.opening) for job in batch} == set(batch)


@pytest.mark.parametrize("name", FORMATS)
def test_games_that_were_played_before_change_nothing(name):
    outcome, how = by_dice([0.3, 0.2, 0.0, 0.35, 0.1, 0.2]), of_name(name, 6, 8, 5)
    batches, places = walked(how, outcome)
    results = {job: outcome(job) for batch in batches for job in batch}
    for kept in (len(results) // 3, len(results)):
        assert walked(how, outcome, list(results.items())[:kept]) == (batches, places)


@pytest.mark.parametrize("name", FORMATS)
def test_stored_results_lead_to_the_batch_that_is_left_and_all_of_them_to_the_places(name):
    outcome, how = by_dice([0.3, 0.2, 0.0, 0.35, 0.1, 0.2]), of_name(name, 6, 8, 5)
    batches, places = walked(how, outcome)
    results = {job: outcome(job) for batch in batches for job in batch}
    assert replay(how, results) == (batches, places)
    del results[batches[1][-1]]
    assert replay(how, results) == (batches[:2], [])
    assert replay(how, {}) == (batches[:1], [])


def test_in_a_swiss_no_two_meet_twice_and_neighbours_in_the_score_meet():
    strengths = [place / 16 for place in range(8)]
    batches, places = walked(Swiss(8, 10, 1, 4), by_dice(strengths))
    met = [{frozenset((job.first, job.second)) for job in batch} for batch in batches]
    assert [len(each) for each in met] == [4] * 4
    assert len(set().union(*met)) == 16
    assert places[0] == 7
    assert places[-1] == 0


def test_in_a_swiss_of_an_odd_number_one_rests_and_nobody_twice():
    batches, _ = walked(Swiss(7, 1, 1, 4), by_dice([0.0] * 7))
    resting = [set(range(7)) - {job.first for job in batch} for batch in batches]
    assert [len(each) for each in resting] == [1] * 4
    assert len(set().union(*resting)) == 4


@pytest.mark.parametrize("agents", range(2, 41))
def test_a_swiss_of_as_many_rounds_as_are_allowed_finds_its_pairs_whoever_wins(agents):
    how = Swiss(agents, 1, agents, max(1, (agents + 1) // 2))
    batches, _ = walked(how, by_dice([random.Random(agents).random() / 2 for _ in range(agents)]))
    assert sum(map(len, batches)) == how.most


def test_two_who_are_left_over_and_have_met_change_partners():
    met = {frozenset(pair) for pair in [(2, 3), (0, 3)]}
    assert sorted(map(sorted, pair_up([0, 1, 2, 3], met))) == [[0, 2], [1, 3]]


def test_a_knockout_has_byes_for_the_first_and_keeps_the_first_two_apart_to_the_end():
    strengths = [0.4, 0.35, 0.2, 0.1, 0.0]
    batches, places = walked(of_name("knockout", 5, 30, 1), by_dice([0.8 * each for each in strengths]))
    rounds = {}
    for job in (job for batch in batches for job in batch):
        rounds.setdefault(job.round, set()).add(frozenset((job.first, job.second)))
    assert rounds[1] == {frozenset((3, 4))}
    assert rounds[2] == {frozenset((0, 3)), frozenset((1, 2))}
    assert rounds[3] == {frozenset((0, 1))}
    assert places[0] == 0


def test_a_match_of_a_knockout_plays_all_openings_however_one_sided_it_is():
    batches, places = walked(Knockout(2, 9), won_by(1))
    assert (len(batches), len(batches[0]), places) == (1, 18, [1, 0])


def test_half_a_point_more_wins_a_match_and_a_tie_is_for_who_stood_higher():
    drawn = lambda job: Outcome.DRAW  # noqa: E731
    once = lambda job: won_by(1)(job) if job == Job(1, 0, 2, 1) else Outcome.DRAW  # noqa: E731
    assert walked(Knockout(2, 3), drawn)[1] == [0, 1]
    assert walked(Knockout(2, 3), once)[1] == [1, 0]


@pytest.mark.parametrize(
    ("agents", "upsets", "places"),
    [
        (8, "", "0 1 2 3 4 5 6 7"), (16, "87", "0 1 2 3 4 5 6 8 7 9 10 11 12 13 14 15"),
        (8, "70", "1 3 2 7 0 4 5 6"), (8, "70 61 52 43", "4 5 6 7 0 1 2 3"),
        (6, "52 43", "0 1 4 5 2 3"),
        (6, "52 43 40 51 54", "5 4 0 1 2 3"), (3, "21", "0 2 1"), (3, "21 20", "2 0 1"), (2, "10", "1 0"),
    ],
)  # fmt: skip
def test_who_loses_in_the_same_round_of_a_knockout_stands_in_the_order_of_the_seeds(agents, upsets, places):
    def outcome(job):
        low, high = sorted((job.first, job.second))
        winner = high if f"{high}{low}" in upsets.split() else low
        return Outcome.FIRST_WINS if winner == job.first else Outcome.SECOND_WINS

    assert walked(Knockout(agents, 1), outcome)[1] == [int(place) for place in places.split()]


def test_where_all_games_of_a_knockout_are_drawn_the_agents_stay_in_their_order():
    assert walked(of_name("knockout", 5, 3, 1), lambda job: Outcome.DRAW)[1] == [0, 1, 2, 3, 4]


def won_by(agent):
    return lambda job: Outcome.FIRST_WINS if job.first == agent else Outcome.SECOND_WINS
