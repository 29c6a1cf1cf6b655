"""A clock for a whole game: what players are given, what they lose by, and where it is stored."""

import itertools
import json
from pathlib import Path

import pytest
from played import rows
from scripted import Leftmost, play

import arena as package
from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.processes.uci import _go
from arena.games.referee import Conditions
from arena.games.time_control import TimeControl
from arena.records import Termination

BOT = """
from agents import Analysis

class Bot:
    def choose(self, board, limits):
        extra = {"own": limits.remaining, "other": limits.opponent_remaining, "seconds": limits.seconds}
        return Analysis(board.legal_moves()[-1], extra=extra | {"increment": limits.increment})
"""
SLEEPER = """
import time

class Sleeper:
    def choose(self, board, limits):
        time.sleep(10)
"""


class Noting(Leftmost):
    def __init__(self):
        self.limits = []

    def choose(self, board, limits):
        self.limits.append(limits)
        return super().choose(board, limits)


class Timed:
    """A clock by which each move of the first player takes one second, and each of the second player 0.25."""

    def __init__(self):
        self.now, self.steps = 0.0, itertools.chain([0.0], itertools.cycle([0.0, 1.0, 0.0, 0.25]))

    def __call__(self):
        self.now += next(self.steps)
        return self.now


@pytest.mark.parametrize(("text", "control"), [("60+1", (60, 1)), ("60", (60, 0)), ("0.5+0.25", (0.5, 0.25))])
def test_a_clock_is_written_as_seconds_and_increment(text, control):
    assert TimeControl.parse(text) == TimeControl(*control)


@pytest.mark.parametrize("text", ["", "0", "60+", "+1", "60:1", "-1", "1e3", "90000", "60+90000", "60+1+1"])
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(InputError, match="SECONDS"):
        TimeControl.parse(text)


def test_each_player_sees_what_is_left_to_both():
    one, other = Noting(), Noting()
    play(one, other, conditions=Conditions(clock=TimeControl(10, 0.5)), clock=Timed())
    seen = [(each.remaining, each.opponent_remaining, each.increment) for each in one.limits[:3]]
    assert seen == [(10, 10, 0.5), (9.5, 10.25, 0.5), (9.0, 10.5, 0.5)]
    assert [(each.remaining, each.opponent_remaining) for each in other.limits[:2]] == [(10, 9.5), (10.25, 9.0)]


def test_a_player_loses_when_its_clock_and_the_margin_are_spent():
    record = play(Noting(), Noting(), conditions=Conditions(clock=TimeControl(2.5), margin=0.4), clock=Timed())
    assert record.termination == Termination.TIME
    assert (record.outcome.winner, len(record.decisions)) == (1, 4)
    assert record.detail == "took 1.000 s for a move, its clock had 0.5 s"
    record = play(Noting(), Noting(), conditions=Conditions(clock=TimeControl(2.5), margin=0.6), clock=Timed())
    assert record.decisions[4].seconds == 1.0


@pytest.mark.parametrize(("seconds", "increment"), [(60, 0), (60, 1), (0.2, 5), (1, 0.01)])
def test_shares_that_are_used_up_last_for_a_whole_game(seconds, increment):
    control = TimeControl(seconds, increment)
    board, left = Board(STANDARD), (seconds, seconds)
    shares = []
    for ply in range(42):
        board = Board(STANDARD, 0, 0, ply)
        limits = control.limits(Limits(nodes=5), board, left)
        assert limits.nodes == 5
        assert 0 < limits.seconds <= max(0.001, limits.remaining)
        shares.append(limits.seconds)
        left = control.after(left, ply % 2, limits.seconds)
    assert shares[:2] == [pytest.approx(max(0.001, min(seconds, seconds / 11 + increment)))] * 2
    assert sum(shares[::2]) >= 0.99 * seconds
    assert increment or shares[0] > shares[20] > shares[39]


@pytest.mark.parametrize(
    ("ply", "left", "share"),
    [
        (0, (60.0, 30.0), 60 * 2 / 22 + 1),
        (1, (60.0, 30.0), 30 * 2 / 22 + 1),
        (20, (60.0, 30.0), 60 * 2 / 12 + 1),
        (39, (60.0, 30.0), 30 * 2 / 3 + 1),
        (41, (60.0, 30.0), 30.0),  # no more than there is
        (41, (60.0, 0.0), 0.001),
    ],
)
def test_a_share_of_the_clock_is_twice_an_even_one_and_the_increment(ply, left, share):
    limits = TimeControl(90, 1).limits(Limits(7, 5, 3.0), Board(STANDARD, 0, 0, ply), left)
    own, other = left if ply % 2 == 0 else left[::-1]
    assert limits == Limits(7, 5, pytest.approx(share), own, other, 1)


