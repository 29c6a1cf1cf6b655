"""Windows of all directions in few words, against lists of cells."""

import random

import pytest

from agents.bits.bitboard import anchors, strides
from agents.bits.windows import packed, packed_counts, windows_through
from agents.board import Rules

BOARDS = [
    Rules(),
    Rules(5, 4),
    Rules(8, 7),
    Rules(4, 9),
    Rules(9, 4, 3),
    Rules(6, 6, 5),
    Rules(3, 4, 4),
    Rules(20, 2, 2),
    Rules(16, 3, 2),
    Rules(3, 16, 2),
    Rules(4, 15),
    Rules(2, 31, 2),
    Rules(15, 3),
]


WORDS = {Rules(4, 4): 1, Rules(7, 7): 2, Rules(16, 3, 2): 3, Rules(3, 16, 2): 4}


def windows(rules):
    """Yield each window: its direction, its start, and its cells."""
    for direction, (stride, starts) in enumerate(
        zip(strides(rules.rows), anchors(rules.columns, rules.rows, rules.connect), strict=True)
    ):
        for start in range(63):
            if starts >> start & 1:
                yield direction, start, sum(1 << start + step * stride for step in range(rules.connect))


def place(packs, direction, start):
    """Return the pack that holds a window, and the window's bit there."""
    (pack,) = (pack for pack in packs if pack[1 + direction])
    return pack, 1 << start + pack[5 + direction]


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_window_has_a_bit_of_its_own(rules):
    packs = packed(rules)
    places = [place(packs, direction, start) for direction, start, _ in windows(rules)]
    assert len(set(places)) == len(places)
    assert sum(pack[0].bit_count() for pack in packs) == len(places)
    for pack in packs:
        assert pack[0] == sum(pack[1:5])
        assert pack[0] == sum(bit for other, bit in places if other == pack)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_the_discs_of_packed_windows_are_counted_as_in_a_list(rules):
    packs, draw = packed(rules), random.Random(1)
    for _ in range(20):
        discs = draw.getrandbits(63) & rules.cells
        counts = {pack: packed_counts(discs, rules.rows, rules.connect, pack) for pack in packs if pack[0]}
        for direction, start, cells in windows(rules):
            pack, bit = place(packs, direction, start)
            found = sum((plane & bit != 0) << power for power, plane in enumerate(counts[pack]))
            assert found == (discs & cells).bit_count()


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_the_windows_through_a_cell_are_those_that_hold_it(rules):
    packs = packed(rules)
    for cell in (1 << number for number in range(63) if rules.cells >> number & 1):
        held = {pack: 0 for pack in packs if pack[0]}
        for direction, start, cells in windows(rules):
            pack, bit = place(packs, direction, start)
            held[pack] |= bit if cells & cell else 0
        assert {pack: windows_through(cell, rules.rows, rules.connect, pack) for pack in held} == held


def test_the_standard_board_takes_two_words():
    assert [pack[0].bit_count() for pack in packed(Rules())] == [45, 24, 0, 0]


def test_windows_take_from_one_word_to_four():
    words = {rules: sum(1 for pack in packed(rules) if pack[0]) for rules in (*BOARDS, *WORDS)}
    assert words[Rules()] == 2
    assert {rules: words[rules] for rules in WORDS} == WORDS
