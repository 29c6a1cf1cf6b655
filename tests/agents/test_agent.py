"""What every agent may leave out, and what goes wrong in what it has."""

import pytest

from agents.agent import Analysis, Limits, new_game, prepare, tighter
from agents.board import Rules
from agents.errors import InputError


class Preparing:
    def __init__(self, error):
        self.error = error

    def prepare(self, rules):
        print("reading the book")
        raise self.error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SystemExit("no book"), "agent 'a' cannot prepare for a 7x6x4 board: SystemExit: no book"),
        (SystemExit(3), "agent 'a' cannot prepare for a 7x6x4 board: SystemExit: 3"),
        (ValueError("no book\nat all"), "agent 'a' cannot prepare for a 7x6x4 board: ValueError: no book"),
        (InputError("the book is for 8x7"), "the book is for 8x7"),
    ],
)
def test_whatever_ends_the_preparation_of_an_agent_is_said_in_one_line(error, words, capsys):
    with pytest.raises(InputError) as caught:
        prepare(Preparing(error), Rules(), "a")
    assert str(caught.value) == words
    assert capsys.readouterr().out == ""  # what it prints is no answer of the arena's


def test_ctrl_c_is_no_fault_of_the_agent():
    with pytest.raises(KeyboardInterrupt):
        prepare(Preparing(KeyboardInterrupt()), Rules(), "a")


def test_an_agent_need_not_prepare_nor_hear_of_games():
    prepare(object(), Rules(), "a")
    new_game(object(), 1)


def test_an_agent_hears_of_each_game_with_its_seed_and_of_its_board():
    class Hearing:
        def prepare(self, rules):
            heard.append(rules)

        def new_game(self, seed):
            heard.append(seed)

    heard = []
    prepare(Hearing(), Rules(5, 4), "a")
    for seed in (7, 0, 9):
        new_game(Hearing(), seed)
    assert heard == [Rules(5, 4), 7, 0, 9]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [(3, 5, 3), (5, 3, 3), (None, 3, 3), (3, None, 3), (None, None, None), (0, 5, 0), (5, 0, 0), (0, None, 0),
     (0.0, 0.1, 0.0), (None, 0.0, 0.0)],
)  # fmt: skip
def test_the_tighter_of_two_limits_is_the_smaller_and_none_is_no_limit(one, other, found):
    assert tighter(one, other) == found


def test_limits_and_answers_leave_out_what_is_not_said():
    assert Limits() == Limits(None, None, None, None, None, None)
    assert Analysis(3) == Analysis(3, None, 0, 0, (), (), None)
