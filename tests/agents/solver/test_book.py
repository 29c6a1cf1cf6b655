import lzma
import random

import numpy as np
import pytest
from slow_solver import SlowSolver

from agents.bits.bitboard import line_completers, mirrored
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.solver.book import Book, enumerate_positions, read_book, shipped_book, write_book
from agents.solver.solver import Solver

TINY, SMALL = Rules(3, 3, 3), Rules(4, 4)


def tiny_book(plies=9):
    """Return a book that the slow solver computed."""
    slow, last = SlowSolver(TINY), enumerate_positions(TINY, plies)[-1]
    scores = np.array([slow.score(int(own), int(opp)) for own, opp in zip(last.own, last.opp, strict=True)], np.int8)
    return Book.of(TINY, scores, plies)


def for_first(book, ply):
    """Return how many positions of a ply the first player wins, draws, and loses."""
    values = np.sign(book.scores[ply]) * (-1) ** ply
    return [int(np.count_nonzero(values == value)) for value in (1, 0, -1)]


@pytest.mark.parametrize(
    ("ply", "counts"),
    [(0, [1, 0, 0]), (2, [14, 6, 5]), (3, [18, 29, 74]), (4, [349, 101, 118]), (6, [5457, 972, 1802])],
)
def test_the_shipped_book_has_the_published_numbers_of_wins_draws_and_losses(ply, counts):
    assert for_first(shipped_book(), ply) == counts


def test_the_shipped_book_has_the_totals_of_tromps_data_base():
    """John Tromp, "Connect-4", UCI machine learning repository (1995): 8 plies, neither side can win at once."""
    book = shipped_book()
    level = book.levels[8]
    quiet = np.array(
        [
            not (line_completers(own, 6, 4) | line_completers(opp, 6, 4))
            & (own | opp) + STANDARD.bottom
            & STANDARD.cells
            for own, opp in zip(level.own.tolist(), level.opp.tolist(), strict=True)
        ]
    )
    values = np.sign(book.scores[8])[quiet]
    assert [np.count_nonzero(values == value) for value in (1, -1, 0)] == [44473, 16635, 6449]


@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_the_shipped_book_agrees_with_the_solver():
    book, solver, chance = shipped_book(), Solver(), random.Random(3)
    for place in chance.sample(range(len(book.levels[8])), 5):
        own, opp = int(book.levels[8].own[place]), int(book.levels[8].opp[place])
        assert solver.score(own, opp) == book.lookup(own, opp)


def test_the_first_player_wins_in_the_middle_alone_and_with_its_last_disc():
    """Pascal Pons, "Solving Connect 4" (2015), shows the same for the empty board."""
    board = Board()
    scores = Solver(STANDARD, 1, shipped_book()).column_scores(board.own, board.opp)
    assert scores == (-2, -1, 0, 1, 0, -1, -2)


def test_a_book_knows_every_position_up_to_its_last_ply_and_none_beyond():
    book, slow = tiny_book(), SlowSolver(TINY)
    for level in book.levels:
        for own, opp in zip(level.own.tolist(), level.opp.tolist(), strict=True):
            assert book.lookup(own, opp) == slow.score(own, opp)
    assert tiny_book(3).lookup(1 << 0 | 1 << 4, 1 << 1 | 1 << 8) is None


def test_a_position_is_looked_for_in_its_ply_whichever_way_round_and_what_no_game_reaches_is_missing():
    for level in tiny_book(4).levels:
        for index, (own, opp) in enumerate(zip(level.own.tolist(), level.opp.tolist(), strict=True)):
            assert level.find(own, opp) == index
            assert level.find(mirrored(own, 3, 3), mirrored(opp, 3, 3)) == index
    second = enumerate_positions(TINY, 2)[2]
    for own, opp in ((0, 0), (1 << 1, 1 << 2), (1 << 6, 1 << 5), (1 << 2, 1 << 10)):
        with pytest.raises(KeyError):
            second.find(own, opp)


def test_a_solver_with_a_book_says_what_one_without_says():
    plain, last = Solver(SMALL, 1), enumerate_positions(SMALL, 4)[-1]
    scores = [plain.score(own, opp) for own, opp in zip(last.own.tolist(), last.opp.tolist(), strict=True)]
    solver = Solver(SMALL, 1, Book.of(SMALL, np.array(scores, np.int8), 4))
    for level in enumerate_positions(SMALL, 5):  # one ply more than the book has
        for own, opp in zip(level.own.tolist(), level.opp.tolist(), strict=True):
            assert solver.score(own, opp) == plain.score(own, opp)
            assert solver.outcome(own, opp) == plain.outcome(own, opp)
            assert solver.column_scores(own, opp) == plain.column_scores(own, opp)
            for limit in range(-8, 8):
                assert (solver.within(own, opp, limit, limit + 1) > limit) == (plain.score(own, opp) > limit)


