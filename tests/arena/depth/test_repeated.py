"""How often a search is repeated to time it, and what the next depth will cost."""

import math
import time

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.specs.registry import parse
from arena.depth import cost as measure
from arena.depth.cost import depth_table, expected, timed
from arena.games import searches
from arena.games.referee import Conditions
from arena.records import Interval


def test_the_cost_of_the_next_depth_follows_the_last_two_plies():
    assert expected([]) == 0.0
    assert expected([0.1, 0.5]) == pytest.approx(3.5)
    assert expected([1e-6, 2e-6, 3e-6]) == pytest.approx(21e-6)
    assert expected([0.1, 0.2, 0.9]) == pytest.approx(0.9 * 3)
    assert expected([1e-6, 0.2, 0.9]) == pytest.approx(0.9 * 7)
    assert expected([0.1, 1e-6, 0.9]) == pytest.approx(0.9 * 3)
    assert expected([0.4, 0.2, 1e-4]) == pytest.approx(1e-4 / math.sqrt(4000))
    assert expected([9.0, 0.001, 0.2, 0.004]) == pytest.approx(0.004 * 2)
    assert expected([9.0, 0.00099, 0.2, 0.004]) == pytest.approx(0.004 * 7)


@pytest.mark.parametrize(
    ("change", "called"),
    [({}, 0.002), ({"depth": 1}, None), ({"nodes": 0}, None), ({"nodes": 5}, 0.002)],
)
def test_a_call_takes_the_median_of_those_after_the_first(monkeypatch, change, called):
    seconds, asked = iter([9.0, *[0.001] * 12, 0.002, *[0.003] * 12]), []

    def decide(agent, board, conditions, clock):
        asked.append((agent, board.text, conditions.limits, conditions.margin, clock))
        return measure.MoveRecord(0, 3, next(seconds), None, **{"depth": 0, "nodes": 1, **change})

    monkeypatch.setattr(measure, "decide", decide)
    monkeypatch.setattr(measure, "begin", lambda *given: asked.append(given))
    assert measure.call_seconds("it", Board.from_moves("44")) == called
    once = [("it", 0), ("it", "44", Limits(1, 1), Conditions(Limits()).margin, time.perf_counter)]
    assert asked == once * (26 if called else 1)


def test_time_is_the_median_of_repeated_searches(monkeypatch):
    seconds = iter([9e-3, 7e-3, *[8e-3] * 5, 50e-3])
    monkeypatch.setattr(searches, "decide", lambda *_: measure.MoveRecord(0, 3, next(seconds), 0, 1, 8))
    assert timed(object(), Board(), "timed", 1)[1] == Interval(8e-3, 7e-3, 50e-3)
    long = iter([0.75])
    monkeypatch.setattr(searches, "decide", lambda *_: measure.MoveRecord(0, 3, next(long), 0, 1, 8))
    assert timed(object(), Board(), "timed", 1)[1] == Interval(0.75, None, None)


@pytest.mark.parametrize(("first", "asked"), [(0.501, 1), (0.5, 2), (0.06, 2), (0.02, 4), (0.0, 51)])
def test_a_search_is_repeated_for_a_twentieth_of_a_second_unless_it_took_half_a_second(monkeypatch, first, asked):
    done = []
    monkeypatch.setattr(
        searches, "decide", lambda *_: done.append(1) or measure.MoveRecord(0, 3, first, 0, 1, len(done))
    )
    found, seconds = timed(object(), Board(), "timed", 1)
    assert (len(done), found.nodes, seconds.value) == (asked, asked, first)


@pytest.mark.parametrize(("first", "fresh", "asked"), [(0.501, True, 2), (0.5, True, 1), (0.501, False, 1)])
def test_a_long_first_answer_of_a_fresh_agent_is_asked_for_again(monkeypatch, first, fresh, asked):
    seconds = iter([first, 0.25])
    monkeypatch.setattr(searches, "decide", lambda *_: measure.MoveRecord(0, 3, next(seconds), 0, 1, 8))
    assert measure._warm(object(), Board(), "warm", 1, fresh=fresh).seconds == [first, 0.25][asked - 1]


def test_minimax_is_counted_up_to_so_many_leaves_and_fewer_in_plain_python(monkeypatch):
    board, small = Board.from_moves("44"), Board(Rules(5, 4))
    monkeypatch.setattr(measure, "COUNTED", 49)
    assert [measure._minimax(board, depth) for depth in (1, 2, 3)] == [8, 57, None]
    assert [measure._minimax(small, depth) for depth in (2, 3)] == [31, None]
    monkeypatch.setattr(measure, "COUNTED_PLAIN", 7)
    monkeypatch.setattr("agents.jit.vectors.JIT", False)
    assert [measure._minimax(board, depth) for depth in (1, 2)] == [8, None]


def test_each_repetition_begins_with_a_cleared_memory():
    class Forgetful:
        remembers = False

        def new_game(self, seed):
            self.remembers = False

        def choose(self, board, limits):
            assert not self.remembers
            self.remembers = True
            return Analysis(0)

    timed(Forgetful(), Board(), "forgetful", 1)


def test_what_an_agent_loads_at_its_first_move_is_no_cost_of_the_first_depth(tmp_path):
    (tmp_path / "loads.py").write_text(
        "import time\n\nclass Loads:\n    loaded = False\n\n"
        "    def choose(self, board, limits):\n"
        "        time.sleep(0 if self.loaded else 0.55)\n        self.loaded = True\n        return 3\n",
        encoding="utf-8",
    )
    [row] = depth_table([parse(f"{tmp_path}/loads.py:Loads")], [1], [Board()], 9.0)
    assert row.seconds.value < 0.1
