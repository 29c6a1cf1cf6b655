import itertools

import pytest
from scripted import Leftmost, Scripted, play

from agents.agent import Limits
from agents.board import Board, Outcome
from arena.games.referee import Conditions, decide, play_game
from arena.records import Job, Termination


class Clock:
    """Advances by the given seconds each time that it is read."""

    def __init__(self, *steps):
        self.steps = iter(steps)
        self.now = 0.0

    def __call__(self):
        self.now += next(self.steps, 0.0)
        return self.now


def test_a_line_wins_for_the_player_who_completed_it():
    game = play(Scripted(0, 0, 0, 0), Scripted(1, 1, 1))
    assert (game.moves, game.outcome, game.termination) == ("1212121", Outcome.FIRST_WINS, Termination.LINE)
    game = play(Scripted(0, 0, 0, 2), Scripted(1, 1, 1, 1))
    assert (game.moves, game.outcome, game.termination) == ("12121232", Outcome.SECOND_WINS, Termination.LINE)
    assert game.detail == ""


def test_a_full_board_is_a_draw():
    columns = "547125662261271266215743771576315353334444"
    game = play(Leftmost(), Leftmost(), columns[:-1])
    assert (game.outcome, game.termination) == (Outcome.DRAW, Termination.FULL)
    assert game.moves == columns


def test_the_opening_belongs_to_the_moves_but_not_to_the_decisions():
    game = play(Scripted(0), Scripted(), "12121")
    assert game.moves.startswith("12121")
    first, second = Scripted(0, 0), Scripted(1)
    game = play(first, second, "1212")
    assert [decision.ply for decision in game.decisions] == [4, 5, 6]
    assert [decision.column for decision in game.decisions] == [0, 1, 0]


def test_each_player_hears_its_own_seed_before_its_first_move():
    first, second = Scripted(0, 0), Scripted(1)
    play_game(Job(0, 1, 0), (first, second), Board.from_moves("1212"), (11, 22))
    assert (first.seeds, second.seeds) == ([11], [22])


def test_each_position_is_announced_before_somebody_thinks():
    turns = []
    play(Scripted(0, 0), Scripted(1), "1212", turn=turns.append)
    assert [board.text for board in turns] == ["1212", "12121", "121212"]


def test_the_referee_measures_the_time_itself():
    decision = decide(Scripted(2), Board(), clock=Clock(0.0, 0.75))
    assert decision.seconds == 0.75


LIMITED = Conditions(Limits(seconds=1.0), margin=0.25)


@pytest.mark.parametrize("guilty", [0, 1])
def test_who_takes_too_long_has_lost(guilty):
    # The clock is read at the start of the game, twice for each move, and at the end.
    steps = [0.0, *([0.0, 0.5] * guilty), 0.0, 1.3]
    game = play(Leftmost(), Leftmost(), conditions=LIMITED, clock=Clock(*steps))
    assert (game.outcome, game.termination) == (Outcome(1 - guilty), Termination.TIME)
    assert "1.300 s" in game.detail
    assert "allowed are 1 s" in game.detail
    assert game.seconds == pytest.approx(1.3 + 0.5 * guilty)


def test_within_the_margin_nobody_is_out_of_time():
    game = play(Scripted(0, 0, 0, 0), Scripted(1, 1, 1), conditions=LIMITED, clock=Clock(0, *[0, 1.25] * 7))
    assert game.termination is Termination.LINE


def test_without_a_limit_nobody_is_out_of_time():
    game = play(Scripted(0, 0, 0, 0), Scripted(1, 1, 1), clock=Clock(*itertools.repeat(1e6, 16)))
    assert game.termination is Termination.LINE


def test_the_agent_is_told_the_limits():
    heard = []

    class Listener(Leftmost):
        def choose(self, board, limits):
            heard.append(limits)
            return super().choose(board, limits)

    decide(Listener(), Board(), LIMITED)
    assert heard == [Limits(seconds=1.0)]


def test_what_agents_print_goes_to_stderr(capsys):
    class Chatty(Leftmost):
        def new_game(self, seed):
            print("hello")

        def choose(self, board, limits):
            print("thinking")
            return super().choose(board, limits)

    play(Chatty(), Leftmost(), "121212")
    assert capsys.readouterr() == ("", "hello\nthinking\n")
