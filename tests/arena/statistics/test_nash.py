import itertools
import json
import math
import re

import numpy as np
import pytest
from scipy.optimize import linprog

import arena as package
from agents.errors import InputError
from arena.statistics import nash as module
from arena.statistics.nash import average, cycles, cyclic_share, most_even, nash, scores_of
from arena.statistics.pool import PoolGame, PoolResults, Total

pytestmark = pytest.mark.simulation

ROCK = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])


def antisymmetric(random, number, levels=None):
    upper = np.triu(random.uniform(-0.5, 0.5, (number, number)) if levels is None else levels(random, number), 1)
    return upper - upper.T


def coarse(random, number):
    return random.integers(-1, 2, (number, number)) / 2.0


def entropy(shares):
    return -sum(share * np.log(share) for share in shares if share > 1e-12)


def test_rock_paper_scissors_share_evenly():
    shares, values = average(ROCK)
    assert shares == pytest.approx([1 / 3] * 3)
    assert values == pytest.approx([0.5] * 3)


def test_who_beats_everybody_has_all():
    shares, values = average(np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]]))
    assert shares == pytest.approx([1.0, 0.0, 0.0])
    assert values == pytest.approx([0.5, 0.4, 0.3])


@pytest.mark.parametrize("seed", range(30))
def test_no_equilibrium_of_a_linear_programme_is_more_even(seed):
    random = np.random.default_rng(seed)
    payoffs = antisymmetric(random, int(random.integers(2, 8)), coarse if seed % 2 else None)
    shares, values = average(payoffs + 0.5)
    number = len(payoffs)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() >= 0.0
    assert values.max() <= 0.5 + 1e-6
    assert values[shares > 1e-6] == pytest.approx(0.5, abs=1e-6)
    even = most_even(payoffs)
    assert (payoffs @ even).max() < 1e-6
    for _ in range(5):  # corners of the set of equilibria, and what lies between them
        goal = random.normal(size=number)
        corner = linprog(goal, A_ub=payoffs, b_ub=np.zeros(number), A_eq=np.ones((1, number)), b_eq=[1.0]).x
        for weight in (0.0, 0.5, 0.9, 0.99):
            assert entropy(even) >= entropy(weight * even + (1 - weight) * corner) - 1e-6


def test_of_many_equilibria_it_is_the_most_even():
    level = np.zeros((4, 4))
    assert most_even(level) == pytest.approx([0.25] * 4)
    beaten = np.array([[0, 0, 0.5], [0, 0, 0.3], [-0.5, -0.3, 0]])
    assert most_even(beaten) == pytest.approx([0.5, 0.5, 0.0], abs=1e-6)
    best = np.array([[0, -0.1, 0.5], [0.1, 0, 0.2], [-0.5, -0.2, 0]])
    assert most_even(best).tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("seed", range(20))
def test_copies_share_what_one_would_have_and_change_nobody_elses(seed):
    random = np.random.default_rng(seed)
    scores = antisymmetric(random, int(random.integers(2, 7)), coarse if seed % 2 else None) + 0.5
    copied = int(random.integers(len(scores)))
    places = [*range(len(scores)), copied, copied]
    shares, values = average(scores)
    more, again = average(scores[np.ix_(places, places)])
    assert again == pytest.approx(values[places], abs=1e-6)
    alike = (scores == scores[copied]).all(axis=1)
    for place in np.flatnonzero(~alike):
        assert more[place] == pytest.approx(shares[place], abs=1e-6)
    assert more[np.array([bool(alike[place]) for place in places])].sum() == pytest.approx(
        shares[alike].sum(), abs=1e-6
    )


def test_colours_count_alike_however_many_games_they_had():
    points, games = np.array([[0.0, 3.0], [0.0, 0.0]]), np.array([[0.0, 3.0], [1.0, 0.0]])
    assert scores_of(points, games)[0, 1] == 1.0
    points = np.array([[0.0, 3.0], [1.0, 0.0]])
    assert scores_of(points, games)[0, 1] == 0.5
    assert np.isnan(scores_of(np.zeros((2, 2)), np.zeros((2, 2)))[0, 1])


