import json

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from arena.games import notation

BOARD = Board.from_moves("4453")
ROWS = [".......", ".......", ".......", ".......", "...O...", "..OXX.."]
NUMBERS = [0] * 28 + [0, 0, 0, 2, 0, 0, 0] + [0, 0, 2, 1, 1, 0, 0]
FORMS = {
    "moves": "4453",
    "moves with commas": "4,4,5,3",
    "FEN": "7/7/7/7/3p3/2pPP2 w - - 0 3",
    "FEN with the hand": f"7/7/7/7/3p3/2pPP2[{'P' * 19}{'p' * 19}] w - - 0 3",
    "slashes": "/".join(ROWS),
    "dashes": "/".join(ROWS).replace(".", "-"),
    "lines of dashes": "\n".join(ROWS).replace(".", "-"),
    "underscores": "\n".join(ROWS).replace(".", "_"),
    "points": "/".join(ROWS).replace(".", "·"),
    "numbers for discs": "/".join(ROWS).replace("X", "1").replace("O", "2"),
    "lines": "\n".join(ROWS),
    "lines of a text file of Windows": "\r\n".join(ROWS) + "\r\n",
    "small letters": "/".join(ROWS).lower(),
    "one word": "".join(ROWS),
    "blanks between": "\n".join(" ".join(row) for row in ROWS),
    "as it is drawn": str(BOARD),
    "in a frame": "\n".join(["+-------+", *(f"|{row}|" for row in ROWS), "+-------+", " 1 2 3 4 5 6 7"]),
    "list": str(NUMBERS),
    "list of rows": str(BOARD.grid()),
    "numbers": " ".join(map(str, NUMBERS)),
    "numbers with commas": ",".join(map(str, NUMBERS)),
    "digits": "".join(map(str, NUMBERS)),
    "observation": json.dumps({"board": NUMBERS, "mark": 1}),
    "mark": "\ufeff4453\n",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_position_is_read_in_any_form(text):
    assert notation.position(text) == BOARD
    assert notation.position(text).mover == 0


@pytest.mark.parametrize(("text", "message"), [
    ("7/7/7/7/7 w", "six ranks"),
    (".......", "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join(ROWS[1:]), "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join([ROWS[0], *ROWS]), "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join([*ROWS[:5], "..OXX."]), "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join([*ROWS[:5], "..OXX..."]), "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join([".....", ".........", *ROWS[2:]]), "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("".join(ROWS)[1:], "a drawing of 7x6x4 has 6 rows of 7 signs"),
    ("/".join([*ROWS[:5], "..OZX.."]), "'Z' is no sign"),
    ("[0, 0, 1]", "42 numbers 0, 1 and 2, the top row first, not 3"),
    ("(0, 0, 1, 2)", "42 numbers 0, 1 and 2, the top row first, not 4"),
    (str([*NUMBERS[:-1], 3]), "42 numbers 0, 1 and 2"),
    ('{"bord": []}', "no list 'board'"),
    ("/".join([*ROWS[:4], "...O...", "..O.XX."]), "the air"),
    ("48", "column 8 does not exist"),
    ("hello", "no sign|not a column|is no position"),
])  # fmt: skip
def test_what_is_no_position_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        notation.position(text)


def test_another_board_has_drawings_and_numbers_but_no_fen():
    rules = Rules(5, 4)
    board = Board.from_moves("3341", rules)
    for text in (str(board), str(board.grid()), "3341"):
        assert notation.position(text, rules) == board
    with pytest.raises(InputError, match="a FEN is a position of 7x6x4"):
        notation.position(FORMS["FEN"], rules)


@pytest.mark.parametrize(("text", "moves", "score"), [
    ("643672513 2", "643672513", 2), ("44 -3", "44", -3), ("4 4", "4", 4), ("44", "44", None),
    ("\ufeff44\t+1", "44", 1), ("44 20", "44", 20), ("44 -20", "44", -20), ("4 21", "4", 21),
])  # fmt: skip
def test_a_score_after_a_blank_is_no_move(text, moves, score):
    board, found = notation.line(text)
    assert (board.text, found) == (moves, score)


@pytest.mark.parametrize("text", ["643672513 2", "4 4 5", "44 -3", "4\t4"])
def test_a_position_by_its_moves_has_no_blanks(text):
    with pytest.raises(InputError, match="moves have no blanks between them, and no score behind them"):
        notation.position(text)


@pytest.mark.parametrize("text", ["4 4 5", "44 1 0 9", "4 4 5 3", "44 5x", "44 21", "44 -21", "4 22", "44 0.5"])
def test_a_line_with_anything_else_is_refused(text):
    with pytest.raises(InputError, match="blank"):
        notation.line(text)


def test_lines_are_numbered_and_drawn_rows_belong_together():
    lines = ["# a heading", "44 2", "", *str(BOARD).splitlines(), FORMS["FEN"], *ROWS, *ROWS, "12 # the last"]
    found = [(number, notation.line(text)[0].text or text) for number, text in notation.numbered(lines)]
    assert [number for number, _ in found] == [2, 4, 11, 12, 18, 24]
    assert [notation.position(moves) for _, moves in found[1:5]] == [BOARD] * 4
    assert (found[0][1], found[-1][1]) == ("44", "12")
