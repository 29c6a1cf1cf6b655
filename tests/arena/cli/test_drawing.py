import io
import re
import sys
from types import SimpleNamespace

import pytest
from grid import SIZES, games
from hypothesis import given

from agents.board import Board, Rules, moves_text
from arena.cli.drawing import Screen, draw, in_colour

EMPTY = """\
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 1  2  3  4  5  6  7"""
PLAYED = """\
 .  .  .  .
 .  .  .  .
 .  O  .  .
[O] X  X  .
 1  2  3  4"""
WON = """\
 .  .  .  .
 .  .  .  .
 O  .  .  .
 O *X**X**X*
 1  2  3  4"""


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def discs_of(text):
    return [re.sub(r"[*\[\]]", " ", line).rstrip() for line in text.split("\n")]


def test_the_empty_board_is_dots_over_numbers():
    assert draw(Board()) == EMPTY
    assert str(Board()) == EMPTY


def test_the_first_player_is_x_and_the_last_move_stands_in_brackets():
    assert draw(Board.from_moves("2231", Rules(4, 4))) == PLAYED


def test_the_winning_line_stands_between_asterisks():
    assert draw(Board.from_moves("21314", Rules(4, 4, 3))) == WON


@given(games())
def test_a_drawing_has_a_line_for_each_row_and_shows_every_disc(grid):
    board = Board.from_moves(moves_text(grid.moves, grid.rules), grid.rules)
    lines = draw(board).split("\n")
    assert len(lines) == grid.rules.rows + 1
    for height, line in enumerate(reversed(lines[:-1])):
        cells = [line.ljust(3 * grid.rules.columns)[3 * column + 1] for column in range(grid.rules.columns)]
        assert cells == [".XO"[1 + grid.cells.get((column, height), -1)] for column in range(grid.rules.columns)]
    assert all(line == line.rstrip() for line in lines)


@given(games())
def test_colour_changes_nothing_but_colour(grid):
    board = Board.from_moves(moves_text(grid.moves, grid.rules), grid.rules)
    coloured = draw(board, colour=True)
    assert "\x1b" not in draw(board)
    assert coloured.count("\x1b[0m") == len(grid.cells)
    assert discs_of(plain(coloured)) == discs_of(draw(board))


def test_the_players_have_colours_and_the_winning_line_is_inverse():
    coloured = draw(Board.from_moves("4152637"), colour=True)
    one, other = (re.findall(rf"(\x1b\[\d+m)(\x1b\[1;7m)?{disc}\x1b\[0m", coloured) for disc in "OX")
    assert (len(one), len(set(one)), len(other), len(set(other))) == (3, 1, 4, 1)
    assert (one[0], other[0]) == (("\x1b[31m", ""), ("\x1b[33m", "\x1b[1;7m"))


@pytest.mark.parametrize("rules", SIZES, ids=str)
def test_every_promised_board_fits_40_columns(rules):
    assert max(map(len, draw(Board(rules)).split("\n"))) <= 40


@pytest.mark.parametrize(
    ("variables", "shown"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_shows_colours_unless_it_or_the_user_has_none(monkeypatch, variables, shown):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert in_colour(SimpleNamespace(isatty=lambda: True)) == shown
    assert not in_colour(SimpleNamespace(isatty=lambda: False))


@pytest.mark.parametrize(
    ("terminal", "typed", "shown"),
    [(False, "44\n", "> 44\n"), (True, "44\n", "> "), (True, "", "> \n"), (False, f"{'4' * 90}\n", f"> {'4' * 78}\n")],
)
def test_a_typed_line_is_shown_once_and_within_the_screen(monkeypatch, capsys, terminal, typed, shown):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: terminal)
    assert Screen(err=False, colour=False).ask("> ") == (typed or None)
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(("columns", "width"), [("100", 100), ("41", 41), ("39", 40), ("", 80)])
def test_a_text_is_as_wide_as_the_terminal_but_not_too_narrow_and_goes_to_its_stream(
    monkeypatch, capsys, columns, width
):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("os.get_terminal_size", lambda *_: (_ for _ in ()).throw(OSError))
    for err in (False, True):
        screen = Screen(err=err, colour=False)
        assert screen.width == width
        screen.say(f"{'x' * (width - 2)} y z-z \x1b[1m")
        screen.say("")
        screen.show(Board(Rules(4, 4)))
        streams = capsys.readouterr()
        lines = [f"{'x' * (width - 2)} y", "z-z \\x1b[1m", "", *str(Board(Rules(4, 4))).split("\n")]
        assert streams[err].splitlines() == lines
        assert streams[not err] == ""