def results(openings=20):
    """Rock, paper and scissors, each winning three of four games against the next; a copy of rock plays as it does."""
    names = ["rock", "scissors", "paper"]
    for opening in range(openings):
        for place, one in enumerate(names):
            two = names[(place + 1) % 3]
            wins = opening % 4 != place
            yield PoolGame(one, two, str(opening), 1.0 if wins else 0.0)
            yield PoolGame(two, one, str(opening), 0.0 if wins else 1.0)


def test_openings_that_are_not_known_are_not_drawn_again_and_draws_without_a_pair_tell_nothing(monkeypatch):
    monkeypatch.setattr(module, "average", lambda scores: (scores[0], scores[1]))  # what is drawn matters here
    games = [PoolGame(one, two, str(opening) if opening else None, (opening + ord(one)) % 3 / 2)
             for opening in range(13) for one, two in itertools.permutations("abc", 2)]  # fmt: skip
    assert nash(PoolResults.of(games)).ends is None
    assert np.isfinite(nash(PoolResults.of(games[6:])).ends).all()
    once = [game for game in games[6:] if {game.first, game.second} != {"a", "c"} or game.opening == "3"]
    assert np.isfinite(nash(PoolResults.of(once)).ends).all()


def test_openings_that_are_drawn_again_give_intervals():
    table = PoolResults.of(results())
    found = nash(table)
    (low, high), (value_low, value_high) = found.ends
    assert found.shares == pytest.approx([1 / 3] * 3)
    assert (low < found.shares).all()
    assert (high > found.shares).all()
    assert (value_low <= 0.5).all()
    assert (value_high <= 0.5 + 1e-6).all()
    assert (nash(table).ends == found.ends).all()
    assert nash(PoolResults.of(results(9))).ends is None


def test_ends_hold_95_of_100_of_five_hundred_draws_of_ten_openings_or_more(monkeypatch):
    monkeypatch.setattr(module, "average", lambda scores: (scores[0], scores[1] ** 2))  # what is drawn matters here
    table = PoolResults.of(results(10))
    drawn = np.random.default_rng(0).multinomial(10, [0.1] * 10, 500)
    again = [scores_of(np.tensordot(n, table.points, 1), np.tensordot(n, table.games, 1)) for n in drawn]
    first, second = np.quantile(again, [0.025, 0.975], axis=0).swapaxes(0, 1)[:2]
    assert nash(table).ends == pytest.approx(np.array([first, second**2]))
    assert nash(table, 1).ends != pytest.approx(nash(table).ends)


def test_ratings_leave_circles_unexplained_and_ladders_not():
    ladder = np.subtract.outer([3.0, 1.0, 0.0, -4.0], [3.0, 1.0, 0.0, -4.0])
    assert cyclic_share(ladder) == pytest.approx(0.0)
    assert cyclic_share(2 * ROCK - 1) == pytest.approx(1.0)
    assert cyclic_share(np.zeros((3, 3))) == 0.0
    both = np.stack([ladder[:3, :3], 2 * ROCK - 1])
    assert cyclic_share(both) == pytest.approx([0.0, 1.0])


def test_the_worst_cycle_is_named_in_its_own_direction():
    totals = [Total("A", "B", 6, 0, 4), Total("B", "C", 9, 0, 1), Total("A", "C", 3, 0, 7), Total("C", "D", 5, 0, 5)]
    totals += [Total("A", "D", 9, 0, 1), Total("B", "D", 9, 0, 1)]
    found = cycles(PoolResults.of_totals(totals))
    assert (found.worst, found.scores) == (("A", "B", "C"), pytest.approx((0.6, 0.9, 0.7)))
    assert 0.0 < found.share < 1.0
    assert cycles(PoolResults.of_totals([*totals[:2], Total("A", "C", 7, 0, 3), *totals[3:]])).worst is None


