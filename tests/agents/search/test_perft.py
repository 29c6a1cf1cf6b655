import pytest
from grid import FREAKS, SIZES, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.search.perft import SLICE, divide, perft

KNOWN = [
    (1, 1),
    (7, 8),
    (49, 57),
    (343, 400),
    (2_401, 2_801),
    (16_807, 19_608),
    (117_649, 137_257),
    (823_536, 960_793),
    (5_673_234, 6_634_027),
    (39_394_572, 46_028_599),
    (268_031_646, 314_060_245),
]
"""Sequences and nodes by depth from the empty 7x6 board."""
COMPILED = [STANDARD, Rules(8, 7), Rules(5, 4, 3), Rules(4, 15, 5), Rules(4, 4, 3, most_fours=True)]
"""Boards enough for every case in the kernel; each is compiled once, which takes a second."""


def slow_perft(board, depth):
    if depth == 0:
        return 1, 1
    parts = [slow_perft(board.play(column), depth - 1) for column in board.legal_moves()]
    return sum(part[0] for part in parts), 1 + sum(part[1] for part in parts)


@pytest.mark.parametrize("depth", range(11 if JIT else 6))
def test_the_known_counts_come_out(depth):
    assert perft(Board(), depth) == KNOWN[depth]


def test_the_counts_beyond_one_slice_are_the_sum_over_the_moves():
    depth = SLICE + 1
    board = Board.from_moves("35135353424616316536676717")
    assert perft(board, depth) == slow_perft(board, depth)


@given(open_boards(COMPILED if JIT else SIZES + FREAKS), st.integers(0, 4 if JIT else 3))
def test_the_kernel_counts_what_playing_counts(board, depth):
    assert perft(board, depth) == slow_perft(board, depth)


@given(open_boards(COMPILED), st.integers(1, 4 if JIT else 3))
def test_the_parts_of_a_divide_are_the_counts_after_each_move(board, depth):
    expected = [(column, *slow_perft(board.play(column), depth - 1)) for column in board.legal_moves()]
    assert list(divide(board, depth)) == expected


@given(open_boards(COMPILED), st.integers(0, 4 if JIT else 3))
def test_a_position_and_its_mirror_image_have_the_same_counts(board, depth):
    assert perft(board, depth) == perft(board.mirror(), depth)


def test_a_finished_game_is_a_leaf():
    won = Board.from_moves("4152637")
    assert perft(won, 0) == (1, 1)
    assert perft(won, 3) == perft(won, 12) == (0, 1)
    assert list(divide(won, 3)) == []


def test_no_sequence_is_longer_than_the_empty_cells():
    board = Board.from_moves("547125662261271266215743771576315353334")
    assert perft(board, 3) == slow_perft(board, 3)
    assert perft(board, 4)[0] == 0
    assert perft(board, 64) == perft(board, 4)
