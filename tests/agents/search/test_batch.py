"""What a search asks about all columns at once, held against one column after the other."""

import functools

import numpy as np
import pytest
from grid import open_boards
from hypothesis import given, settings
from samples import DATA

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT, address_of
from agents.orderings.static import centre
from agents.search import compiled
from agents.specs.components import HEURISTICS, ORDERINGS, complete

WIDE = Rules(14, 3, 3)
"""Two vectors of columns, two words to sort them in, and no room to join the windows through a cell in one."""
MINE = DATA / "column_parts.py"
SORTING = [name for name in ORDERINGS if name not in {"left-to-right", "centre"}]


@functools.cache
def heuristic(name, rules):
    return compiled.heuristic(name, rules)


@functools.cache
def ordering(name, rules):
    return compiled.ordering(name, rules)


def words(function, *given):
    """Call a compiled function that writes into memory; return what it returned, and what it wrote."""
    room = np.zeros(100, np.int64)
    answer = function(*given[:-1], address_of(room) if JIT else room, *given[-1])
    return answer, room.tolist()


def assert_leaves_are_children(name, board):
    prepared, legal = heuristic(name, board.rules), board.legal_moves()
    for column in range(board.rules.columns) if not JIT else [0]:
        last = compiled.lanes_of(board.rules.columns) if JIT else column + 1
        for win in (0, 900_000):
            highest, values = words(prepared.evaluate_children, board.own, board.opp, win, column, last, ())
            expected = dict.fromkeys(range(board.rules.columns), compiled.NO_MOVE)
            for each in legal:
                child = board.play(each)
                expected[each] = -prepared.evaluate(child.own, child.opp)
                if win and child.outcome is not None:
                    expected[each] = 0 if child.outcome.winner is None else win
            valued = range(board.rules.columns) if JIT else [column]
            assert [values[each] for each in valued] == [expected[each] for each in valued]
            assert highest == max(expected[each] for each in valued)


def assert_sorted(name, board):
    order, legal = ordering(name, board.rules), board.legal_moves()
    columns = board.rules.columns
    _, room = words(order.sort_moves, board.own, board.opp, compiled.lanes_of(columns), (60,))
    keys = {column: (0, -order.score(board.own, board.opp, column)) for column in legal}
    assert room[60 : 60 + columns] == sorted(centre(board.rules), key=lambda column: keys.get(column, (1, 0)))


@pytest.mark.parametrize("name", complete(HEURISTICS))
@given(board=open_boards([STANDARD]))
@settings(max_examples=30)
def test_the_leaves_of_a_node_are_its_children_valued_one_by_one(name, board):
    assert_leaves_are_children(name, board)


@given(open_boards([WIDE]))
def test_leaves_fill_as_many_vectors_as_the_board_is_wide(board):
    assert_leaves_are_children(f"{MINE}:straight", board)


@pytest.mark.parametrize("name", ["branches", "straight", "bounded", "huge"])
def test_a_users_heuristic_may_branch_or_not(name):
    for moves in ("", "112", "1212334", "44444423"):
        assert_leaves_are_children(f"{MINE}:{name}", Board.from_moves(moves))


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_branches_on_a_column_is_compiled_word_by_word_and_that_is_remembered():
    names = "branches", "straight", "bounded"
    for _ in range(2):
        found = {name: compiled.heuristic(f"{MINE}:{name}", STANDARD).evaluate_children for name in names}
        kinds = {name: evaluate_children.py_func.__qualname__ for name, evaluate_children in found.items()}
        assert kinds["straight"].endswith("-lanes.evaluate_children")
        assert kinds["bounded"].endswith("-lanes.evaluate_children")
        assert not kinds["branches"].endswith("-lanes.evaluate_children")


@pytest.mark.parametrize("name", SORTING)
@given(board=open_boards([STANDARD]))
@settings(max_examples=30)
def test_columns_are_sorted_by_their_scores_equal_ones_centre_first(name, board):
    assert_sorted(name, board)


# One ordering, with many ties, shows that two vectors are sorted as one is; the others take seconds to compile.
@pytest.mark.parametrize(
    "name", [f"{MINE}:ties", *(pytest.param(name, marks=pytest.mark.compiles) for name in SORTING)]
)
@given(board=open_boards([WIDE]))
@settings(max_examples=30)
def test_columns_are_sorted_in_as_many_vectors_as_the_board_is_wide(name, board):
    assert_sorted(name, board)


def test_a_users_ordering_is_sorted_alike():
    for rules in (STANDARD, WIDE):
        for moves in ([], [0, 0, 0], [3, 3, 2, 2, 5, 5]):
            board = Board(rules)
            for column in moves:
                board = board.play(column)
            assert_sorted(f"{MINE}:ties", board)


def test_scores_at_the_ends_of_a_word_still_sort_all_columns():
    order = ordering(f"{MINE}:extremes", STANDARD)
    _, room = words(order.sort_moves, 0, 0, 8, (60,))
    found = room[60:67]
    assert sorted(found) == list(range(7))
    assert set(found[:3]) == {0, 3, 6}
