"""Boards that fill the word, compiled and as plain Python."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searched import boards, choose, heuristic_on, orders

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.search import compiled as prepared
from agents.specs.components import HEURISTICS, ORDERINGS, complete

from .slow_search import SlowSearch


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@given(boards, st.integers(1, 3), orders)
@settings(max_examples=25)
def test_uncompiled_searches_find_the_same(board, depth, order):
    compiled = choose(board, Limits(depth), order=order)
    plain = choose(board, Limits(depth), order=order, compiled=False)
    assert dataclasses.replace(plain, iterations=()) == dataclasses.replace(compiled, iterations=())


ON_ANY_BOARD = [name for name in complete(HEURISTICS) if name != "line-runs-published"]


@pytest.mark.parametrize(
    ("heuristic", "order"), [*((name, "centre") for name in ON_ANY_BOARD), *(("zero", name) for name in ORDERINGS)]
)
def test_a_board_that_fills_the_word_is_searched_as_plain_python_without_warnings(heuristic, order):
    # The last column is full: sums of its bits would reach the sign of the word.
    board = Board.from_moves("88888887", Rules(8, 7))
    searcher = Searcher(depth=2, heuristic=heuristic, order=order, compiled=False)
    evaluate = prepared.heuristic(heuristic, board.rules, compiled=False).evaluate
    search = SlowSearch(evaluate, lambda _: range(8), pruning=False)
    assert searcher.choose(board, Limits()).score == search.search(board, 2)[0]


def test_a_heuristic_for_one_size_of_board_refuses_others():
    with pytest.raises(InputError, match="7x6x4 only, not on 8x7x4"):
        Searcher(heuristic="line-runs-published").prepare(Rules(8, 7))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_board_that_fills_the_word_is_searched_with_its_last_column_full(compiled):
    board = Board.from_moves("88888887", Rules(8, 7))
    found = choose(board, Limits(4), table=compiled, compiled=compiled)
    search = SlowSearch(heuristic_on(board.rules).evaluate, lambda _: range(8), pruning=True)
    assert (found.score, found.pv) == search.search(board, 4)
