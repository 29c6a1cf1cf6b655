import json
import math
import random
from statistics import NormalDist

import numpy as np
import pytest
import simulate_order
from walked import walked

from agents.board import Outcome
from agents.errors import InputError
from arena.api.tournaments import begin
from arena.play.formats_by_results import PAIRS, AdaptiveSampling
from arena.play.plan import Plan
from arena.play.run import Run
from arena.play.workers import InProcess
from arena.statistics import sampling
from arena.store.run_file import Store

AGENTS = ("random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2")


def play(how, strengths, seed=0):
    """Play a course by dice; return its games and the places."""

    def outcome(job):
        ahead = strengths[job.first] - strengths[job.second]
        wins = random.Random(f"{seed} {job}").random() < 1.0 / (1.0 + 10.0 ** (-ahead / 400.0))
        return Outcome.FIRST_WINS if wins else Outcome.SECOND_WINS

    batches, places = walked(how, outcome)
    return [job for batch in batches for job in batch], places


def test_games_are_spent_on_neighbours_that_are_near_and_end_when_their_order_is_shown():
    strengths = [0, 900, 300, 360, -500]
    how = AdaptiveSampling(5, 300)
    spent = {}
    for seed in range(6):
        games, places = play(how, strengths, seed)
        assert places == [1, 3, 2, 0, 4]
        assert len(games) < how.most / 4
        for job in games:
            ends = (min(job.first, job.second), max(job.first, job.second))
            spent[ends] = spent.get(ends, 0) + 1
    assert max(spent, key=spent.get) == (2, 3)
    assert spent[2, 3] > sum(spent.values()) / 2


@pytest.mark.parametrize("rounds", [10, 11, 12])
def test_equals_play_all_openings_and_stay_open(rounds):
    games, _ = play(AdaptiveSampling(3, rounds), [0, 0, 0])
    assert len(games) <= AdaptiveSampling(3, rounds).most
    assert len({job.opening for job in games}) == rounds


@pytest.mark.parametrize(("agents", "orders"), [(2, 1), (3, 3), (16, 120)])
def test_the_risk_is_shared_by_all_who_may_become_neighbours(agents, orders):
    assert math.exp(-AdaptiveSampling(agents, 10).level) == pytest.approx(0.05 / orders)
    assert AdaptiveSampling(agents, 10).most == 2 * 10 * orders  # a round robin


def test_whoever_plays_and_wherever_it_was_stopped_the_games_are_the_same(tmp_path):
    plan = Plan(AGENTS, rounds=12, order="uncertain")
    found = []
    for name, cuts in (("whole", ()), ("parts", (5, 1, 20))):
        run = Run.begin(plan, tmp_path / f"{name}.sqlite")
        for games in (*cuts, None):
            with run.store:
                assert run.play(InProcess(), games=games) == (games is None)
            with Store.read(run.store.path) as store:
                found.append(store.select("SELECT key, moves FROM game ORDER BY key")[1])
            if games is not None:
                run = Run.resume(run.store.path)
    assert found[-1] == found[0]
    assert len(found[0]) % (2 * PAIRS) == 0


@pytest.mark.parametrize(
    ("settings", "rounds"), [({"order": "uncertain"}, 25), ({"order": "uncertain", "rounds": 3}, 3), ({}, None)]
)
def test_without_a_number_of_rounds_it_has_all_openings(settings, rounds, tmp_path):
    plan = {"openings": "plies:2", **settings}
    run = begin(["random", "greedy", "alphabeta:depth=1"], plan, out=tmp_path / "run.sqlite")
    run.store.discard()
    assert run.plan.rounds == (rounds or Plan(AGENTS).rounds)


@pytest.mark.parametrize("other", [{"format": "swiss"}, {"include_self": True}, {"pairs": (("random", "greedy"),)}])
def test_it_takes_a_round_robin(other):
    with pytest.raises(InputError, match="the order uncertain is for a round robin of three agents or more"):
        Plan(AGENTS, order="uncertain", **other)


def test_an_order_that_there_is_not_is_told():
    with pytest.raises(InputError, match="no order 'uncertian': did you mean uncertain"):
        Plan(AGENTS, order="uncertian")


def test_strengths_are_the_likeliest_under_their_prior():
    counts = np.zeros((3, 3, 5))
    counts[0, 1] = [1, 2, 3, 4, 5]
    counts[1, 0] = counts[0, 1][::-1]
    found, covariance = sampling.strengths(counts)

    def likelihood(at):
        points, games = 2 * counts[0, 1] @ np.arange(5) / 4, 2 * counts[0, 1].sum()
        chance = 1 / (1 + np.exp(at[1] - at[0]))
        return points * np.log(chance) + (games - points) * np.log(1 - chance) - (at**2).sum() / 2 / sampling.PRIOR**2

    steps = np.eye(3) * 1e-3
    assert all(likelihood(found) > likelihood(found + sign * step) for step in steps for sign in (-1, 1))
    assert found[2] == pytest.approx(0.0)
    assert covariance[2, 2] == pytest.approx(sampling.PRIOR**2)


def test_nothing_is_learnt_where_it_is_sure_or_hopeless():
    found = np.array([4.0, 0.1, 0.0, -0.001, -0.002])
    covariance = np.diag([0.1, 0.1, 0.1, 1e-6, 1e-6])
    sure, near, _, hopeless = sampling.gains(found, covariance, sampling.order(found), 3)
    assert near > 10 * max(sure, hopeless, 0.0)


def test_the_entropy_of_an_order_is_that_of_a_normal_difference():
    chances = [NormalDist().cdf(deviations) for deviations in (0.5, 3.0)]
    expected = [-sum(chance * math.log(chance) for chance in (each, 1.0 - each)) for each in chances]
    assert sampling._entropy(np.array([0.5, 3.0])) == pytest.approx(expected, rel=1e-9)
    assert sampling._entropy(np.array([-0.5, 40.0])) == pytest.approx([expected[0], 0.0], rel=1e-9)


def test_a_fifth_at_least_is_saved_where_half_of_the_pools_are_right():
    rng = np.random.default_rng(1)
    truth = simulate_order.planted(rng, 60, 12)
    games, share = next(row for row in simulate_order.round_robin(rng, truth) if row[1] >= 0.5)
    steps, stopped = simulate_order.uncertain(rng, truth)
    assert next(spent for spent, reached in steps if reached >= share) < 0.8 * games
    assert stopped.mean() > 0.95


def test_the_table_says_which_neighbours_are_shown_to_be_in_order(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    words = ["random", "greedy", "minimax:depth=1", "minimax:depth=2", "--order", "uncertain", "--rounds", "30"]
    assert arena("run", *words, "-j", "1", "-q", "--out", path).code == 0
    rows = json.loads(arena("show", path, "--json").out)["order"]
    assert [row["place"] for row in rows] == [1, 2, 3]
    assert [row["against"] for row in rows[:-1]] == [row["agent"] for row in rows[1:]]
    assert all(row["shown"] == (row["evidence"] >= row["needed"]) for row in rows)
    assert all(row["shown"] or row["pairs"] == 30 for row in rows)  # else it would have gone on
    assert rows[-1]["against"] == "random"
    assert rows[-1]["shown"]
    shown = sum(row["shown"] for row in rows)
    assert f"{shown} of 3 pairs of neighbours are shown to be in order" in arena("show", path).out
    arena("run", "random", "greedy", "--rounds", "1", "-j", "1", "-q", "--out", tmp_path / "fair.sqlite")
    assert "order" not in json.loads(arena("show", tmp_path / "fair.sqlite", "--json").out)
