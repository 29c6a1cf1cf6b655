import dataclasses
import itertools
import random

import pytest

from arena.statistics.pool import PoolGame, PoolResults, clones
from arena.statistics.ratings import rate

STYLE = {"minimax": "wide", "alphabeta": "wide", "copy": "wide", "greedy": "near", "other": "far", "besides": "far"}
"""What each agent's play is a function of: those of one style play the same games."""


def games(agents, openings=12):
    """Return every ordered pair's game on every opening, its moves and its result decided by the two styles alone."""
    results = []
    for opening in range(openings):
        for first, second in itertools.permutations(agents, 2):
            chance = random.Random(f"{opening} {STYLE[first]} {STYLE[second]}")
            moves = "".join(str(chance.randint(1, 7)) for _ in range(12))
            points = chance.choice((0.0, 0.5, 1.0, 1.0) if STYLE[first] == "wide" else (0.0, 0.0, 0.5, 1.0))
            results.append(PoolGame(first, second, str(opening), points, moves))
    return results


def by_agent(pool):
    return {rating.agent: rating for rating in pool.ratings}


def test_agents_whose_games_are_all_alike_are_found():
    assert clones(PoolResults.of(games(["minimax", "greedy", "other"]))) == {}
    assert clones(PoolResults.of(games(["minimax", "alphabeta", "greedy", "other"]))) == {"minimax": "alphabeta"}
    assert clones(PoolResults.of(games([*STYLE][:-1]))) == {"copy": "alphabeta", "minimax": "alphabeta"}


def test_two_groups_of_agents_that_play_alike_are_told_apart():
    """Two of the far style stand between those of the wide one in the order of names."""
    results = PoolResults.of(games({"alphabeta": 0, "besides": 0, "copy": 0, "minimax": 0, "other": 0}))
    assert clones(results) == {"copy": "alphabeta", "minimax": "alphabeta", "other": "besides"}
    pool = rate(results)
    assert {rating.agent: rating.plays_as for rating in pool.ratings if rating.plays_as} == clones(results)


def test_one_other_move_is_enough_to_tell_two_apart():
    results = games(["minimax", "alphabeta", "greedy"])
    changed = dataclasses.replace(results[0], moves=results[0].moves + "1")
    assert clones(PoolResults.of([changed, *results[1:]])) == {}
    assert clones(PoolResults.of(results[1:])) == {}  # a game that one has and the other lacks


def test_another_colour_result_or_opening_of_the_same_moves_is_enough_to_tell_two_apart():
    one, other = PoolGame("a", "c", "1", 1.0, "44"), PoolGame("b", "c", "1", 1.0, "44")
    assert clones(PoolResults.of([one, other])) == {"b": "a"}
    changes = {"first": "c", "second": "b"}, {"points": 0.0}, {"opening": "2"}
    for change in changes:
        assert clones(PoolResults.of([one, dataclasses.replace(other, **change)])) == {}


@pytest.mark.parametrize("points", [*itertools.product((0.0, 0.5, 1.0), repeat=2)], ids=str)
def test_games_of_the_other_colour_are_other_games_whatever_their_results(points):
    games = [PoolGame("a", "c", "1", points[0], "44"), PoolGame("c", "b", "1", points[1], "44")]
    assert clones(PoolResults.of(games)) == {}


def test_games_whose_moves_are_not_told_show_no_copies():
    second = [PoolGame("c", agent, "1", 1.0) for agent in "ab"]
    assert clones(PoolResults.of(second)) == {}
    assert clones(PoolResults.of([dataclasses.replace(game, moves="") for game in games(STYLE)])) == {}


@pytest.mark.parametrize("openings", [4, 12])
@pytest.mark.parametrize("copied", [["alphabeta"], ["alphabeta", "copy"]])
def test_adding_a_copy_changes_nobodys_rating(copied, openings):
    agents = ["minimax", "greedy", "other"]
    without, given = by_agent(rate(games(agents, openings))), by_agent(rate(games([*agents, *copied], openings)))
    for agent, rating in without.items():
        assert dataclasses.astuple(given[agent].elo) == pytest.approx(dataclasses.astuple(rating.elo), rel=1e-9)
    one = given["alphabeta"]
    for agent in ("minimax", *copied):
        assert given[agent].elo == one.elo


def test_a_copy_keeps_its_row_its_games_and_says_as_whom_it_plays():
    pool = rate(games(["minimax", "alphabeta", "greedy", "other"]))
    found = by_agent(pool)
    assert (found["minimax"].plays_as, found["alphabeta"].plays_as) == ("alphabeta", None)
    assert found["minimax"].games == found["alphabeta"].games == 3 * 2 * 12
    assert found["minimax"].score == pytest.approx(found["alphabeta"].score)
    played = games(["minimax", "alphabeta", "greedy", "other"])
    for agent in found:
        made = [
            game.points if game.first == agent else 1 - game.points
            for game in played
            if agent in {game.first, game.second}
        ]
        assert found[agent].score == pytest.approx(sum(made) / len(made))
    places = [rating.agent for rating in pool.ratings]
    assert places.index("minimax") == places.index("alphabeta") + 1
    assert found["minimax"].gap is None
    assert pool.superiority[places.index("minimax")][places.index("alphabeta")] == 50.0
    assert all(rating.gap is not None for rating in pool.ratings[1:] if rating.plays_as is None)


def test_two_copies_alone_are_rated_as_two():
    pool = rate(games(["minimax", "alphabeta"]))
    assert [(rating.elo.value, rating.plays_as) for rating in pool.ratings] == [(0.0, None), (0.0, None)]


def test_an_anchor_may_be_a_copy():
    found = by_agent(rate(games(["minimax", "alphabeta", "greedy"]), anchor=("minimax", 100.0)))
    assert found["minimax"].elo.value == found["alphabeta"].elo.value == 100.0
