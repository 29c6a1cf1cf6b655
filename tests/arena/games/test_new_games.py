"""An agent that refuses to begin a game has a fault like any other, wherever it is measured."""

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.players.simple import Greedy
from agents.specs.registry import parse
from arena.comparison import timing
from arena.depth.cost import call_seconds, once
from arena.games.plan import Plan
from arena.games.referee import Fault, begin
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.perfect.exercises import Exercise
from arena.perfect.grading import Candidate, answers
from arena.tournament.frames import Frames

SMALL = Rules(4, 4)
EXERCISES = [Exercise(Board.from_moves(moves, SMALL), (0, 0, 0, 0)) for moves in ("1", "12", "123")]


class Unwilling:
    """Begins no game with certain seeds."""

    def __init__(self, error, *seeds):
        self.error, self.seeds = error, seeds

    def new_game(self, seed):
        if not self.seeds or seed in self.seeds:
            raise self.error

    def choose(self, board, limits):
        return board.legal_moves()[0]


ERRORS = [
    (ValueError("not today"), "ValueError: not today"),
    (Failure("crashed (SIGSEGV)", "exit code 3"), "exit code 3"),
]


@pytest.mark.parametrize(("error", "said"), ERRORS)
def test_it_is_told_in_a_line_with_the_position(error, said):
    with pytest.raises(InputError) as raised:
        once(Unwilling(error), Board(), "mine")
    assert str(raised.value).startswith(f"agent 'mine' on the empty board: {said}")
    candidate = Candidate(parse("random"), "random", None)
    with pytest.raises(InputError) as raised:
        answers(candidate, Unwilling(error, 9), EXERCISES, 7)
    assert str(raised.value).startswith(f"agent 'random' on 12: {said}")
    assert call_seconds(Unwilling(error), Board()) is None
    with pytest.raises(Fault) as raised:
        begin(Unwilling(error), 1)
    assert raised.value.termination == ("exception" if isinstance(error, ValueError) else "crashed (SIGSEGV)")


def test_after_a_run_it_has_no_times(tmp_path, monkeypatch):
    run = Run.begin(Plan(("greedy", "random"), openings="plies:2", rounds=1, rules=SMALL), tmp_path / "run.sqlite")
    run.play(InProcess())
    monkeypatch.setattr(timing, "POSITIONS", 2)
    monkeypatch.setattr(Greedy, "new_game", lambda self, seed: 1 // 0)
    timing.time_alone(run)
    run.store.close()
    assert Frames.read(tmp_path / "run.sqlite").table("times")["agent"].tolist() == ["random"] * 2 * timing.TURNS