def test_a_book_is_read_as_it_was_written(tmp_path):
    book = tiny_book()
    write_book(tmp_path / "book", TINY, book.scores[-1], 9)
    again = read_book(tmp_path / "book")
    assert (again.rules, again.plies) == (TINY, 9)
    assert all(np.array_equal(one, other) for one, other in zip(again.scores, book.scores, strict=True))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "is not an opening book"),
        (b"SQLite format 3\n", "is not an opening book"),
        (b"connect4-arena book 3x3x3 8 hopes\n", "is not an opening book"),
        (b"connect4-arena books 3x3x3 2 scores\n" + lzma.compress(bytes(5)), "is not an opening book"),
        (b"connect4-arena book 3x3x3 2\n" + lzma.compress(bytes(5)), "is not an opening book"),
        (b"connect4-arena book 3x3x3 8 scores\nnot packed",
         "is damaged: Input format not supported by decoder"),
        (b"connect4-arena book 3x3x3 8 scores\n" + lzma.compress(bytes(7)), "is damaged: it holds 7 positions"),
        (b"connect4-arena book 3x3x3 2 scores\n" + lzma.compress(bytes(6)), "is damaged: it holds 6 positions"),
        (b"connect4-arena book 3x3x3 2 scores\n" + lzma.compress(b""), "is damaged: it holds 0 positions"),
        (b"connect4-arena book 3x3x3 2 values\n" + lzma.compress(bytes(5)), "is not an opening book"),
        # In 7 cells that are left the winner has at most 4 discs: the scores run from -4 to 4.
        (b"connect4-arena book 3x3x3 2 scores\n" + lzma.compress(b"\5" + bytes(4)),
         "is damaged: its scores run from 0 to 5"),
        (b"connect4-arena book 3x3x3 2 scores\n" + lzma.compress(b"\xfb" + bytes(4)),
         "is damaged: its scores run from -5 to 0"),
        (b"connect4-arena book 3x3x3 3 scores\n" + lzma.compress(b"\4" + bytes(12)),
         "is damaged: its scores run from 0 to 4"),
        (b"connect4-arena book 7x6x4 40 scores\n" + lzma.compress(bytes(7)), "is not an opening book"),
        (b"connect4-arena book 7x6x4 -1 scores\n" + lzma.compress(bytes(7)), "is not an opening book"),
        (b"connect4-arena book 0x3x3 2 scores\n" + lzma.compress(bytes(7)),
         "is damaged: a board needs at least one column and one row, not 0x3"),
        (b"connect4-arena book 3x3x3:most-fours 2 scores\n" + lzma.compress(bytes(5)),
         "the opening book knows the standard rules alone, not most-fours"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_book_is_refused_in_one_line(tmp_path, content, fault):
    (tmp_path / "book").write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_book(tmp_path / "book")
    assert str(raised.value) == (fault if "alone" in fault else f"{tmp_path / 'book'} {fault}")


def test_a_book_reaches_to_its_last_ply_and_knows_values_of_any_size_that_can_be(tmp_path):
    for plies, most in ((2, 4), (3, 3), (4, 3)):
        number = len(enumerate_positions(TINY, plies)[-1])
        last = np.array([most, -most, *[0] * (number - 2)], np.int8)
        write_book(tmp_path / "book", TINY, last, plies)
        book = read_book(tmp_path / "book")
        assert (book.plies, book.scores[-1].tolist()) == (plies, last.tolist())
        level = book.levels[-1]
        scores = [book.lookup(int(own), int(opp)) for own, opp in zip(level.own, level.opp, strict=True)]
        assert scores == last.tolist()


def test_a_book_may_have_the_empty_board_alone_and_ten_plies_at_most(tmp_path):
    write_book(tmp_path / "book", TINY, np.array([4], np.int8), 0)
    book = read_book(tmp_path / "book")
    assert (book.plies, book.lookup(0, 0), book.lookup(0, 1)) == (0, 4, None)
    write_book(tmp_path / "book", TINY, np.array([], np.int8), 10)
    assert read_book(tmp_path / "book").plies == 10
    write_book(tmp_path / "book", TINY, np.array([], np.int8), 11)
    with pytest.raises(InputError, match=r"book is not an opening book$"):
        read_book(tmp_path / "book")


def test_boards_without_a_shipped_book_have_none():
    assert shipped_book(Rules(6, 6)) is None
    assert shipped_book(Rules(7, 6, 5)) is None
    assert shipped_book(Rules(most_fours=True)) is None
