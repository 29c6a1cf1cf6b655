import random
from dataclasses import replace

import numpy as np
import pytest
from needs import needed

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.perfect import Perfect
from agents.solver import deep_book as module
from agents.solver.book import shipped_book
from agents.solver.deep_book import code_of, deep_book, position_of
from agents.solver.solver import Solver

needed("bitbully_databases")


def grid(*rows):
    """Return the discs of X and of O of a drawn board."""
    cells = {(row, column): word for row, line in enumerate(reversed(rows)) for column, word in enumerate(line.split())}
    return tuple(sum(1 << column * 7 + row for (row, column), word in cells.items() if word == disc) for disc in "XO")


def test_boards_that_the_package_documents_have_their_scores():
    win = grid(". . . X . . .", ". X . O . . .", ". O . X . O .", ". X . O . X .", ". O . X . O .")
    loss = grid(". . X X . . .", ". . O O . . .", ". X O X . . .", ". X X O . O O")
    assert deep_book().lookup(*win) == 1  # a win in 29 plies: 71
    assert deep_book().lookup(*loss) == -10  # a loss in 12 plies: -88


def test_a_code_stands_for_one_position():
    book, chance = deep_book(), random.Random(3)
    assert len(book.codes) == 4_200_899
    for place in chance.choices(range(len(book.codes)), k=300):
        own, opp = position_of(int(book.codes[place]))
        assert code_of(own, opp) == book.codes[place]
        assert (own & opp, own.bit_count(), opp.bit_count()) == (0, 6, 6)
        assert book.lookup(own, opp) == book.scores[place]
        mirrored = Board(STANDARD, own, opp, 12).mirror()
        assert book.lookup(mirrored.own, mirrored.opp) == book.scores[place]


@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
@pytest.mark.parametrize(("ply", "number"), [(12, 25), (11, 6), (10, 4), (9, 2)])
def test_scores_are_those_of_the_solver(ply, number):
    book, solver, chance = deep_book(), Solver(STANDARD, 16), random.Random(ply)
    boards = []
    while len(boards) < number:
        board = Board()
        while board.ply < ply and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        boards += [board] if board.outcome is None else []
    for board in boards:
        assert book.lookup(board.own, board.opp) == solver.score_of(board), board.text


EARLY = {
    "514451247": -16, "473672154": 0, "534437634": 2, "6447444767": 4, "1274336341": 0, "1334633341": -1,
    "61364767617": -13, "42564754163": 13, "13344111563": 0, "662725764777": 8, "161621765755": -3, "645765773477": 0,
    "2723112515": 16, "71261414742": 16, "354513556164": 15,
}  # fmt: skip
"""Positions of 9 to 12 plies with the solver's scores; of the last three a move wins at once."""


@pytest.mark.parametrize("moves", EARLY)
def test_scores_of_earlier_plies_follow_from_those_that_are_stored(moves):
    board, book = Board.from_moves(moves), deep_book()
    for own, opp in ((board.own, board.opp), (board.mirror().own, board.mirror().opp)):
        assert book.lookup(own, opp) == EARLY[moves]
        if board.ply == 12:
            assert book.stored(own, opp) == (None if EARLY[moves] == 15 else EARLY[moves])


def test_the_last_ply_of_the_shipped_book_is_looked_up_there():
    board, book = Board.from_moves("44444163"), deep_book()
    early = replace(book.early, values=(*book.early.values[:-1], np.full(len(book.early.values[-1]), 77, np.int8)))
    assert replace(book, early=early).lookup(board.own, board.opp) == 77
    assert book.lookup(board.own, board.opp) == module._backed_up(book, board.own, board.opp)


def test_positions_beyond_it_are_unknown_and_early_ones_those_of_the_shipped_book():
    book = deep_book()
    assert book.lookup(0, 0) == shipped_book().lookup(0, 0) == 1
    board = Board.from_moves("1213145566774")
    assert book.lookup(board.own, board.opp) is None


@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_perfect_moves_alike_with_either_book_and_searches_less():
    board = Board.from_moves("4444416225")
    plain, deep = (Perfect(book=name).choose(board, Limits()) for name in ("8", "12"))
    assert (plain.column, plain.score) == (deep.column, deep.score)
    assert deep.nodes == 0 < plain.nodes


def test_perfect_has_the_shipped_book_unless_asked_and_on_other_boards():
    for agent, rules in ((Perfect(), STANDARD), (Perfect(book="12"), Rules(4, 4))):
        agent.prepare(rules)
        assert agent._solver.book is shipped_book(rules)


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setattr(module.resources, "files", lambda name: (_ for _ in ()).throw(ModuleNotFoundError(name)))
    with pytest.raises(InputError, match=r"pip install 'connect4-arena\[book\]'"):
        deep_book.__wrapped__()


def test_a_file_of_the_package_that_is_cut_or_gone_is_one_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(module.resources, "files", lambda name: tmp_path)
    (tmp_path / "assets").mkdir()
    for content in (None, b"12345678"):
        if content is not None:
            (tmp_path / "assets" / "book_12ply_distances.dat").write_bytes(content)
        with pytest.raises(InputError, match=r"which is not installed: pip install 'connect4-arena\[book\]'$"):
            deep_book.__wrapped__()


def test_a_position_that_is_not_stored_is_a_win_at_once():
    book, board = deep_book(), Board.from_moves("121314556677")
    assert board.ply == 12
    assert book.stored(board.own, board.opp) is None
    assert book.lookup(board.own, board.opp) == 15
    few = replace(book, codes=np.array([1], np.int32), scores=np.array([0], np.int8))
    assert few.stored(board.own, board.opp) is None
