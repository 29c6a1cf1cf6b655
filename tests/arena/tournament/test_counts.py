from dataclasses import replace

import pandas as pd
import pytest
from changed import connect
from hand_made import AGENTS, DRAW, FIRST, GAMES, frames, stored

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


def test_the_pairing_that_repeats_itself_most_comes_first(tmp_path):
    games = [(0, 1, 0, "443", DRAW, Termination.FULL, ()), *[(0, 2, 0, "443", DRAW, Termination.FULL, ())]]
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, games))
    rows = [found.games.iloc[[place]] for place in (0, 0, 1, 1, 1, 1, 1)]
    many = pd.concat(rows, ignore_index=True)
    many["moves"] = ["1", "1", "1", "1", "1", "1", "2"]
    assert [(each.distinct, each.games) for each in counts(replace(found, games=many)).repeating] == [(2, 5), (1, 2)]


def test_the_same_moves_in_two_pairings_are_two_games(tmp_path):
    games = [(a, b, 0, "443", FIRST, Termination.LINE, ()) for a, b in ((0, 1), (0, 2), (1, 2))]
    found = counts(frames(stored(tmp_path / "run.sqlite", AGENTS, games)))
    assert (found.played, found.distinct, found.repeating) == (3, 3, ())


def test_a_little_repetition_is_no_warning(tmp_path):
    games = [
        (first, 1 - first, opening, "12" if opening == 0 else f"{first + 1}{opening}", DRAW, Termination.FULL, ())
        for opening in range(2)
        for first in range(2)
    ]
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, games))
    assert counts(found).distinct == 3
    assert len(counts(found).repeating) == 1
    many = pd.concat([found.games] * 5, ignore_index=True)
    many["moves"] = [str(number) for number in range(1, 21)]
    many.loc[0, "moves"] = "2"
    changed = replace(found, games=many)
    assert (counts(changed).distinct, counts(changed).repeating) == (19, ())


def test_a_pairing_of_which_nine_games_in_ten_are_distinct_does_not_repeat_itself(tmp_path):
    games = [(0, 1, 0, str(max(number, 2)), DRAW, Termination.FULL, ()) for number in range(1, 11)]
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, games[:1]))
    for total, repeating in ((10, 0), (9, 1)):
        some = pd.concat([found.games] * total, ignore_index=True).assign(moves=[game[3] for game in games[:total]])
        changed = replace(found, games=some)
        assert (counts(changed).distinct, len(counts(changed).repeating)) == (total - 1, repeating)


def test_openings_count_for_who_wins_them_whoever_moves(tmp_path):
    openings = [("44", 1), ("443", 1), ("441", 1), ("4435", 1), ("12", 0), ("1,2,3", -1)]
    path = stored(tmp_path / "run.sqlite", ("random", "greedy"), [], openings=openings, population=9)
    connection = connect(path)
    with connection:
        connection.execute("UPDATE run SET plan = json_set(plan, '$.openings', 'mine.txt')")
    connection.close()
    assert start(frames(path)) == Start(set="mine.txt", drawn=6, population=9, first_wins=3, draws=1, second_wins=2)
