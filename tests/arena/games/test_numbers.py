"""Games are numbered by the plan, whatever order they end in, and a number once given stays."""

import json
import random

import pytest
from played import grown, play, played, rows

from agents.errors import InputError
from arena.games.extend import Growth
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.store.run_file import Store
from arena.tournament.games import replay

AGENTS = ("greedy", "random", "mcts:playouts=5", "random")
NUMBERS = "SELECT key, id FROM game ORDER BY key"


class Shuffled(InProcess):
    """Plays the games of each batch in an order of its own, as several processes may end them."""

    def play(self, jobs):
        return super().play(random.Random(7).sample(jobs, len(jobs)))


def run(path, where, *agents, games=None, **plan):
    begun = Run.begin(Plan(agents or AGENTS, **{"rounds": 3, "seed": 5} | plan), path)
    return play(begun, where, games=games)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Play a run of 36 games, and return its file."""
    return run(tmp_path_factory.mktemp("whole") / "run.sqlite", InProcess())


@pytest.mark.parametrize("plan", [{}, {"format": "swiss"}, {"format": "knockout"}], ids=str)
def test_a_game_has_the_same_number_in_whatever_order_games_end(tmp_path, plan):
    one = run(tmp_path / "one.sqlite", InProcess(), **plan)
    other = run(tmp_path / "other.sqlite", Shuffled(), **plan)
    assert rows(one, NUMBERS) == rows(other, NUMBERS)
    assert sorted(number for _, number in rows(one, NUMBERS)) == list(range(1, len(rows(one, NUMBERS)) + 1))


def test_games_are_numbered_in_the_order_of_the_plan(whole):
    jobs = [str(job) for job in Plan(AGENTS, rounds=3, seed=5).jobs()]
    assert dict(rows(whole, NUMBERS)) == {key: number for number, key in enumerate(jobs, start=1)}


def interrupted(path):
    """Return a run that was interrupted after five games, and what was to be the fourth was none of them."""
    begun = Run.begin(Plan(AGENTS, rounds=3, seed=5), path)
    return play(begun, Shuffled(), stop=5)


def test_a_run_that_is_resumed_has_the_numbers_of_one_that_was_not_interrupted(whole, tmp_path):
    part = interrupted(tmp_path / "part.sqlite")
    assert [number for _, number in rows(part, NUMBERS)] != [1, 2, 3, 4, 5]
    play(Run.resume(part), Shuffled())
    assert rows(part, NUMBERS) == rows(whole, NUMBERS)


def test_a_run_that_grows_keeps_its_numbers_and_new_games_follow(tmp_path):
    path, other = (interrupted(tmp_path / name) for name in ("one.sqlite", "other.sqlite"))
    before = dict(rows(path, NUMBERS))
    play(Run.resume(path, Growth(add=("minimax:depth=1",), entries=(None,), rounds=4)))
    play(Run.resume(other, Growth(add=("minimax:depth=1",), entries=(None,), rounds=4)), Shuffled())
    after = dict(rows(path, NUMBERS))
    assert before.items() <= after.items()
    assert after == dict(rows(other, NUMBERS))
    assert sorted(after.values()) == list(range(1, 81))


def test_games_that_are_played_again_have_the_numbers_of_a_fresh_run(tmp_path):
    path = grown(played(tmp_path / "run.sqlite", "greedy", "random"), replay=("greedy",), rounds=3)
    assert rows(path, NUMBERS) == rows(played(tmp_path / "new.sqlite", "greedy", "random", rounds=3), NUMBERS)


def test_a_game_is_replayed_by_its_key_as_by_its_number(whole, arena):
    [(number,)] = rows(whole, "SELECT id FROM game WHERE key = '0-2-1'")
    by_key, by_number = (arena("replay", str(whole), str(word), "--json") for word in ("0-2-1", number))
    assert by_key.out == by_number.out
    assert json.loads(by_key.out)["game"] == number


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("0-1-7", "has no game 0-1-7: near are 0-1-"),
        (99, "has no game 99: there are games 1 to 36"),
        ("9-9-9", "has no game 9-9-9: a key is the first agent"),
        ("latest", "has no game latest: a key is the first agent"),
        ("9" * 18, "has no game 9{18}: there are games 1 to 36"),
        ("9" * 19, "has no game 9{19}: a key is the first agent"),
    ],
)
def test_a_game_that_is_not_there_is_answered_by_what_is_near(whole, wanted, message):
    with Store.read(whole) as store, pytest.raises(InputError, match=message):
        replay(store, wanted)
