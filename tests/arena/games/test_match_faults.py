"""What an agent answers or raises in a game, and how that is called."""

import itertools
import re
import sys

import numpy as np
import pytest
from scripted import Awkward, Leftmost, Scripted, play, raiser

from agents.agent import Analysis, Iteration
from agents.board import Outcome
from agents.processes.agent import SubprocessAgent
from arena.records import Job, MoveRecord, Termination


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


ANSWERS = {
    "beyond the board": (9, Termination.ILLEGAL, "column 10 does not exist"),
    "below zero": (-1, Termination.ILLEGAL, "column 0 does not exist"),
    "text": ("a", Termination.ILLEGAL, "answered 'a', which is no column: columns are whole numbers from 0"),
    "a digit as text": ("1", Termination.ILLEGAL, "answered '1'"),
    "nothing": (None, Termination.ILLEGAL, "answered None, which is no column: is a return missing?"),
    "True": (True, Termination.ILLEGAL, "answered True"),
    "a float": (3.5, Termination.ILLEGAL, "answered 3.5"),
    "a whole float": (3.0, Termination.ILLEGAL, "answered 3.0"),
    "a list": ([3], Termination.ILLEGAL, "answered [3]"),
    "a numpy bool": (np.True_, Termination.ILLEGAL, "no column"),
    "an enormous number": (1 << 70, Termination.ILLEGAL, "no column"),
    "a number too long to write": (10**5000, Termination.ILLEGAL, "no column"),
    "an object that fails": (Awkward(), Termination.ILLEGAL, "an object of type Awkward"),
    "an analysis of a missing column": (Analysis(7), Termination.ILLEGAL, "column 8 does not exist"),
    "an analysis of text": (Analysis("x"), Termination.ILLEGAL, "answered 'x', which is no column: columns are whole"),
    "an analysis of nothing": (Analysis(None, 5), Termination.ILLEGAL, "answered None, which is no column: is a"),
    "a number of 64 bits": (1 << 63, Termination.ILLEGAL, "no column"),
    "a number of 64 bits below zero": (-1 - (1 << 63), Termination.ILLEGAL, "no column"),
    "a number of 63 bits": ((1 << 63) - 1, Termination.ILLEGAL, "column 9223372036854775808 does not exist"),
    "True for nodes": (Analysis(3, nodes=True), Termination.EXCEPTION, "analysis cannot be read"),
    "True for a depth": (Analysis(3, depth=True), Termination.EXCEPTION, "analysis cannot be read"),
    "nodes below zero": (Analysis(3, nodes=-1), Termination.EXCEPTION, "-1 is negative"),
    "a depth below zero": (Analysis(3, depth=-2), Termination.EXCEPTION, "-2 is negative"),
    "True in a line": (Analysis(3, pv=(3, True)), Termination.EXCEPTION, "analysis cannot be read"),
    "a line beyond the board": (Analysis(3, pv=(3, 7)), Termination.EXCEPTION, "7 is no column of its line"),
    "a line below zero": (Analysis(3, pv=(3, -1)), Termination.EXCEPTION, "-1 is no column of its line"),
    "False for nodes of an iteration": (
        Analysis(3, iterations=(Iteration(1, False, 0.0, 0, 3),)), Termination.EXCEPTION, "analysis cannot be read",
    ),
    "an iteration before its beginning": (
        Analysis(3, iterations=(Iteration(1, 8, -0.5, 0, 3),)), Termination.EXCEPTION, "negative or not finite",
    ),
    "an iteration of a missing column": (
        Analysis(3, iterations=(Iteration(1, 8, 0.0, 0, 7),)), Termination.EXCEPTION, "7 is no column of its line",
    ),
    "nodes as text": (Analysis(3, nodes="many"), Termination.EXCEPTION, "analysis cannot be read"),
    "a depth that is nothing": (Analysis(3, depth=None), Termination.EXCEPTION, "analysis cannot be read"),
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


class Apart(SubprocessAgent):
    """Stands for an agent in a process of its own, answers always alike, and keeps what it is told in its order."""

    _process, output = None, "its last words"

    def __init__(self, answer):
        self.answer, self.told = answer, []

    def new_game(self, seed):
        self.told.append(seed)

    def choose(self, board, limits):
        self.told.append(board.text)
        return self.answer

    def pause(self):
        self.told.append("pause")

    def stop_pondering(self):
        self.told.append("stop")


@pytest.mark.parametrize(
    ("answer", "termination"),
    [
        (0, Termination.LINE), (9, Termination.ILLEGAL), ("a", Termination.ILLEGAL),
        (Analysis(3, nodes=True), Termination.EXCEPTION),
    ],
)  # fmt: skip
def test_an_agent_of_a_process_is_paused_after_its_answer_whatever_that_was(answer, termination):
    agent = Apart(answer)
    game = play(agent, Scripted(1), "1212")
    later = ["12121" + "2", "pause"] if answer == 0 else []
    assert (game.termination, agent.told) == (termination, [1, "1212", "pause", *later, "stop"])
    assert game.fault is None if answer == 0 else game.fault.output == "its last words"


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
    assert re.fullmatch(r"ValueError: not today \(test_match_faults.py, line \d+\)", game.detail)
    assert all(decision.ply % 2 != guilty for decision in game.decisions)


def test_a_fault_keeps_the_position_and_the_traceback():
    times = itertools.count(5.0, 0.5)
    game = play(Scripted(0, raiser(ValueError("no idea"))), Scripted(1), "12", clock=lambda: next(times))
    assert (game.job, game.moves, game.seconds) == (Job(0, 1, 0), "1212", 3.0)
    assert game.decisions == tuple(MoveRecord(ply, ply - 2, 0.5) for ply in (2, 3))
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
        (Analysis(0, iterations=(Iteration(1, 1, 0.0, 0, 0),) * 257), "more than 256 iterations"),
        (Analysis(0, pv=(0,) * 65), "more than 64 moves in its line"),
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


def test_only_what_an_agent_did_wrong_is_a_fault():
    assert [each for each in Termination if not each.is_fault] == [Termination.LINE, Termination.FULL]
