import itertools

import numpy as np
import pytest

from agents.errors import InputError
from arena.statistics.pool import PoolGame, PoolResults, Total, parts, require_connected


def test_groups_join_as_soon_as_a_game_links_them():
    assert parts([]) == []
    assert parts([("a", "a")]) == [{"a"}]
    links = [("a", "b"), ("c", "d"), ("e", "f"), ("b", "c")]
    assert sorted(map(sorted, parts(links))) == [["a", "b", "c", "d"], ["e", "f"]]
    for order in itertools.permutations(links):
        assert sorted(map(sorted, parts(order))) == sorted(map(sorted, parts(links)))


NAMES, OPENINGS = ("a", "b", "c"), ("0", "1", "2")
PLAYED = [
    (one, two, opening, (one + two * opening) % 3, 100 + (0 if opening < 2 else opening) + 7 * min(one, two))
    for one, two in itertools.product((0, 2), repeat=2) for opening in (0, 2, 1, 2) if one != two or opening
]  # fmt: skip
"""Places of both players and of the opening, half points and a number for the moves; the second agent has no game."""


def told(results):
    """Return all that is known of a pool's games."""
    named = ("agents", "openings", "points", "games", "ends", "alike", "silent")
    arrays = {name: np.asarray(getattr(results, name)).tolist() for name in named}
    return arrays | {"strata": [places.tolist() for places in results.strata]}


def summed(*pieces):
    return PoolResults.summed(NAMES, OPENINGS, [[*np.array(piece, dtype=np.int64).T] for piece in pieces])


def test_games_that_come_in_pieces_are_summed_as_those_that_come_at_once():
    once = summed(PLAYED)
    assert told(summed(PLAYED[:4], PLAYED[4:9], PLAYED[9:])) == told(summed(*([game] for game in PLAYED))) == told(once)
    games = [PoolGame(NAMES[one], NAMES[two], OPENINGS[opening], halves / 2, str(moves))
             for one, two, opening, halves, moves in PLAYED]  # fmt: skip
    given = PoolResults.of(games)
    for name in ("agents", "openings", "points", "games", "ends", "silent"):
        assert np.array_equal(getattr(given, name), getattr(once, name)), name


def test_totals_of_the_same_two_agents_are_summed_in_their_order():
    totals = [Total("b", "a", 1, 2, 3), Total("a", "c", 4, 0, 1), Total("b", "a", 0, 1, 5), Total("a", "b", 2, 0, 0)]
    results = PoolResults.of_totals(totals)
    ends = np.zeros((3, 3, 3), int)
    ends[1, 0], ends[0, 2], ends[0, 1] = (8, 3, 1), (1, 0, 4), (0, 0, 2)
    assert (results.agents, results.openings, results.colours) == (("a", "b", "c"), (None,), False)
    assert results.ends.tolist() == ends.tolist()
    assert results.points.tolist() == [[[0, 2, 4], [2.5, 0, 0], [0, 0, 0]]]
    assert results.games.tolist() == [[[0, 2, 5], [12, 0, 0], [0, 0, 0]]]
    assert (results.alike.any(), results.silent.any(), results.clustered) == (False, False, False)


def test_many_games_in_half_precision_are_all_counted():
    many = np.array([(0, 1, opening, 2 - (opening % 3 > 0), 100) for opening in range(4000)])
    results = PoolResults.summed("ab", [*map(str, range(4000))], [[*many.T]], np.float16)
    assert results.points.dtype == np.float16
    assert [whole[0, 1] for whole in results.totals()] == [1334 + 2666 / 2, 4000]


def test_openings_of_several_kinds_are_clustered_within_their_kinds_where_all_are_known():
    games = [PoolGame("a", "b", opening, 1.0) for opening in "1234"]
    kinds = {"1": "x", "2": "y", "3": "x", "4": "y"}
    assert [places.tolist() for places in PoolResults.of(games).stratified(kinds).strata] == [[0, 2], [1, 3]]
    alone = kinds | {"3": "y"}  # one opening of x, which tells nothing of its spread
    for asked in (alone, None, {}):
        assert [places.tolist() for places in PoolResults.of(games).stratified(asked).strata] == [[0, 1, 2, 3]]
    assert [PoolResults.of(some).clustered for some in (games, games[:1])] == [True, False]
    assert not PoolResults.of([*games, PoolGame("a", "b", None, 1.0)]).clustered


def test_agents_and_openings_without_a_game_are_none_of_the_pool():
    assert (summed(PLAYED).agents, summed(PLAYED).openings) == (("a", "c"), OPENINGS)
    few = summed([game for game in PLAYED if game[2] != 1])
    assert (few.openings, few.points.shape, [places.tolist() for places in few.strata]) == (
        ("0", "2"), (2, 2, 2), [[0, 1]],
    )  # fmt: skip
    for played, clustered in (((0, 2), True), ((1,), False)):
        games = np.array([(0, 1, opening, 2, 5) for opening in played])
        both = PoolResults.summed("ab", OPENINGS, [[*games.T]])
        assert (both.agents, both.openings) == (("a", "b"), tuple(OPENINGS[opening] for opening in played))
        assert (both.points.tolist(), both.clustered) == ([[[0.0, 1.0], [0.0, 0.0]]] * len(played), clustered)


def test_a_selection_has_neither_agents_nor_openings_without_a_game_within_it():
    games = [PoolGame("a", "b", "1", 1.0, "1"), PoolGame("c", "a", "2", 0.5, "2"), PoolGame("c", "d", "3", 0.0, "3")]
    assert told(PoolResults.of(games).among({"a", "b", "d"})) == told(PoolResults.of(games[:1]))
    assert told(PoolResults.of(games).among({"b", "d"})) == told(PoolResults.of([]))
    totals = PoolResults.of_totals([Total("a", "b", 1, 0, 2), Total("b", "c", 3, 0, 0)]).among({"a", "b"})
    assert (totals.agents, totals.colours, PoolResults.of(games).among({"a", "b"}).colours) == (("a", "b"), False, True)


def test_parts_that_never_met_are_named_in_the_order_of_their_names_however_they_came_together():
    games = [PoolGame(*pair, "1", 0.5, "1") for pair in ("ad", "bc", "de", "gf")]
    results = PoolResults.of(games)
    with pytest.raises(InputError, match=r"^the pool falls into 3 parts that never met: a, d, e \| b, c \| f, g$"):
        require_connected(results.agents, results.totals()[1])
