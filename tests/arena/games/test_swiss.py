import random
import statistics

import pytest
from played import walked

from agents.board import Outcome
from agents.errors import InputError
from arena.games.formats_by_results import Swiss, pair_up


@pytest.mark.parametrize("seed", range(4))
def test_who_rests_stands_as_one_who_drew_all_of_its_games(seed):
    [batch], places = walked(Swiss(3, 2, seed, 1), lambda job: Outcome.DRAW)
    [rests] = {0, 1, 2} - {job.first for job in batch}
    assert places[-1] == rests


@pytest.mark.parametrize("seed", range(30))
def test_agents_stand_by_their_points_a_game_and_who_has_not_played_as_if_all_were_drawn(seed):
    dice, points = random.Random(seed), {agent: [] for agent in range(5)}

    def outcome(job):
        end = dice.choice(list(Outcome)[:3])
        first = {Outcome.FIRST_WINS: 1.0, Outcome.DRAW: 0.5, Outcome.SECOND_WINS: 0.0}[end]
        points[job.first].append(first)
        points[job.second].append(1.0 - first)
        return end

    _, places = walked(Swiss(5, 2, seed, 2), outcome)
    shares = [statistics.mean(points[agent] or [0.5]) for agent in places]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("agents", "met", "pairs"),
    [
        (4, "", "01 23"), (4, "01", "02 13"), (4, "23", "02 13"), (4, "23 02", "12 03"), (4, "23 13", "12 03"),
        (4, "01 02", "03 12"), (6, "45", "01 24 35"), (6, "45 24", "01 34 25"), (6, "45 24 25", "04 15 23"),
        (6, "45 24 34", "04 15 23"), (0, "", ""),
    ],
)  # fmt: skip
def test_of_the_order_of_points_the_nearest_meet_and_two_that_are_left_swap_with_the_nearest_pair(agents, met, pairs):
    before = {frozenset(map(int, pair)) for pair in met.split()}
    assert pair_up(range(agents), before) == [tuple(map(int, pair)) for pair in pairs.split()]


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_swiss_tournament_has_from_one_round_to_as_many_as_find_new_opponents(number):
    assert Swiss(4, 1, 1, 1).most < Swiss(4, 1, 1, 2).most
    with pytest.raises(InputError, match=f"has 1 to 2 rounds, not {number};"):
        Swiss(4, 1, 1, number)