@pytest.mark.parametrize("colours", [True, False])
def test_the_cyclic_share_adds_half_a_game_won_and_half_a_game_lost_to_each_pair(colours):
    won = {("A", "B"): 6, ("B", "C"): 8, ("A", "C"): 2}
    totals = [Total(one, two, wins, 0, 8 - wins) for (one, two), wins in won.items()]
    games = [
        PoolGame(*ends, str(game), float((game % 4 < wins / 2) == (ends == pair)))
        for pair, wins in won.items()
        for game in range(4)
        for ends in (pair, pair[::-1])
    ]
    ab, bc, ac = (math.log((wins + 0.5) / (8.5 - wins)) for wins in won.values())
    around = (ab + bc - ac) / 3  # what is left of each difference once ratings have explained what they can
    found = cycles(PoolResults.of(games) if colours else PoolResults.of_totals(totals))
    assert found.share == pytest.approx(3 * around**2 / (ab**2 + bc**2 + ac**2))
    assert (found.worst, found.scores) == (("A", "B", "C"), pytest.approx((0.75, 1.0, 0.75)))


LADDER = [1.2, 0.6, 0.1, -0.4, -1.5]


def ladder(random, openings=20, advantage=0.5, circle=0.0, kinds=(0.0,), steep=1.0):
    """Return games of agents whose strengths are a ladder, of five, of which the first three may go in a circle."""
    ahead = steep * np.subtract.outer(LADDER, LADDER)
    for one, two in ((0, 1), (1, 2), (2, 0)):
        ahead[one, two] += circle
        ahead[two, one] -= circle
    for opening in range(openings):
        chances = 1.0 / (1.0 + np.exp(-(ahead + advantage + kinds[opening % len(kinds)])))
        for one, two in itertools.permutations(range(5), 2):
            yield PoolGame("ABCDE"[one], "ABCDE"[two], str(opening), float(random.random() < chances[one, two]))


def test_what_chance_leaves_is_what_other_ladders_of_as_many_games_leave():
    random = np.random.default_rng(2)
    shares = np.array([cycles(PoolResults.of(ladder(random)), exact=True).share for _ in range(200)])
    found = [cycles(PoolResults.of(ladder(random))) for _ in range(5)]
    assert np.mean([each.expected for each in found]) == pytest.approx(shares.mean(), rel=0.3)
    low, high = np.quantile(shares, (0.025, 0.975))
    assert np.mean([each.low for each in found]) == pytest.approx(low, rel=0.5)
    assert np.mean([each.high for each in found]) == pytest.approx(high, rel=0.5)
    assert cycles(PoolResults.of(ladder(np.random.default_rng(2)))) == cycles(
        PoolResults.of(ladder(np.random.default_rng(2)))
    )


def test_a_circle_of_chance_is_not_claimed_and_a_true_one_is():
    found = [cycles(PoolResults.of(ladder(np.random.default_rng(seed), steep=0.2))) for seed in range(40)]
    assert sum(each.worst is not None for each in found) > 10
    assert sum(each.shown is not None for each in found) <= 4
    assert sum(each.p <= 0.05 for each in found) <= 5
    found = cycles(PoolResults.of(ladder(np.random.default_rng(1), openings=40, circle=1.5)))
    assert found.shown == ("A", "B", "C")
    assert found.p < 0.01
    assert found.share > found.high


def test_statistics_that_differ_by_rounding_alone_count_as_equal():
    rounded = 0.1 + 0.2
    by_chance = np.array([0.3, rounded, 0.2])
    assert rounded > 0.3
    assert module._p_value(by_chance, rounded) == module._p_value(by_chance, 0.3) == 3 / 4


def test_two_agents_have_no_circle_but_by_rounding():
    random = np.random.default_rng(1)
    games = [PoolGame(*pair, str(opening), random.integers(3) / 2) for opening in range(7) for pair in ("ab", "ba")]
    assert cycles(PoolResults.of(games)).p == 1.0


def test_openings_of_two_kinds_leave_as_little_to_chance_as_they_do():
    kinds = (4.0, -4.0)
    shares = [
        cycles(PoolResults.of(ladder(np.random.default_rng(seed), advantage=0.0, kinds=kinds)), exact=True).share
        for seed in range(100)
    ]
    played = PoolResults.of(ladder(np.random.default_rng(100), advantage=0.0, kinds=kinds))
    told = cycles(played.stratified({str(opening): opening % 2 for opening in range(20)}))
    plain = cycles(played)
    assert told.expected == pytest.approx(np.mean(shares), rel=0.4)
    assert plain.expected > 1.5 * told.expected


