"""Boards and win lengths: which there are, and how they are written."""

import itertools
import math
import random

import numpy as np
import pytest
from grid import FREAKS, MOST_FOURS, SIZES, Grid, bits_of

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.rules import all_cells, bottom_row, lines_in, mirrored

ALL = pytest.mark.parametrize("rules", SIZES + MOST_FOURS, ids=str)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((0, 6), "a board needs at least one column and one row, not 0x6"),
        ((7, -1), "a board needs at least one column and one row, not 7x-1"),
        ((7, 0), "a board needs at least one column and one row, not 7x0"),
        ((1, 1), "connect 4 makes no game on a 1x1 board"),
        ((9, 8), "a 9x8 board does not fit: columns x (rows + 1) is 81, the limit is 64"),
        ((13, 4), "a 13x4 board does not fit: columns x (rows + 1) is 65, the limit is 64"),
        ((7, 6, 8), "connect 8 makes no game on a 7x6 board"),
        ((7, 6, 1), "connect 1 makes no game on a 7x6 board"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_the_limit(size, message):
    with pytest.raises(InputError) as error:
        Rules(*size)
    assert str(error.value) == message


@ALL
def test_rules_survive_as_text(rules):
    assert Rules.parse(str(rules)) == rules


def test_rules_are_read_with_or_without_the_length_of_a_line():
    assert Rules.parse("7x6") == STANDARD
    assert Rules.parse("9x6x5") == Rules(9, 6, 5)
    assert Rules.parse("09x06x005") == Rules(9, 6, 5)
    for text in (
        "7",
        "7x",
        "7x6x",
        "axb",
        "7x6x4x1",
        "7*6",
        "-7x6",
        "7x6 ",
        " 7x6",
        "7x6x4\n",
        "7x6.",
        "1000x6",
        "7X6",
    ):
        with pytest.raises(InputError, match="is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4"):
            Rules.parse(text)


def test_every_board_that_fits_a_word_is_accepted():
    for columns, rows in itertools.product(range(1, 70), range(1, 70)):
        if columns * (rows + 1) <= 64 and max(columns, rows) > 1:
            assert math.log2(Rules(columns, rows, 2).cells) < 64


@pytest.mark.parametrize("rules", SIZES + FREAKS, ids=str)
def test_words_of_cells_lines_and_mirror_images_are_those_of_lists_of_cells(rules):
    cells = [(column, row) for column in range(rules.columns) for row in range(rules.rows)]
    columns = tuple(bits_of([cell for cell in cells if cell[0] == column], rules) for column in range(rules.columns))
    assert rules.cells == bits_of(cells, rules) == all_cells(rules.columns, rules.rows)
    assert rules.bottom == bits_of([cell for cell in cells if cell[1] == 0], rules)
    assert rules.bottom == bottom_row(rules.columns, rules.rows)
    assert rules.columns_of_cells == columns
    assert rules.size == (rules.columns, rules.rows, rules.connect)
    chance, found = random.Random(3), []
    for _ in range(12):
        held = chance.sample(cells, chance.randrange(len(cells) + 1))
        discs, grid = bits_of(held, rules), Grid(rules)
        grid.cells = dict.fromkeys(held, 0)
        assert rules.line(discs) == bits_of(grid.lines(0), rules)
        assert rules.fours(discs) == len(grid.fours(0))
        assert bool(lines_in(discs, rules.rows, rules.connect)) == bool(grid.lines(0))
        image = mirrored(discs, rules.columns, rules.rows)
        assert image == bits_of([(rules.columns - 1 - column, row) for column, row in held], rules)
        found.append((discs, image, bool(grid.lines(0))))
    discs, images, lines = (np.array(each) for each in zip(*found, strict=True))
    assert (mirrored(discs, rules.columns, rules.rows) == images).all()
    assert ((lines_in(discs, rules.rows, rules.connect) != 0) == lines).all()


def test_where_most_fours_win_no_line_ends_the_game_and_programs_of_the_other_rules_say_so():
    rules = Rules(8, 6, 5, most_fours=True)
    assert [each.decisive for each in (rules, Rules(8, 6, 5), STANDARD)] == [0, 5, 4]
    assert [str(each) for each in (rules, Rules(8, 6, 5))] == ["8x6x5:most-fours", "8x6x5"]
    STANDARD.refuse_most_fours("the solver")
    with pytest.raises(InputError) as raised:
        rules.refuse_most_fours("the solver")
    assert str(raised.value) == "the solver knows the standard rules alone, not most-fours"
    assert Board(rules).rules.connect == 5
    assert {all_cells(), all_cells(7), all_cells(7, 6)} == {STANDARD.cells}
