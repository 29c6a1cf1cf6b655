import itertools
import re
import sys

import numpy as np
import pytest

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Outcome
from arena.play.answer import Fault
from arena.play.match import Conditions, decide, play_game
from arena.store.records import Termination


class Scripted:
    """Answers with these, one after the other; one that can be called is asked for its answer."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seeds = []

    def new_game(self, seed):
        self.seeds.append(seed)

    def choose(self, board, limits):
        answer = self.answers.pop(0)
        return answer() if callable(answer) else answer


class Leftmost:
    def choose(self, board, limits):
        return board.legal_moves()[0]


class Clock:
    """Advances by the given seconds each time that it is read."""

    def __init__(self, *steps):
        self.steps = iter(steps)
        self.now = 0.0

    def __call__(self):
        self.now += next(self.steps, 0.0)
        return self.now


def play(first, second, opening="", **rest):
    return play_game("0-1-0", (first, second), Board.from_moves(opening), (1, 2), **rest)


def raiser(error):
    def choose():
        raise error

    return choose


class Awkward:
    """An object that fails at whatever it is asked."""

    def __index__(self):
        raise RuntimeError("no number")

    def __repr__(self):
        raise RuntimeError("no text")


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


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
    play_game("key", (first, second), Board.from_moves("1212"), (11, 22))
    assert (first.seeds, second.seeds) == ([11], [22])


def test_each_position_is_announced_before_somebody_thinks():
    turns = []
    play(Scripted(0, 0), Scripted(1), "1212", turn=turns.append)
    assert [board.text for board in turns] == ["1212", "12121", "121212"]


ANSWERS = {
    "beyond the board": (9, Termination.ILLEGAL, "column 10 does not exist"),
    "below zero": (-1, Termination.ILLEGAL, "column 0 does not exist"),
    "text": ("a", Termination.ILLEGAL, "answered 'a'"),
    "a digit as text": ("1", Termination.ILLEGAL, "answered '1'"),
    "nothing": (None, Termination.ILLEGAL, "answered None"),
    "True": (True, Termination.ILLEGAL, "answered True"),
    "a float": (3.5, Termination.ILLEGAL, "answered 3.5"),
    "a whole float": (3.0, Termination.ILLEGAL, "answered 3.0"),
    "a list": ([3], Termination.ILLEGAL, "answered [3]"),
    "a numpy bool": (np.True_, Termination.ILLEGAL, "no column"),
    "an enormous number": (1 << 70, Termination.ILLEGAL, "no column"),
    "a number too long to write": (10**5000, Termination.ILLEGAL, "no column"),
    "an object that fails": (Awkward(), Termination.ILLEGAL, "an object of type Awkward"),
    "an analysis of a missing column": (Analysis(7), Termination.ILLEGAL, "column 8 does not exist"),
    "an analysis of text": (Analysis("x"), Termination.ILLEGAL, "no column"),
    "nodes as text": (Analysis(3, nodes="many"), Termination.EXCEPTION, "analysis cannot be read"),
    "a depth that is nothing": (Analysis(3, depth=None), Termination.EXCEPTION, "analysis cannot be read"),
    "nodes beyond 64 bits": (Analysis(3, nodes=1 << 63), Termination.EXCEPTION, "64 bits"),
    "a line of text": (Analysis(3, pv=("x",)), Termination.EXCEPTION, "analysis cannot be read"),
    "a line that is a number": (Analysis(3, pv=7), Termination.EXCEPTION, "analysis cannot be read"),
    "numbers for iterations": (Analysis(3, iterations=(1, 2)), Termination.EXCEPTION, "analysis cannot be read"),
    "an iteration without end": (
        Analysis(3, iterations=(Iteration(1, 8, float("nan"), 0, 3),)), Termination.EXCEPTION, "not finite",
    ),
    "an error": (raiser(ValueError("first line\nsecond line")), Termination.EXCEPTION, "ValueError: first line"),
    "an error that fails": (raiser(SilentError()), Termination.EXCEPTION, "SilentError"),
    "text that is no text": (raiser(ValueError("\ud800")), Termination.EXCEPTION, r"ValueError: \ud800"),
    "sys.exit": (sys.exit, Termination.EXCEPTION, "SystemExit"),
    "a base exception": (raiser(BaseException("odd")), Termination.EXCEPTION, "BaseException: odd"),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERS)
@pytest.mark.parametrize("guilty", [0, 1])
def test_a_fault_loses_the_game_and_is_described_in_one_line(case, guilty):
    answer, termination, text = ANSWERS[case]
    game = play(*((Scripted(answer), Leftmost()) if guilty == 0 else (Leftmost(), Scripted(answer))), "44")
    assert (game.outcome, game.termination) == (Outcome(1 - guilty), termination)
    assert termination.is_fault
    assert text in game.detail
    assert "\n" not in game.detail
    assert game.detail.encode()
    assert game.moves == "44" + "1" * guilty
    assert len(game.decisions) == guilty


def test_a_full_column_is_an_illegal_move():
    game = play(Scripted(3), Leftmost(), "444444")
    assert (game.outcome, game.termination) == (Outcome.SECOND_WINS, Termination.ILLEGAL)
    assert "column 4 is full" in game.detail


def test_endless_recursion_is_an_exception():
    class Recursing:
        def choose(self, board, limits):
            return self.choose(board, limits)

    game = play(Leftmost(), Recursing())
    assert (game.outcome, game.termination) == (Outcome.FIRST_WINS, Termination.EXCEPTION)
    assert "RecursionError" in game.detail


@pytest.mark.parametrize("guilty", [0, 1])
def test_an_agent_that_fails_before_its_first_move_has_lost(guilty):
    class Failing(Leftmost):
        def new_game(self, seed):
            raise ValueError("not today")

    players = [Leftmost(), Leftmost()]
    players[guilty] = Failing()
    game = play(*players, "4")
    assert game.outcome is Outcome(1 - guilty)
    assert re.fullmatch(r"ValueError: not today \(test_match.py, line \d+\)", game.detail)
    assert all(decision.ply % 2 != guilty for decision in game.decisions)


def test_a_fault_keeps_the_position_and_the_traceback():
    game = play(Scripted(0, raiser(ValueError("no idea"))), Scripted(1), "12")
    assert (game.fault.ply, game.fault.position, game.fault.output) == (4, "1212", "")
    assert game.fault.traceback.endswith("ValueError: no idea\n")


class Vandal(Leftmost):
    """Rewrites the board that it is handed."""

    def choose(self, board, limits):
        column = super().choose(board, limits)
        object.__setattr__(board, "own", 0)
        object.__setattr__(board, "rules", 0)
        return column


def test_what_an_agent_does_to_its_board_changes_no_game():
    assert play(Vandal(), Leftmost()).moves == play(Leftmost(), Leftmost()).moves


@pytest.mark.parametrize(
    ("analysis", "text"),
    [
        (Analysis(0, pv=itertools.repeat(0)), "more than 64 moves in its line"),
        (Analysis(0, pv=(7,)), "7 is no column"),
        (Analysis(0, nodes=-1), "-1 is negative"),
        (Analysis(0, depth=-1), "-1 is negative"),
        (Analysis(0, iterations=(Iteration(1, 1, 0.0, 0, 0),) * 300), "more than 256 iterations"),
        (Analysis(0, iterations=(Iteration(1, -1, 0.0, 0, 0),)), "-1 is negative"),
        (Analysis(0, iterations=(Iteration(1, 1, -1.0, 0, 0),)), "negative or not finite"),
        (Analysis(0, iterations=(Iteration(1, 1, 0.0, 0, 9),)), "9 is no column"),
    ],
)
def test_an_analysis_beyond_its_bounds_is_a_fault(analysis, text):
    game = play(Scripted(analysis), Leftmost())
    assert (game.termination, game.outcome) == (Termination.EXCEPTION, Outcome.SECOND_WINS)
    assert text in game.detail


def test_the_keyboard_is_never_an_agents_fault():
    with pytest.raises(KeyboardInterrupt):
        play(Scripted(raiser(KeyboardInterrupt())), Leftmost())


@pytest.mark.parametrize("whole", [np.int8, np.int32, np.int64, np.uint64])
def test_numpy_integers_are_numbers_and_are_stored_as_plain_ones(whole):
    step = Iteration(whole(2), whole(9), np.float32(0.5), whole(5), whole(3))
    answer = Analysis(whole(3), whole(5), whole(2), whole(9), (whole(3), whole(2)), (step,))
    decision = decide(Scripted(answer), Board())
    stored = [decision.column, decision.score, decision.depth, decision.nodes, *decision.pv]
    assert stored == [3, 5, 2, 9, 3, 2]
    iteration = decision.iterations[0]
    stored += [iteration.depth, iteration.nodes, iteration.score, iteration.column]
    assert {type(value) for value in stored} == {int}
    assert type(iteration.seconds) is float


@pytest.mark.parametrize("score", [0.5, float("inf"), float("nan"), np.float32(2.5), "x", True, 1 << 63, Awkward()])
def test_a_score_that_is_no_whole_number_is_kept_as_nothing_with_a_remark(score):
    decision = decide(Scripted(Analysis(3, score, 1, 8)), Board())
    assert (decision.column, decision.score, decision.depth, decision.nodes) == (3, None, 1, 8)
    assert "is no whole number, and is not kept" in decision.remark


@pytest.mark.parametrize(("score", "kept"), [(None, None), (3.0, 3), (np.float64(-2), -2), (10**9, 10**9)])
def test_a_score_that_is_a_whole_number_of_any_type_or_none_needs_no_remark(score, kept):
    decision = decide(Scripted(Analysis(3, score)), Board())
    assert (decision.score, decision.remark) == (kept, "")


def test_a_bare_column_is_an_answer():
    decision = decide(Scripted(2), Board.from_moves("44"))
    assert (decision.ply, decision.column, decision.score, decision.depth, decision.nodes) == (2, 2, None, 0, 0)


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


def test_only_what_an_agent_did_wrong_is_a_fault():
    assert [each for each in Termination if not each.is_fault] == [Termination.LINE, Termination.FULL]


def test_a_fault_outside_a_game_is_raised():
    with pytest.raises(Fault, match="does not exist"):
        decide(Scripted(7), Board())


def test_what_agents_print_goes_to_stderr(capsys):
    class Chatty(Leftmost):
        def new_game(self, seed):
            print("hello")  # noqa: T201  what is tested

        def choose(self, board, limits):
            print("thinking")  # noqa: T201  likewise
            return super().choose(board, limits)

    play(Chatty(), Leftmost(), "121212")
    assert capsys.readouterr() == ("", "hello\nthinking\n")
