"""An agent at a board, outside of a tournament."""

import time

from agents.agent import Limits
from agents.board import Board
from arena.play.person import Seat


class Late:
    """Takes longer than it may."""

    def choose(self, board, limits):
        time.sleep(limits.seconds + 0.12)
        return 3


def test_no_clock_of_a_referee_is_held_against_an_agent_at_a_board():
    decision = Seat("late", Late(), None).decide(Board(), Limits(seconds=0.01))
    assert decision.column == 3
    assert decision.seconds > 0.12
