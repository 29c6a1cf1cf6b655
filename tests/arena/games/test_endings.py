"""Positions before the end of a game, and searches that judge them rightly or not."""

import functools
from contextlib import contextmanager
from dataclasses import replace

import pytest
from scripted import Scripted

from agents.agent import Analysis
from agents.board import STANDARD, Board, Rules
from agents.specs.registry import parse
from arena.games import endings as module
from arena.games.endings import WrongEnding, endings, exact, wrong_ending, wrong_endings
from arena.games.searches import plies_left

LAST = [(1, 0), (1, 1), (2, -1), (2, 0), (2, 1), (3, -1), (3, 0), (3, 1)]
"""Plies that are left, and the value: nobody loses by the last disc that it drops itself."""


@functools.cache
def standard(seed, depth):
    return endings(STANDARD, seed, depth)


@pytest.mark.parametrize(("depth", "ends"), [(1, LAST[:2]), (2, [*LAST[:2], *LAST[3:5]]), (3, LAST), (9, LAST)])
def test_of_each_length_and_value_there_is_one_position_the_shortest_first(depth, ends):
    boards = standard(1, depth)
    assert [(plies_left(board), exact(board)) for board in boards] == ends
    assert {board.outcome for board in boards} == {None}


def test_the_seed_decides_which_positions_they_are():
    assert standard(1, 2) == endings(STANDARD, 1, 2) != endings(STANDARD, 2, 2)


@pytest.mark.parametrize(
    ("rules", "ends"),
    [
        (Rules(2, 1, 2), [(1, 0), (2, 0)]), (Rules(1, 2, 2), [(1, 0), (2, 0)]),
        (Rules(2, 2, 2), [(2, 1), (3, -1)]), (Rules(3, 3, 3), LAST),
        (Rules(4, 4, 3), [(1, 0), (2, 0), (2, 1), (3, -1), (3, 0), (3, 1)]), (Rules(4, 4), LAST),
    ],
)  # fmt: skip
def test_small_boards_have_the_ends_that_random_play_comes_to(rules, ends):
    boards = endings(rules, 1)
    assert [(plies_left(board), exact(board)) for board in boards] == ends
    assert {board.rules for board in boards} == {rules}
    assert {board.outcome for board in boards} == {None}


@pytest.mark.parametrize(
    ("moves", "rules", "value"),
    [
        ("1", Rules(2, 2, 2), -1), ("12", Rules(2, 2, 2), 1), ("121", Rules(2, 2, 2), -1), ("", Rules(2, 2, 2), 1),
        ("12123133", Rules(3, 3, 3), 0), ("31212332", Rules(3, 3, 3), 1), ("3222113", Rules(3, 3, 3), -1),
        ("121231", Rules(3, 3, 3), 0),
    ],
)  # fmt: skip
def test_the_value_of_an_ending_is_the_movers(moves, rules, value):
    assert exact(Board.from_moves(moves, rules)) == value


SMALL = Rules(3, 3, 3)
TEXTS = ["121231", "12123133", "31212332", "3222113"]
"""A draw with three plies left, a draw and a win with one, and a loss with two."""


@pytest.fixture
def judged(monkeypatch):
    """A function that returns the findings on a search with these values, and the depths that it was asked for."""

    def run(*values, find=lambda search, boards: [*wrong_endings(search, boards)]):
        asked = []

        @contextmanager
        def at_depth(search, depth, rules):
            asked.append((search.text, depth, rules))
            yield Scripted(*(Analysis(0, values[TEXTS.index(text)], depth, 9) for text in ordered(depth)))

        monkeypatch.setattr(module, "at_depth", at_depth)
        boards = [Board.from_moves(text, SMALL) for text in TEXTS]
        return find(replace(parse("greedy"), text="bot"), boards), asked

    return run


def ordered(depth):
    return [text for text in TEXTS if 9 - len(text) == depth]


def test_a_search_is_asked_to_the_end_of_the_game_and_its_sign_alone_counts(judged, monkeypatch):
    monkeypatch.setattr(module, "answer_at", lambda agent, board, name, depth: agent.choose(board, None))
    rules = [("bot", depth, SMALL) for depth in (1, 2, 3)]
    assert judged(0, 0, 5, -999_998) == ([None] * 4, rules)
    assert judged(0, 0, 999_999, -1)[0] == [None] * 4
    wrong, asked = judged(-7, 3, 0, 0)
    assert asked == rules
    boards = {text: str(Board.from_moves(text, SMALL)) for text in TEXTS}
    assert wrong == [
        WrongEnding("bot", "12123133", 1, 3, 0, boards["12123133"]),
        WrongEnding("bot", "31212332", 1, 0, 1, boards["31212332"]),
        wrong_of(boards, 0),
        WrongEnding("bot", "121231", 3, -7, 0, boards["121231"]),
    ]
    assert judged(0, 0, 5, 5)[0] == [None, None, wrong_of(boards, 5), None]
    assert judged(1, 0, 5, 5, find=wrong_ending) == (wrong_of(boards, 5), rules[:2])
    assert judged(0, 0, 5, -5, find=wrong_ending) == (None, rules)


def wrong_of(boards, value):
    return WrongEnding("bot", "3222113", 2, value, -1, boards["3222113"])
