"""Boards and win lengths: which there are, and how they are written."""

import itertools
import math

import pytest
from grid import MOST_FOURS, SIZES

from agents.board import STANDARD, Rules
from agents.errors import InputError

ALL = pytest.mark.parametrize("rules", SIZES + MOST_FOURS, ids=str)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((0, 6), "a board needs at least one column and one row, not 0x6"),
        ((7, -1), "a board needs at least one column and one row, not 7x-1"),
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
    for text in ("7", "7x", "7x6x", "axb", "7x6x4x1", "7*6", "-7x6"):
        with pytest.raises(InputError, match="is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4"):
            Rules.parse(text)


def test_every_board_that_fits_a_word_is_accepted():
    for columns, rows in itertools.product(range(1, 70), range(1, 70)):
        if columns * (rows + 1) <= 64 and max(columns, rows) > 1:
            assert math.log2(Rules(columns, rows, 2).cells) < 64
