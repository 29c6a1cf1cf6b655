import re

import pytest

from agents.board import Board, Rules

BOARD = """\
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  O  .  .  .
 .  . [O] X  X  .  .
 1  2  3  4  5  6  7
"""
WORTH = """
column   1   2   3   4   5   6   7
------  --  --  --  --  --  --  --
worth   -5  -5  -2  -3  -4  -2  -2

4453 -2 """
NUMBERS = """
column  1  2  3  4  5  6  7
------  -  -  -  -  -  -  -
"""


@pytest.mark.parametrize(
    ("words", "below"),
    [
        ("eval 4453 --heuristic zero", "\nposition  heuristic"),
        ("order 4453 --ordering centre", NUMBERS + "centre  6  4  2  1  3  5  7\n\nposition"),
        ("move greedy 4453", NUMBERS + "move "),
        (
            "solve 4453 --moves",
            WORTH,
        ),
        ("solve 4453", "\n4453 -2 "),
    ],
)
def test_a_position_is_drawn_with_what_belongs_to_its_columns_below_them(arena, words, below):
    done = arena(*words.split(), "--show-board")
    assert done.code == 0, done.err
    assert done.out.startswith(BOARD + below)
    assert " 1  2  3" not in arena(*words.split()).out.splitlines()[0]


def test_a_full_column_is_worth_nothing(arena):
    done = arena("solve", "5555", "--board", "5x4", "--moves", "--show-board")
    assert "\nworth   -1  0  0  0  -\n" in done.out


def test_every_position_is_drawn_above_its_line(arena):
    first, second = (f"{Board.from_moves(moves, Rules(5, 4))}\n\n" for moves in ("5555", "44"))
    words = ("solve", "5555", "44", "--board", "5x4", "--show-board")
    drawn = re.split(r"^([45]+) -?\d+ \d+ \d+\n", arena(*words).out, flags=re.MULTILINE)
    assert drawn == [first, "5555", second, "44", ""]
    assert arena(*words, "--moves").out.count("\nworth ") == 2


def test_a_board_is_not_drawn_into_a_document(arena):
    assert arena("eval", "44", "--heuristic", "zero", "--json", "--show-board").out.startswith("[")
