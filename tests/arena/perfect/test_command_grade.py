"""Agents graded on the command line."""

import json

import pytest
from command import STYLES

from agents.board import Rules
from agents.jit.compiler import JIT
from arena.perfect.exercises import sample

SMALL = Rules(4, 4)
WORDS = ["grade", "alphabeta:depth=4", "perfect:table-size=1", "--quiet", "--board"]


def test_the_command_prints_a_row_for_each_agent_and_depth(arena):
    words = ["grade", "alphabeta", "random", "--depth", "1,3", "--positions", 20, "--board", "4x4", "--plies", "4..10"]
    result = arena(*words, "--json")
    assert (result.code, result.err) == (0, "")
    rows = json.loads(result.out)
    assert [(each["agent"], each["depth"], each["positions"]) for each in rows] == [
        ("alphabeta", 1, 20),
        ("alphabeta", 3, 20),
        ("random", None, 20),
    ]
    assert rows[0]["nodes"] < rows[1]["nodes"]
    assert {each["gain"] for each in rows} == {None}  # nobody else is graded at these depths
    both = arena("grade", "alphabeta", "minimax", *words[3:])
    assert "minimax" in both.out
    assert "clear-cut good moves over alphabeta at the same depth" in both.out
    for style in STYLES:
        shown = arena(*words, "--style", style)
        assert (shown.code, shown.err) == (0, "")
        assert "random" in shown.out
    clear = rows[0]["clear_cut"]
    assert f"20 positions of 4 to 10 plies, of which {clear} are clear-cut" in arena(*words).out


@pytest.mark.skipif(not JIT, reason="a ladder to depth 10 takes minutes as plain Python")
def test_the_command_says_what_depth_plays_like_an_agent(arena):
    result = arena(*WORDS, "5x4", "--positions", 60, "--plies", "3..12", "--ladder", "1,4,10")
    assert (result.code, result.err) == (0, "")
    assert "alphabeta at depth 4 plays like alphabeta:depth=4.0" in result.out
    assert "perfect:table-size=1 is above the highest rung, alphabeta:depth=10, by perfect moves" in result.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["alphabeat"], "did you mean alphabeta"),
        (["random", "--plies", "50"], "have 0 to 41 plies"),
        (["random", "--positions", "0"], "--positions"),
        (["random", "--depth", "x"], "is not a range"),
        ([], "AGENT"),
        (["random", "--stages"], "No such option '--stages'"),
        (["random", "--mirror"], "arena check AGENT says whether it plays the mirrored move"),
    ],
)
def test_bad_input_is_refused_in_a_line(arena, words, message):
    result = arena("grade", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_ctrl_c_prints_the_rows_that_are_done(arena, tmp_path):
    path = tmp_path / "odd.py"
    path.write_text(
        "class Odd:\n    def choose(self, board, limits):\n        if board.ply:\n            raise KeyboardInterrupt\n"
    )
    words = ["random", f"{path}:Odd", "alphabeta", "--depth", "1,2", "--in-process"]
    words += ["--positions", 10, "--board", "4x4", "--plies", "4..10"]
    result = arena("grade", *words, "--json")
    assert (result.code, result.err) == (130, "interrupted after 1 of 4 rows\n")
    assert [each["agent"] for each in json.loads(result.out)] == ["random"]


def test_all_positions_of_a_file_count_also_those_outside_of_the_plies_that_are_drawn(arena, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("".join(f"{sample(1, 1, [ply], SMALL)[0].text}\n" for ply in (2, 8, 14)))
    words = ["grade", "random", "--board", "4x4", "-q", "--positions", path]
    assert "3 positions of 2 to 14 plies" in arena(*words).out
    assert "2 positions of 8 to 14 plies" in arena(*words, "--plies", "8..14").out
    assert "1 position of 14 to 14 plies" in arena(*words, "--plies", "14").out


@pytest.mark.parametrize("place", ["questions", "Grading.of"])
def test_ctrl_c_before_the_first_row_is_an_interruption_too(arena, monkeypatch, place):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    module = "exercises" if place == "questions" else "grading"
    monkeypatch.setattr(f"arena.perfect.{module}.{place}", interrupted)
    words = ["grade", "alphabeta", "random", "--depth", "1,2", "--positions", 4, "--board", "4x4", "--json"]
    result = arena(*words)
    assert (result.code, result.err) == (130, "interrupted after 0 of 3 rows\n")
    assert json.loads(result.out) == []
    result = arena(*words[:-1])
    assert (result.code, result.out) == (130, ""), "no table without a row"


OWN = """
from agents import Analysis


class Opens:
    def __init__(self, depth=1, column=3):
        self.depth, self.column = depth, column

    def choose(self, board):
        if self.depth > 2:
            raise ValueError(f"no depth {self.depth}")
        return Analysis(board.legal_moves()[0], nodes=8**self.depth)
"""


def test_a_class_of_ones_own_with_a_depth_has_a_row_for_each_and_is_left_out_once_it_fails(
    arena, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    for place in ("own.py", "class/own.py"):
        (tmp_path / place).write_text(OWN)
    few = ["--positions", "3", "--plies", "34", "--json"]
    rows = json.loads(arena("grade", "own.py:Opens:column=2", "--depth", "1,2", *few).out)
    assert [(row["agent"], row["depth"], row["nodes"]) for row in rows] == [
        ("own.py:Opens:column=2", 1, 8), ("own.py:Opens:column=2", 2, 64),
    ]  # fmt: skip
    answer = arena("grade", "own.py:Opens", "--depth", "1..5", *few)
    assert [row["depth"] for row in json.loads(answer.out)] == [1, 2]
    assert (answer.code, answer.err.count("left out: "), answer.err.count("no depth 3")) == (2, 1, 1)
    rows = json.loads(arena("grade", "class", "own.py:Opens:depth=2", *few).out)
    assert [(row["agent"], row["depth"]) for row in rows] == [("own", None), ("own.py:Opens", 2)]