def test_the_average_of_openings_of_two_kinds_is_drawn_again_within_each():
    # Whoever moves first wins on openings of one kind and loses on the others: nothing varies within a kind.
    games = [
        PoolGame(one, two, str(opening), float((opening % 2 == 0) != (one == "rock")))
        for opening in range(20)
        for one, two in itertools.permutations(["rock", "scissors", "paper"], 2)
    ]
    played = PoolResults.of(games)
    kinds = nash(played.stratified({str(opening): opening % 2 for opening in range(20)}))
    assert kinds.ends[:, 0] == pytest.approx(kinds.ends[:, 1])
    assert kinds.ends[1, 0] == pytest.approx(kinds.values)
    plain = nash(played)
    assert (plain.ends[:, 1] - plain.ends[:, 0]).max() > 0.01


def test_who_wins_in_a_circle_over_all_openings_of_agents_without_chance_is_a_fact():
    found = cycles(PoolResults.of(results()), exact=True)
    assert (found.p, found.expected, found.worst_p) == (None, None, None)
    assert found.shown == found.worst


def test_pairs_that_never_met_are_named():
    met = [Total("A", "B", 1, 0, 1), Total("B", "C", 1, 0, 1), Total("C", "D", 1, 0, 1)]
    table = PoolResults.of_totals(met)
    with pytest.raises(InputError, match="A and C have not met, nor have 2 other pairs"):
        nash(table)
    with pytest.raises(InputError, match=r"A and D have not met, nor has another pair$"):
        nash(PoolResults.of_totals([*met, Total("A", "C", 1, 0, 1)]))


CIRCLE = "a,b,wins,draws,losses\nA,B,8,0,2\nB,C,8,0,2\nC,A,6,0,4\nA,D,9,0,1\nB,D,9,0,1\nC,D,9,0,1\n"


def test_the_command_prints_a_list_with_the_average_and_the_cycle_beside(arena, tmp_path):
    path = tmp_path / "circle.csv"
    path.write_text(CIRCLE)
    rows = json.loads(arena("rate", path, "--nash", "--json").out)
    shares = {row["agent"]: row["nash"] for row in rows}
    assert shares == pytest.approx({"A": 3 / 7, "B": 1 / 7, "C": 3 / 7, "D": 0.0})
    assert sorted(row["nash_value"] for row in rows) == pytest.approx([0.1, 0.5, 0.5, 0.5])
    assert all(row[f"nash{name}"] is None for row in rows for name in ("_low", "_high", "_value_low", "_value_high"))
    shown = arena("rate", path, "--nash")
    assert "42.9 %" in shown.out
    said = " ".join(shown.err.split())
    assert re.search(r"cyclic, which no rating explains: 20\.7 % \(p = 0\.\d+: chance alone gives ", said)
    assert re.search(r"; no cycle of three is significant \(p = 0\.\d+\)", said)
    path.write_text("a,b,wins,draws,losses\nA,B,40,0,10\nB,C,40,0,10\nC,A,30,0,20\n")
    said = " ".join(arena("rate", path, "--nash").err.split())
    assert "(p = 0.007: " in said
    assert "worst cycle: A scores over B scores over C scores over A (80.0 %, 80.0 %, 60.0 %, p = 0.0" in said
    assert "beats" not in said
    path.write_text(CIRCLE)
    assert arena("rate", path, "--nash", "--los").code == 2
    path.write_text("\n".join(CIRCLE.splitlines()[:-1]))
    refused = arena("rate", path, "--nash")
    assert (refused.code, refused.err) == (2, "arena: a Nash average needs games of every pair: C and D have not met\n")


def test_from_python_a_run_has_it_too(tmp_path):
    run = package.run(["greedy", "random", "minimax:depth=1"], rounds=10, out=tmp_path / "run.sqlite")
    table = package.rate(run, nash=True)
    assert table["nash"].sum() == pytest.approx(1.0)
    assert table["nash_low"].notna().all()
    assert set(table.attrs) == {"cyclic", "cyclic_p", "cyclic_by_chance", "cycle", "cycle_p"}
    assert table.attrs["cycle"] is None
    assert package.rate(tmp_path / "run.sqlite", nash=True)["nash_value"].max() == pytest.approx(0.5)
