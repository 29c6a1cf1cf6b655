"""The table of the solver."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import address_of
from agents.solver.claimeven import wild_rows
from agents.solver.node import Shape, slot
from agents.solver.solver import Solver
from agents.solver.table import (
    BUCKET,
    NEAR_TABLES,
    bucket_of,
    empty_table,
    entry_lower,
    entry_upper,
    far_bits,
    near_bits,
    near_start,
    probe,
    store,
)

SMALL = 1
"""Mebibytes of table."""


def test_a_table_that_does_not_fit_into_memory_is_refused():
    with pytest.raises(InputError, match="there is no memory for a table of 67108864 MiB"):
        Solver(STANDARD, 1 << 26)


@given(
    rules=st.sampled_from([STANDARD, Rules(4, 4), Rules(8, 7), Rules(9, 6), Rules(2, 31), Rules(21, 2)]),
    positions=st.lists(
        st.tuples(st.integers(-1 << 63, (1 << 63) - 1), st.integers(-30, 0), st.integers(0, 30)), max_size=40
    ),
)
def test_the_table_gives_back_what_was_put_and_never_another_positions_entry(rules, positions):
    bits = rules.columns * (rules.rows + 1)
    near, far = near_bits(bits), far_bits(bits, 0)
    table = empty_table(bits, 0)
    memory = address_of(table)
    kept = {}
    for number, lower, upper in positions:
        place = bucket_of(number, bits, near, far, 1 << far, False), number & (1 << bits - near) - 1
        assert 0 <= place[0] < len(table)
        assert place[0] % BUCKET == 0
        store(memory, *place, lower, upper, 5)
        kept[place] = lower, upper
    for place, (lower, upper) in kept.items():
        entry = probe(memory, *place)
        assert entry == 0 or (entry_lower(entry), entry_upper(entry)) == (lower, upper)
    buckets = [place[0] for place in kept]
    for place in kept:
        assert probe(memory, *place) or buckets.count(place[0]) > BUCKET


def test_a_full_bucket_gives_up_the_entry_of_least_effort():
    table = empty_table(49, 0)
    memory = address_of(table)
    for remainder in range(1, BUCKET + 2):
        store(memory, 0, remainder, -1, 1, 1000 if remainder != 3 else 2)
    assert [bool(probe(memory, 0, remainder)) for remainder in range(1, BUCKET + 2)] == [
        remainder != 3 for remainder in range(1, BUCKET + 2)
    ]


def test_entries_that_took_many_nodes_once_give_way_to_many_newer_ones():
    table = empty_table(49, 0)  # a name keeps it
    memory = address_of(table)
    for remainder in range(1, BUCKET + 1):
        store(memory, 0, remainder, -1, 1, 1000)
    for remainder in range(BUCKET + 1, 501):
        store(memory, 0, remainder, -2, 2, 2)
    entries = [probe(memory, 0, remainder) for remainder in range(1, 501)]
    assert not any(entries[:BUCKET])
    assert sum(bool(entry) for entry in entries) == BUCKET
    assert {(entry_lower(entry), entry_upper(entry)) for entry in entries if entry} == {(-2, 2)}


def test_of_two_entries_that_threads_left_of_one_position_one_is_returned():
    table = empty_table(49, 0)
    memory = address_of(table)
    store(memory, 0, 7, -1, 2, 5)
    one = int(table[0])
    store(memory, 0, 7, 1, 5, 5)
    other = int(table[0])
    table[3] = one
    assert one != other
    assert probe(memory, 0, 7) in {one, other}


def test_the_table_is_as_large_as_asked_and_its_buckets_are_cache_lines():
    table = empty_table(49, 16)
    assert table.nbytes == (16 << 20) + (NEAR_TABLES << near_bits(49)) * 64
    assert table.ctypes.data % 64 == 0


@pytest.mark.parametrize(("ply", "same"), [(1, True), (21, True), (22, False)])
def test_mirror_images_share_a_place_in_the_far_table_alone(ply, same):
    bits = STANDARD.columns * (STANDARD.rows + 1)
    shape = Shape(
        7, 6, 4, STANDARD.bottom, wild_rows(7, 6), near_bits(bits), far_bits(bits, 1), near_start(bits, 1, 0), 8
    )
    board = Board.from_moves("4453")
    places = [slot(side.own, side.own | side.opp, ply, shape) for side in (board, board.mirror())]
    assert (places[0] == places[1]) is same
