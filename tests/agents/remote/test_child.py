"""What the process of an agent in Python makes of agents and of their answers, asked in this process."""

import sys

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.remote.child import LONGEST_TEXT, Child
from agents.remote.load import shaped

QUESTION = {"do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [None, None, 0.5]}


def answer(choose):
    """Return what the child answers where its agent's `choose` is this."""
    child = Child()
    child.rules = Rules()
    child.agent = shaped(choose, "agent", {})
    return child.answer(QUESTION)


@pytest.mark.parametrize(("code", "said"), [((), 0), ((None,), 0), ((5,), 5), (("so",), 1)])
def test_an_agent_that_exits_has_left_with_the_code_that_a_shell_would_see(code, said):
    found = answer(lambda board: sys.exit(*code))
    assert found["kind"] == f"left (exit code {said})"


def test_a_text_is_sent_as_far_as_the_referee_quotes_it():
    assert answer(lambda board: "x" * 100_000) == {"column": "x" * LONGEST_TEXT}


@pytest.mark.parametrize(
    "function", [lambda position: 3, lambda position, bounds: 3 if bounds.seconds else 0, lambda board, more=4: 3]
)
def test_a_function_of_the_board_and_perhaps_of_the_limits_is_an_agent_whatever_it_calls_them(function):
    assert shaped(function, "agent", {}).choose(Board(), Limits(seconds=0.5)) == 3


def test_an_agent_of_kaggles_is_given_the_limit_or_kaggles_two_seconds():
    agent = shaped(lambda observation, configuration: (configuration.timeout, configuration["actTimeout"]), "agent", {})
    assert agent.choose(Board(), Limits(seconds=0.5)) == (0.5, 0.5)
    assert agent.choose(Board(), Limits()) == (2.0, 2.0)
