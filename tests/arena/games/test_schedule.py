from collections import Counter

import pytest
from played import walked

from agents.board import Outcome
from agents.errors import InputError
from arena.games.formats import FixedFormat, gauntlet, jobs, named, of_name, pairings_of, round_robin
from arena.records import Job


def test_in_a_round_robin_every_two_agents_meet_once():
    assert round_robin(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert round_robin(2, include_self=True) == [(0, 0), (0, 1), (1, 1)]


def test_in_a_gauntlet_the_first_agent_meets_every_other():
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]
    assert gauntlet(2, include_self=True) == [(0, 0), (0, 1)]


def test_each_pairing_plays_each_opening_twice_with_colours_swapped():
    games = jobs(round_robin(3), 5)
    assert len(games) == len(set(games)) == 3 * 5 * 2
    met = Counter((job.first, job.second, job.opening) for job in games)
    assert met == {(a, b, o): 1 for a in range(3) for b in range(3) if a != b for o in range(5)}


def test_an_agent_meets_itself_once_for_each_opening():
    assert jobs([(1, 1)], 3) == [Job(1, 1, opening) for opening in range(3)]


@pytest.mark.parametrize("pairings", [round_robin(3), round_robin(3, include_self=True), gauntlet(4), [(1, 1)], []])
@pytest.mark.parametrize("rounds", [1, 4])
def test_a_fixed_schedule_has_as_many_games_as_it_says_in_one_batch(pairings, rounds):
    how = FixedFormat(pairings, rounds)
    batches, places = walked(how, lambda job: Outcome.DRAW) if pairings else ([[]], [])
    assert (batches, places) == ([jobs(pairings, rounds)], [])
    assert how.most == len(batches[0])


def test_an_interrupted_run_is_balanced():
    games = jobs(round_robin(3), 4)
    assert [job.opening for job in games] == sorted(job.opening for job in games)


def test_texts_tell_games_apart_and_are_read_again():
    games = jobs(round_robin(12, include_self=True), 12)
    assert len({str(job) for job in games}) == len(games)
    assert [Job.parse(str(job)) for job in games] == games


@pytest.mark.parametrize("text", ["", "3", "0-1", "0-1-2-3", "0-1-", "-1-0-2", "0-1-x", "0-1-2 ", f"0-1-{10**20}"])
def test_a_text_of_another_form_names_no_game(text):
    assert Job.parse(text) is None


def test_a_game_is_the_same_in_whatever_round_it_stands():
    assert {Job(0, 1, 2, 3): "played"}[Job(0, 1, 2)] == "played"
    assert [job.round for job in jobs(round_robin(3), 1, 4)] == [4] * 6


def test_seeds_depend_on_the_run_and_the_game_alone():
    games = jobs(round_robin(4), 10)
    seeds = {seed for job in games for seed in job.seeds(7)}
    assert len(seeds) == 2 * len(games)
    assert seeds.isdisjoint(seed for job in games for seed in job.seeds(8))
    assert Job(0, 1, 2).seeds(7) == Job(0, 1, 2).seeds(7)


def test_seeds_stay_the_same_between_versions():
    assert Job(0, 1, 2).seeds(1) == (44127157262252, 50263365221238)


def test_pairings_can_be_named():
    names = ["a", "b", "c#2"]
    assert named([("b", "a"), ("c#2", "b")], names) == [(1, 0), (2, 1)]
    assert named([("a", "a")], names) == [(0, 0)]


def test_a_pairing_that_is_named_twice_is_played_once():
    assert named([("a", "b"), ("c", "a"), ("b", "a"), ("a", "b")], ["a", "b", "c"]) == [(0, 1), (2, 0)]


def test_a_pairing_of_an_agent_that_does_not_play_is_refused():
    with pytest.raises(InputError, match="pair names 'd', which is not among the agents: a, b"):
        named([("a", "d")], ["a", "b"])


@pytest.mark.parametrize("pairings", [[(0, 1), (1, 0)], [(0, 1), (0, 1)]])
def test_a_format_in_which_two_agents_meet_twice_is_refused(tmp_path, pairings):
    (tmp_path / "own.py").write_text(f"def odd(agents, include_self=False):\n    return {pairings}\n")
    with pytest.raises(InputError, match="lets two agents meet twice"):
        pairings_of(f"{tmp_path}/own.py:odd", 2, include_self=False)


ODD = """
from agents.errors import InputError


def odd(agents, include_self=False):
    {does}


class Odd:
    number = 1

    def __init__(self, agents, rounds, seed, number=1):
        odd(agents)
"""


@pytest.mark.parametrize(
    ("does", "refused"),
    [
        ("raise InputError('four agents or more')", "four agents or more"),
        ("raise ValueError('four or more')", "format '{name}' fails: ValueError: four or more"),
        ("return [].four", "format '{name}' fails: AttributeError: 'list' object has no attribute 'four'"),
    ],
)
@pytest.mark.parametrize("maker", ["odd", "Odd", "Odd:3"])
def test_what_a_format_of_ones_own_refuses_is_said_once_and_where_it_fails_with_its_name(
    tmp_path, does, refused, maker
):
    path = tmp_path / "own.py"
    path.write_text(ODD.format(does=does))
    name = f"{path}:{maker}"
    with pytest.raises(InputError) as raised:
        of_name(name, 2, 1, 1)
    assert str(raised.value) == refused.format(name=name)


@pytest.mark.parametrize(("pairings", "fits"), [
    ([(0, 1), (1, 1)], True), ([(1, 0)], True), ([(0, 2)], False), ([(2, 1)], False), ([(-1, 0)], False),
    ([(0, 1), (1, -1)], False), ([], True), ([(0, 0), (0, 0)], None),
])  # fmt: skip
def test_a_format_pairs_agents_that_there_are(tmp_path, pairings, fits):
    (tmp_path / "own.py").write_text(ODD.format(does=f"return {pairings}"))
    name = f"{tmp_path / 'own.py'}:odd"
    if fits:
        assert of_name(name, 2, 3, 1) == FixedFormat(pairings, 3)
        return
    with pytest.raises(InputError, match="lets two agents meet twice" if fits is None else "that there are not: "):
        of_name(name, 2, 3, 1)
