"""An agent at a board, outside of a tournament."""

import threading
import time
from types import SimpleNamespace

import pytest
from scripted import Leftmost, Scripted, raiser

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.score import WIN
from agents.specs.registry import parse
from arena.games.person import Seat, views


class Late:
    """Takes longer than it may."""

    def choose(self, board, limits):
        time.sleep(limits.seconds + 0.12)
        return 3


def test_no_clock_of_a_referee_is_held_against_an_agent_at_a_board():
    decision = Seat("late", Late(), None).decide(Board(), Limits(seconds=0.01))
    assert decision.column == 3
    assert decision.seconds > 0.12


class Heard(Leftmost):
    """Keeps what it is told."""

    def __init__(self):
        self.told = []

    def prepare(self, rules):
        self.told.append(rules)

    def new_game(self, seed):
        self.told.append(seed)

    def choose(self, board, limits):
        self.told.append(limits)
        return super().choose(board, limits)


def test_it_is_prepared_for_the_board_hears_of_the_game_and_is_told_its_limits():
    seat = Seat("heard", Heard(), None)
    seat.ready(Board(Rules(5, 4)), 77)
    seat.decide(Board(), Limits(5, 6, 7.0))
    seat.decide(Board())
    assert seat.agent.told == [Rules(5, 4), 77, Limits(5, 6, 7.0), Limits()]


def test_it_is_made_of_a_spec_or_of_its_text_and_has_its_name():
    seat = Seat.of("greedy")
    assert (seat.name, seat.spec) == ("greedy", parse("greedy"))
    assert seat.agent.choose(Board.from_moves("112233"), Limits()).column == 3
    assert Seat.of(parse("random")).name == "random"
    assert isinstance(Seat.of("greedy", {"everyone": True, "memory": 99}).agent, SubprocessAgent)
    with pytest.raises(InputError, match="stands for 2 agents"):
        Seat.of("minimax:depth=1..2")


def test_what_it_does_wrong_is_said_in_one_line_with_its_name():
    seat = Seat("odd", Scripted(9, raiser(ValueError("one\ntwo")), 3), None)
    for text in ("illegal move: answered 9 (columns count from 0): column 10 does not exist (1 to 7)",
                 "exception: ValueError: one"):  # fmt: skip
        with pytest.raises(InputError) as raised:
            seat.decide(Board())
        assert str(raised.value).startswith(f"agent 'odd': {text}")
        assert "\n" not in str(raised.value)
    assert seat.decide(Board()).column == 3

    def fails(seed):
        raise OSError(f"no\n{seed}")

    for error, text in (
        (ValueError("one\ntwo"), "agent 'odd': ValueError: one"),
        (InputError("refused"), "refused"),
    ):
        with pytest.raises(InputError) as raised:
            Seat("odd", SimpleNamespace(new_game=lambda seed, error=error: raiser(error)()), None).ready(Board(), 1)
        assert str(raised.value) == text
    with pytest.raises(InputError, match="cannot prepare for a 7x6x4 board: "):
        Seat("odd", SimpleNamespace(prepare=fails), None).ready(Board(), 1)


class Counts:
    """Scores a position by its discs, a line at once as a win, and none at five discs."""

    def choose(self, board, limits):
        wins = [column for column in board.legal_moves() if board.play(column).outcome is not None]
        if wins:
            return Analysis(wins[0], WIN - 1)
        return Analysis(board.legal_moves()[0], {4: 40, 5: None, 7: -9}.get(board.ply))


def test_it_views_each_column_from_the_side_to_move():
    line = WIN - 1
    assert views(Counts(), Board.from_moves("112")) == {0: -40, 1: -40, 2: -40, 3: -40, 4: -40, 5: -40, 6: -40}
    assert views(Counts(), Board.from_moves("1122")) == dict.fromkeys(range(7))
    assert views(Counts(), Board.from_moves("112233")) == {
        0: 9, 1: 9, 2: 9, 3: line, 4: 9, 5: 9, 6: 9,
    }  # fmt: skip
    lost = Seat("counts", Counts(), None).views(Board.from_moves("11223"))
    assert lost == {0: 2 - WIN, 1: 2 - WIN, 2: 2 - WIN, 3: None, 4: 2 - WIN, 5: 2 - WIN, 6: 2 - WIN}
    assert set(views(Counts(), Board.from_moves("111111"))) == {1, 2, 3, 4, 5, 6}
    full = "54712566226127126621574377157631535333444"
    assert views(Counts(), Board.from_moves(full)) == {3: 0}


def test_a_fault_in_a_view_is_said_as_well():
    with pytest.raises(InputError, match="agent 'odd': illegal move: answered None, which is no column"):
        Seat("odd", Scripted(None), None).views(Board())


def test_a_search_in_another_thread_is_stopped_where_it_can_be():
    stopped = threading.Event()
    assert Seat("a", SimpleNamespace(stop=stopped.set), None).stop() is True
    assert stopped.is_set()
    assert Seat("b", Leftmost(), None).stop() is False


def test_each_depth_of_a_search_is_told_also_of_one_that_another_agent_has():
    for wrapped in (False, True):
        seat, told = Seat.of("alphabeta:depth=3,deepening=on"), []
        if wrapped:
            seat = Seat("wrapped", SimpleNamespace(searcher=seat.agent, choose=seat.agent.choose), None)
        seat.on_depth(lambda step, line, told=told: told.append((step.depth, step.column, len(line))))
        found = seat.decide(Board.from_moves("4453"))
        assert told == [(each.depth, each.column, each.depth) for each in found.iterations]
        assert len(told) == 3
    Seat("none", Leftmost(), None).on_depth(print)


def test_what_a_process_of_its_own_writes_is_taken_once_and_one_here_writes_nothing(tmp_path):
    (tmp_path / "bot.sh").write_text("#!/bin/sh\nwhile read line; do printf 'so \\033[2J\\n' >&2; echo 4; done\n")
    (tmp_path / "bot.sh").chmod(0o755)
    agent = SubprocessAgent(Source("cmd", ("./bot.sh",), str(tmp_path)), ProcessLimits(start_timeout=5.0))
    seat = Seat("bot", agent, None)
    seat.ready(Board(), 1)
    assert seat.decide(Board()).column == 3
    assert seat.output() == "so \\x1b[2J\nso \\x1b[2J\n"
    assert seat.output() == ""
    agent.close()
    assert Seat("here", Leftmost(), None).output() == ""
