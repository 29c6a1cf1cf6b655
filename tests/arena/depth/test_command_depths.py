"""The command depths."""

import io
import json
import os
import re

import pandas as pd
import pytest
from command import STYLES, read_json
from samples import ODD

import arena as package
from agents.board import STANDARD, Board
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import parse
from arena.depth import cost as measure
from arena.depth.cost import Cost
from arena.depth.figures import of_frame
from arena.records import Interval, MoveRecord
from arena.store import machine
from arena.table.measured import Measured

MINIMAX = [8, 57, 400, 2801, 19608, 137257]


@pytest.mark.skipif(not JIT, reason="depth 6 takes a while in plain Python")
def test_depths_counts_what_minimax_visits(arena):
    rows = read_json(arena("depths", "minimax", "--depth", "1..6", "--json"))
    assert [row["nodes"] for row in rows] == MINIMAX
    assert [row["depth"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {"agent", "position", "depth", "nodes", "seconds", "move", "score"} <= set(rows[0])
    assert all(row["agent"] == "minimax" and row["position"] == "" and 1 <= row["move"] <= 7 for row in rows)
    assert [row["minimax_share"] for row in rows] == [1.0] * 6
    assert rows[5]["branching"] == pytest.approx(7.0)


def test_depths_from_several_positions(arena):
    words = ["--position", "44", "--position", "", "--position", "445"]
    rows = read_json(arena("depths", "minimax", "--depth", "1,3", *words, "--json"))
    assert [(row["position"], row["depth"]) for row in rows] == [
        ("44", 1), ("44", 3), ("", 1), ("", 3), ("445", 1), ("445", 3),
    ]  # fmt: skip


def test_depths_from_a_sample_of_openings_are_means(arena):
    words = ["depths", "minimax", "--depth", "2", "--openings", "plies:3", "--rounds", 4, "--seed", 9]
    rows = read_json(arena(*words, "--json"))
    assert len({row["position"] for row in rows}) == len(rows) == 4
    mean = sum(row["nodes"] for row in rows) / 4
    table = pd.read_csv(io.StringIO(arena(*words, "--style", "csv").out))
    assert list(table["position"]) == ["mean of 4"]
    assert list(table["nodes"]) == [mean]


def test_depths_shows_what_is_too_dear(arena, monkeypatch):
    monkeypatch.setattr(measure, "GROWTH", 1e12)
    rows = read_json(arena("depths", "minimax", "--depth", "1..3", "--json"))
    assert [row["nodes"] for row in rows] == [8, None, None]
    assert [row["seconds"] is None for row in rows] == [False, True, True]
    assert "skipped" in arena("depths", "minimax", "--depth", "1..3").out


@pytest.mark.parametrize("style", STYLES)
def test_depths_has_every_style(arena, style):
    out = arena("depths", "minimax", "alphabeta", "--depth", "1,2", "--style", style).out
    rows = [line for line in out.splitlines() if re.search(r"\b(minimax|alphabeta)\b.*\b(8|57|42)\b", line)]
    assert len(rows) == 4


def test_depths_as_csv_are_the_numbers_of_the_document(arena):
    words = ["depths", "minimax", "alphabeta", "--depth", "1,2"]
    table = pd.read_csv(io.StringIO(arena(*words, "--style", "csv").out), keep_default_na=False)
    assert [*table.columns, "meta"] == list(read_json(arena(*words, "--json"))[0])
    assert list(table["nodes"]) == [8, 57, 8, 42]


@pytest.mark.parametrize(
    ("text", "depths"), [("2", [2]), ("1..3", [1, 2, 3]), ("3,1", [1, 3]), ("1..2,2..3", [1, 2, 3]), (" 1 , 2", [1, 2])]
)
def test_a_range_of_depths_has_each_once(arena, text, depths):
    rows = read_json(arena("depths", f"{ODD}:Deepening", "--depth", text, "--json"))
    assert [row["depth"] for row in rows] == depths


def test_a_busy_machine_is_told(arena, monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (99.0, 1.0, 1.0))
    monkeypatch.setattr(machine, "_others", lambda: None)
    monkeypatch.setattr(machine, "BUSY", 0.25)
    cores = os.cpu_count()
    note = f"rough: other programs used {cores:.1f} of {cores} cores"
    told = arena("depths", "minimax", "--depth", "1")
    assert note in told.out.splitlines()
    assert told.err.startswith(f"warning: {note}")
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    told = arena("depths", "minimax", "--depth", "1")
    assert (told.err, "rough:" in told.out) == ("", False)


def test_the_table_of_grades_says_that_the_machine_was_busy(arena, monkeypatch):
    monkeypatch.setattr(machine.Load, "busy", True)
    done = arena("grade", "greedy", "--positions", "5", "--plies", "30", "--quiet")
    assert re.search(r"^rough: other programs used \d", done.out, re.MULTILINE)


def test_times_that_are_mostly_the_call_are_marked(arena, monkeypatch):
    monkeypatch.setattr("arena.depth.cost.call_seconds", lambda agent, board: 1.5e-5)
    record = MoveRecord(0, 3, 0.0, nodes=8)
    monkeypatch.setattr(
        "arena.depth.cost.timed", lambda *given, **_: (record, Interval(2.9e-5 + 0.1 * (given[3] > 1), None, None))
    )
    out = arena("depths", "minimax", "--depth", "1..2").out
    assert "states/s: * mostly the time of the call, 15.0 µs, not of the search" in out
    assert re.search(r"^minimax +1 +8  29\.0 µs \*  \S+ k \*", out, re.MULTILINE)
    assert re.search(r"^minimax +2 +8 +100 ms +80 ", out, re.MULTILINE)
    calls = iter((1.5e-5, 1.4e-5))  # the second takes less than half of the time
    monkeypatch.setattr("arena.depth.cost.call_seconds", lambda agent, board: next(calls))
    monkeypatch.setattr("arena.depth.cost.timed", lambda *_, **__: (record, Interval(2.9e-5, None, None)))
    assert "call, 15.0 µs, not" in arena("depths", "minimax", "--depth", "1..2").out


def test_a_call_that_only_calls_is_timed_where_the_search_says_that_it_ended():
    search = parse("alphabeta:depth=9").build()
    search.prepare(STANDARD)
    assert 0 < measure.call_seconds(search, Board()) < measure.once(search, Board(), "", 9).seconds
    assert measure.call_seconds(parse("greedy").build(), Board()) is None


def test_an_own_search_that_gets_its_depth_when_it_is_made_is_measured_at_each_depth(arena, tmp_path):
    (tmp_path / "fixed.py").write_text(
        "from agents import Analysis\n"
        "class Fixed:\n"
        "    def __init__(self, depth=3):\n"
        "        self.depth = depth\n"
        "    def choose(self, board, limits):\n"
        "        return Analysis(self.depth, 0, nodes=8 ** self.depth)\n"
    )
    found = json.loads(arena("depths", f"{tmp_path}/fixed.py:Fixed:depth=1", "--depth", "1,3", "--json").out)
    assert [(row["depth"], row["nodes"], row["move"]) for row in found] == [(1, 8, 2), (3, 512, 4)]
    found = json.loads(arena("depths", f"{tmp_path}/fixed.py:Fixed", "--depth", "2", "--json").out)
    assert [(row["depth"], row["nodes"]) for row in found] == [(2, 64)]


OWN = """
from agents import Analysis


class Ignores:
    def choose(self, board, limits):
        return Analysis(3, 5, nodes=80)


class Fixed(Ignores):
    def __init__(self, depth=1):
        pass


class Six:
    def choose(self, board, limits):
        return Analysis(3, 5, 6, 80)


def bare(board):
    return 3


class Counts:
    def __init__(self, depth=1):
        self.depth = depth

    def choose(self, board):
        return Analysis(3, nodes=8**self.depth)


class Scores:
    def choose(self, board, limits):
        return Analysis(3, limits.depth + 0.2)


class Takes(Counts):
    def choose(self, board):
        return 3
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)


@pytest.mark.parametrize(
    ("name", "nodes", "reason"),
    [
        ("Ignores", 80, "its class has no parameter depth, and nodes, score and depth of its answers are the same"),
        ("Fixed", 80, "without a depth: nodes, score and depth of its answers are the same at every limits.depth"),
        ("Six", 80, "nodes, score and depth of its answers are the same at every limits.depth"),
        ("bare", 0, "its answers have no nodes, and are alike at every limits.depth; let choose return Analysis("),
    ],
)
def test_an_own_agent_that_nothing_shows_to_obey_the_depth_has_one_row_a_position_and_a_reason(
    arena, own, name, nodes, reason
):
    answer = arena(
        "depths", f"own.py:{name}", "minimax", "--depth", "2..3", "--position", "44", "--position", "5", "--json"
    )
    rows = [row for row in json.loads(answer.out) if row["agent"] != "minimax"]
    assert [(row["position"], row["depth"], row["nodes"]) for row in rows] == [("44", None, nodes), ("5", None, nodes)]
    assert [row["minimax_share"] or row["branching"] for row in rows] == [None, None]
    assert f"own.py:{name} has one row, without a depth: " in answer.err
    assert answer.err.count(reason) == 1


def test_an_own_agent_that_shows_its_depth_or_is_made_with_it_has_a_row_for_each_and_what_it_lacks_is_said_once(
    arena, own
):
    answer = arena("depths", "own.py:Counts", "own.py:Scores", "own.py:Takes", "--depth", "1,2", "--json")
    assert [(row["depth"], row["nodes"], row["score"]) for row in json.loads(answer.out)] == [
        (1, 8, None), (2, 64, None), (1, 0, 1), (2, 0, 2), (1, 0, None), (2, 0, None),
    ]  # fmt: skip
    assert "no states of own.py:Scores, own.py:Takes: let choose return Analysis(column, score, nodes=…)" in answer.err
    assert "one row" not in answer.err


def test_a_depth_that_is_measured_is_not_left_aside(arena, own):
    assert "left aside" not in arena("depths", "own.py:Counts:depth=1..2", "--depth", "1..2").err
    assert "the depth of own.py:Counts:depth=3 is left aside" in arena(
        "depths", "own.py:Counts:depth=2..3", "--depth", "1..2"
    ).err  # fmt: skip


def test_the_figures_of_time_and_states_have_agents_of_ones_own_beside_ours(arena, own, tmp_path):
    words = ["depths", "own.py:Counts", "own.py:bare", "own.py:Takes", "alphabeta", "--depth", "1..2"]
    said = {"time": {"own.py:Counts", "own.py:Takes", "alphabeta"}, "states": {"own.py:Counts", "alphabeta"}}
    for figure, names in said.items():
        assert arena(*words, "--plot", f"{figure}.svg", "--figure", figure).code == 0
        text = (tmp_path / f"{figure}.svg").read_text(encoding="utf-8")
        assert {name for name in ("own.py:Counts", "own.py:bare", "own.py:Takes", "alphabeta") if name in text} == names


def test_the_fewest_states_are_drawn_for_the_columns_of_the_board(arena, own, tmp_path):
    words = "depths own.py:Counts --depth 1..2 --board 5x4 --plot small.svg --figure states"
    assert arena(*words.split()).code == 0
    assert "best order, b = 5: " in (tmp_path / "small.svg").read_text(encoding="utf-8")


def test_an_agent_that_fails_is_left_out_and_the_exit_code_says_so(arena, monkeypatch):
    table = Measured([Cost("a", "", 1)], Cost, {}, faults=(InputError("it is lost"),))
    monkeypatch.setattr("arena.depth.depths.depths", lambda *_, **__: table)
    done = arena("depths", "minimax")
    assert (done.code, "left out: it is lost" in done.err, "skipped" in done.out) == (2, True, True)


def test_the_table_of_an_agent_without_a_depth_has_figures_of_the_others(own):
    table = package.depths(["own.py:bare", "alphabeta"], [1, 2], warn=lambda _: None)
    assert table["depth"].isna().tolist() == [True, False, False]
    lines = of_frame(table)[0].axes().get_lines()
    assert [list(line.get_xdata()) for line in lines] == [[1, 2], [1, 2]]
