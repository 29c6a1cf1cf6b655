"""How positions are named on the command line, and drawn with values below their columns."""

import io
import json
import sys

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli.output import Output
from arena.cli.positions import Positions, placed, show

SMALL = Rules(4, 3, 3)
WIDE = Rules(10, 5)
FULL = Board.from_moves("112223331444", Rules(4, 3))
SHOWN = """\
 .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .
 X [X] .  .  .  .  .  .  .  O
 1  2  3  4  5  6  7  8  9 10

column   1   2  3     4  5  6  7  8  9  10
-------  --  -  ----  -  -  -  -  -  -  --
places   -5  0  None  -  -  -  -  -  -  x
letters  a   b  c     d  e  f  g  h  i  j

"""


def numbers(board):
    """Return the numbers of a board as a shell hands them over without quotes."""
    return [str(sign) for row in board.grid() for sign in row]


def test_values_stand_below_their_columns_and_a_board_stands_alone_without(capsys):
    board = Board.from_moves("1,10,2", WIDE)
    show(board, {"places": placed(board, {1: -5, 2: 0, 10: "x", 3: None}), "letters": "abcdefghij"})
    assert capsys.readouterr().out == SHOWN
    show(board, {})
    assert capsys.readouterr().out == SHOWN[: SHOWN.index("column")]


def test_a_column_without_a_value_has_a_dash_and_values_of_no_column_are_left_out():
    assert placed(Board(SMALL), {}) == ["-"] * 4
    assert placed(Board(SMALL), {0: "left", 4: 0, 1: False, 5: "right"}) == ["False", "-", "-", "0"]
    assert len(placed(Board(WIDE), {})) == 10


@pytest.mark.parametrize("moves", ["", "1", "11", "1123", "112223331444"])
def test_numbers_of_a_board_need_no_quotes_whichever_they_are(moves):
    board = Board.from_moves(moves, FULL.rules)
    [read] = Positions(numbers(board), FULL.rules, Output.of())
    assert (read, read.rules) == (board, FULL.rules)


@pytest.mark.parametrize("command", ["eval --heuristic zero", "order --ordering centre"])
def test_commands_read_numbers_without_quotes(arena, command):
    for moves in ("", "1", "112"):
        board = Board.from_moves(moves, SMALL)
        done = arena(*command.split(), *numbers(board), "--board", "4x3x3", "--json")
        assert [row["position"] for row in json.loads(done.out)] == [board.text]


@pytest.mark.parametrize(
    ("words", "rules", "texts"),
    [
        (["p6/P6/p6/P6/p6/P6", "b", "-", "-", "0", "4"], Rules(), "^the FEN has 3 discs"),
        (["7/7/7/7/3p3/3P3", "w"], Rules(), ["44"]), (["7/7/7/7/7/3P3", "b"], Rules(), ["4"]),
        (["7/7/7/7/7/3P3 b", "44"], Rules(), ["4", "44"]), (["44", "7/7/7/7/7/3P3 b"], Rules(), ["44", "4"]),
        (["7/7/7/7/7/3P3", "x"], Rules(), "position '7/7/7/7/7/3P3'"),
        (["[0,0,0,0,", "0,0,0,0,", "1,2,0,0]"], SMALL, ["12"]), (["[0,0,0,0,0,0,0,0,1,2,0,0]"], SMALL, ["12"]),
        (['{"board":', "[0,0,0,0,0,0,0,0,", "1,0,0,0]}"], SMALL, ["1"]),
        (['{"board":[0,0,0,0,0,0,0,0,1,0,0,0]}'], SMALL, ["1"]),
        (["1"] * 12, SMALL, "^no game leads .* 12 discs"), (["1"] * 11, SMALL, ["1"] * 11),
        (["1"] * 13, SMALL, ["1"] * 13), (["1"] * 11 + ["3"], SMALL, ["1"] * 11 + ["3"]),
        (["1"] * 11 + ["12"], SMALL, ["1"] * 11 + ["12"]),
        ([""], SMALL, [""]), (["", "1"], SMALL, ["", "1"]), (["1", "", "2"], SMALL, ["1", "", "2"]),
        (["....", "...."], SMALL, "position '....'"), (["12", "w"], SMALL, "position 'w'"),
    ],
)  # fmt: skip
def test_words_are_one_position_only_where_they_are_its_parts(words, rules, texts):
    if isinstance(texts, str):
        with pytest.raises(InputError, match=texts):
            list(Positions(words, rules, Output.of()))
    else:
        assert [board.text for board in Positions(words, rules, Output.of())] == texts


@pytest.mark.parametrize(
    ("over", "read", "lines"), [(True, ["11", "1122334", "1", "112223331444"], [2]), (False, ["11", "1"], [2, 3, 6])]
)
def test_a_game_that_is_over_is_left_out_where_its_command_wants_none(monkeypatch, capsys, over, read, lines):
    monkeypatch.setattr(sys, "stdin", io.StringIO("11\n9\n1122334\n\n1 # the first\n112223331444\n"))
    positions = Positions(["-"], FULL.rules, Output.of(), over=over)
    assert [board.text for board in positions] == read
    assert [int(line.split()[2].rstrip(":")) for line in capsys.readouterr().err.splitlines()] == lines
    assert positions.code == 2


def test_positions_are_there_one_by_one_and_the_code_is_that_of_all_so_far(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", iter(["1\n", "x\n", "12\n"]))
    positions = Positions(["3", "-", "-", "4", "5"], SMALL, Output.of())
    assert [next(positions).text, next(positions).text, positions.code] == ["3", "1", 0]
    assert [next(positions).text, positions.code] == ["12", 2]
    assert next(positions).text == "4"
    assert capsys.readouterr().err.startswith("arena: line 2: ")
    with pytest.raises(InputError, match="position '5'"):
        next(positions)
