"""What every agent may leave out, and what goes wrong in what it has."""

import pytest

from agents.agent import new_game, prepare
from agents.board import Rules
from agents.errors import InputError


class Preparing:
    def __init__(self, error):
        self.error = error

    def prepare(self, rules):
        print("reading the book")  # noqa: T201  as agents do
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
