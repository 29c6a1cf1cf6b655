import numpy as np
import pytest
from grid import SIZES, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.bits.bitboard import position_key
from agents.jit.compiler import address_of
from agents.score import WIN
from agents.search import transpositions
from agents.search.transpositions import ENTRY_BYTES, empty_table, slot

values = st.one_of(st.integers(-899_999, 899_999), st.integers(WIN - 60, WIN - 20), st.integers(20 - WIN, 60 - WIN))
keys = st.integers(1, 2**63 - 1)
INFINITY = 1 << 40


def fetch(table, *question):
    return transpositions.fetch(address_of(table), len(table), *question)


def store(table, *answer):
    transpositions.store(address_of(table), len(table), *answer)


@pytest.mark.parametrize(("megabytes", "used"), [(0, 0), (1, 1), (2, 2), (3, 2), (16, 16), (100, 64)])
def test_a_table_is_the_largest_power_of_two_that_fits(megabytes, used):
    table = empty_table(megabytes)
    assert table.nbytes == used * 2**20
    assert len(table) * 8 == len(table) // 2 * ENTRY_BYTES


def test_an_empty_table_knows_nothing():
    assert fetch(empty_table(1), 123, 4, 0, -INFINITY, -INFINITY) == (False, 0, -1)


@given(keys, values, st.integers(1, 64), st.integers(0, 10), st.integers(0, 31))
def test_an_exact_entry_settles_a_node_where_its_value_is_outside_the_window(key, value, depth, ply, column):
    table = empty_table(1)
    store(table, key, depth, ply, value, value - 1, value + 1, column)
    assert fetch(table, key, depth, ply, value, INFINITY) == (True, value, column)
    assert fetch(table, key, depth, ply, -INFINITY, value) == (True, value, column)
    assert fetch(table, key, depth, ply, value - 1, value + 1) == (False, value, column)


@given(keys, values, st.integers(0, 10))
def test_a_bound_settles_only_what_it_bounds(key, value, ply):
    table = empty_table(1)
    store(table, key, 5, ply, value, value - 9, value, 3)  # failed high: at least this value
    assert fetch(table, key, 5, ply, -INFINITY, value)[0]
    assert not fetch(table, key, 5, ply, value, INFINITY)[0]
    store(table, key, 5, ply, value, value, value + 9, 3)  # failed low: at most this value
    assert fetch(table, key, 5, ply, value, INFINITY)[0]
    assert not fetch(table, key, 5, ply, -INFINITY, value)[0]


@given(keys, st.integers(1, 60), st.integers(1, 60))
def test_an_entry_of_another_depth_gives_only_its_column(key, depth, other):
    table = empty_table(1)
    store(table, key, depth, 0, 7, 6, 8, 3)
    settled, _, column = fetch(table, key, other, 0, 7, INFINITY)
    assert (settled, column) == (depth == other, 3)


@given(keys, st.integers(0, 20), st.integers(0, 20))
def test_a_win_is_counted_from_the_root_of_the_search_that_asks(key, stored, asked):
    table = empty_table(1)
    store(table, key, 5, stored, WIN - stored - 3, 0, INFINITY, 3)
    assert fetch(table, key, 5, asked, -INFINITY, 0)[1] == WIN - asked - 3
    store(table, key, 5, stored, stored + 4 - WIN, -INFINITY, 0, 3)
    assert fetch(table, key, 5, asked, 0, INFINITY)[1] == asked + 4 - WIN


@given(keys, keys)
def test_another_position_in_the_same_place_is_never_mistaken(key, other):
    table = np.zeros(2, np.int64)  # one entry, which all positions share
    store(table, key, 5, 0, 7, 6, 8, 3)
    assert fetch(table, other, 5, 0, 7, INFINITY) == ((True, 7, 3) if key == other else (False, 0, -1))


@given(st.lists(keys, min_size=1, max_size=20))
def test_every_key_has_an_even_place_in_the_table(found):
    table = empty_table(1)
    places = [slot(len(table), key) for key in found]
    assert all(0 <= place < len(table) and place % 2 == 0 for place in places)


@given(open_boards([SIZES[0], SIZES[7]]), open_boards([SIZES[0], SIZES[7]]))
def test_positions_have_keys_of_their_own(one, other):
    if one.rules == other.rules:
        found = [position_key(board.own, board.own | board.opp, board.rules.bottom) for board in (one, other)]
        assert (found[0] == found[1]) == (one == other)