def test_on_another_board_the_share_is_of_its_own_moves_and_a_day_is_the_longest_clock():
    small = Rules(5, 4)
    for ply, share in ((0, 30 * 2 / 11), (9, 12 * 2 / 7), (19, 12.0)):
        limits = TimeControl(30).limits(Limits(), Board(small, 0, 0, ply), (30.0, 12.0))
        own, other = (30.0, 12.0) if ply % 2 == 0 else (12.0, 30.0)
        assert limits == Limits(None, None, pytest.approx(share), own, other, 0.0)
    assert TimeControl.parse("86400+86400") == TimeControl(86_400.0, 86_400.0)
    assert TimeControl(9, 2).after((5.0, 4.0), 0, 7.0) == (2.0, 4.0)
    assert TimeControl(9, 2).after((5.0, 4.0), 1, 1.5) == (5.0, 4.5)


def test_uci_names_the_clocks_by_colour():
    assert _go(Limits(None, None, 1.0, 10.0, 7.5, 0.25), 1) == "btime 10000 binc 250 wtime 7500 winc 250"
    assert _go(Limits(None, 500, 1.0, 10.0, 7.5, 0.0), 0) == "nodes 500 wtime 10000 winc 0 btime 7500 binc 0"


def test_remote_agents_get_it_and_the_plan_keeps_it_also_when_it_goes_on(tmp_path, monkeypatch, arena):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    first = package.run(["bot.py", "greedy"], rounds=1, clock="30+0.5", out="run.sqlite")
    extras = [json.loads(text) for (text,) in rows(first.path, "SELECT extra FROM extra WHERE game = 1 ORDER BY ply")]
    assert extras[0] == {"own": 30.0, "other": extras[0]["other"], "seconds": extras[0]["seconds"], "increment": 0.5}
    assert 30.0 < extras[1]["own"] < 30.5 < extras[1]["other"] + 0.5
    assert json.loads(rows(first.path, "SELECT plan FROM run")[0][0])["clock"] == "30+0.5"
    package.run(resume=first.path, rounds=2)
    assert len(rows(first.path, "SELECT 1 FROM extra WHERE ply < 6 GROUP BY game")) == 4
    assert "at 30+0.5 s a game" in arena("show", first.path).out


def test_a_remote_agent_that_exceeds_its_clock_is_stopped(tmp_path):
    (tmp_path / "bot.py").write_text(SLEEPER)
    found = package.run([f"{tmp_path}/bot.py", "greedy"], rounds=1, clock="0.2")
    assert list(found.games["termination"]) == [Termination.TIME] * 2
    assert found.games["detail"].str.contains("no answer within 0.3 s").all()


def test_a_clock_and_seconds_for_a_move_exclude_each_other(arena):
    done = arena("run", "greedy", "random", "--clock", "60+1", "--seconds", "1")
    assert (done.code, done.err.strip()) == (2, "arena: choose one of --seconds, for a move, and --clock, for a game")
    assert arena("run", "greedy", "random", "--clock", "a").code == 2


@pytest.mark.parametrize(
    ("left", "mover", "spent", "after"),
    [
        ((10.0, 8.0), 0, 1.0, (9.5, 8.0)),
        ((10.0, 8.0), 1, 2.0, (10.0, 6.5)),
        ((0.25, 8.0), 0, 0.3, (0.5, 8.0)),  # which the margin allows
        ((9.0, 0.0), 1, 0.05, (9.0, 0.5)),
    ],
)
def test_a_move_takes_of_its_own_clock_what_there_is_and_adds_the_increment(left, mover, spent, after):
    assert TimeControl(10.0, 0.5).after(left, mover, spent) == after


@pytest.mark.parametrize(
    "text", ["", "0", "0+1", "-1", "60+", "+1", "60 + 1", "86401", "60+86401", "6e1", "60+-1", "٦"]
)
def test_a_clock_of_another_form_is_refused_as_it_was_typed(text):
    with pytest.raises(InputError) as raised:
        TimeControl.parse(text)
    assert str(raised.value) == f"clock {text!r}: it is SECONDS or SECONDS+INCREMENT, up to a day, such as 60+1"
    assert TimeControl.parse("86400+86400") == TimeControl(86400.0, 86400.0)
