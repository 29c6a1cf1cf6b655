from contextlib import closing
from dataclasses import replace

import pandas as pd
import pytest
from changed import connect
from hand_made import AGENTS, FIRST, GAMES, frames, stored

from arena.records import Termination
from arena.tournament.standings import Start, counts, start


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run.sqlite", AGENTS, GAMES, planned=12)


def test_games_are_distinct_within_their_pairing(run):
    found = counts(frames(run))
    assert (found.played, found.distinct, found.planned) == (6, 5, 12)
    assert [(each.one, each.two, each.distinct, each.games) for each in found.repeating] == [
        ("minimax:depth=2", "random", 1, 2)
    ]


def repetitions(frames, *counted):
    """Return the repetitions of a run with these numbers of games and distinct games, each of a pairing."""
    rows = [("greedy", str(number), *numbers) for number, numbers in enumerate(counted)]
    repeating = counts(replace(frames, pairings=pd.DataFrame(rows, columns=list(frames.pairings)))).repeating
    return [(row.games, row.distinct) for row in repeating]


def test_the_pairing_that_repeats_itself_most_comes_first(run):
    assert repetitions(frames(run), (2, 1), (30, 29), (5, 2)) == [(5, 2), (2, 1)]


def test_the_same_moves_in_two_pairings_are_two_games(tmp_path):
    games = [(a, b, 0, "443", FIRST, Termination.LINE, ()) for a, b in ((0, 1), (0, 2), (1, 2))]
    found = counts(frames(stored(tmp_path / "run.sqlite", AGENTS, games)))
    assert (found.played, found.distinct, found.repeating) == (3, 3, ())


def test_a_pairing_of_which_nine_games_in_ten_are_distinct_does_not_repeat_itself(run):
    assert repetitions(frames(run), (20, 19), (10, 9), (9, 8)) == [(9, 8)]


def test_openings_count_for_who_wins_them_whoever_moves(tmp_path):
    openings = [("44", 1), ("443", 1), ("441", 1), ("4435", 1), ("12", 0), ("1,2,3", -1)]
    path = stored(tmp_path / "run.sqlite", ("random", "greedy"), [], openings=openings, population=9)
    connection = connect(path)
    with connection:
        connection.execute("UPDATE run SET plan = json_set(plan, '$.openings', 'mine.txt')")
    connection.close()
    assert start(frames(path)) == Start(set="mine.txt", drawn=6, population=9, first_wins=3, draws=1, second_wins=2)
    with closing(connect(path)) as file, file:
        file.execute("UPDATE opening SET value = NULL WHERE id = 1")
    assert start(frames(path)) == Start(set="mine.txt", drawn=6, population=9)
