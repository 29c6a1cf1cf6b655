import random

import pytest
from as_python import as_python
from hypothesis import given
from samples import STANDARD, cells_of, positions, windows

from agents.bits.windows import (
    all_cells,
    bounded,
    check_weights,
    column_cells,
    number_of_windows,
    open_windows,
    playable,
    row_cells,
    subset_weights,
    threats,
)
from agents.errors import InputError
from agents.rules import Rules
from agents.score import WIN_BOUND


def size(rules):
    return rules.columns, rules.rows


def is_open(window, cells, discs):
    held = [cells[cell] for cell in window if cell in cells]
    return held == [1] * discs


@given(positions())
def test_threats_are_the_empty_cells_that_fill_a_window(position):
    rules, own, opp = position
    cells = cells_of(own, opp, rules)
    expected = 0
    for window in windows(rules):
        empty = [cell for cell in window if cell not in cells]
        if len(empty) == 1 and [cells.get(cell, 1) for cell in window] == [1] * rules.connect:
            expected |= 1 << empty[0][0] * (rules.rows + 1) + empty[0][1]
    assert threats(own, opp, *size(rules), rules.connect) == expected


@given(positions())
def test_open_windows_hold_own_discs_alone(position):
    rules, own, opp = position
    cells = cells_of(own, opp, rules)
    for discs in range(rules.connect + 1):
        expected = sum(is_open(window, cells, discs) for window in windows(rules))
        assert open_windows(own, opp, discs, *size(rules), rules.connect) == expected


@pytest.mark.parametrize("connect", [2, 3, 4, 7, 8, 9, 15])
def test_open_windows_hold_exactly_so_many_discs_however_long_a_line_is(connect):
    for discs in range(16):
        own, starts = (1 << discs) - 1, 21 - connect
        counts = [as_python(open_windows)(own, 0, number, 1, 20, connect) for number in range(connect + 1)]
        held = [min(connect, max(0, discs - start)) for start in range(starts)]
        assert counts == [held.count(number) for number in range(connect + 1)]
        assert sum(counts) == number_of_windows(Rules(1, 20, connect)) == starts
        assert as_python(open_windows)(0, own, 0, 1, 20, connect) == held.count(0)


@pytest.mark.parametrize(
    "rules", [Rules(4, 15), Rules(2, 31, 2), Rules(3, 15, 3), Rules(15, 3), Rules(1, 63, 2)], ids=str
)
def test_windows_of_very_tall_and_wide_boards_are_open_and_threatened_like_any_other(rules):
    chance = random.Random(1)
    for _ in range(10):
        discs = [chance.getrandbits(63) & rules.cells for _ in range(2)]
        own, opp = discs[0], discs[1] & ~discs[0] & chance.getrandbits(63)
        cells, expected = cells_of(own, opp, rules), 0
        for held in range(rules.connect + 1):
            number = sum(is_open(window, cells, held) for window in windows(rules))
            assert open_windows(own, opp, held, *size(rules), rules.connect) == number
        for window in windows(rules):
            empty = [cell for cell in window if cell not in cells]
            if len(empty) == 1 and all(cells.get(cell, 1) == 1 for cell in window):
                expected |= 1 << empty[0][0] * (rules.rows + 1) + empty[0][1]
        assert threats(own, opp, *size(rules), rules.connect) == expected


@given(positions())
def test_playable_are_the_lowest_empty_cells(position):
    rules, own, opp = position
    cells = cells_of(own, opp, rules)
    expected = 0
    for column in range(rules.columns):
        row = sum((column, row) in cells for row in range(rules.rows))
        if row < rules.rows:
            expected |= 1 << column * (rules.rows + 1) + row
    assert playable(own, opp, *size(rules)) == expected


def test_rows_columns_and_all_cells_of_the_usual_board():
    assert all_cells() == sum(row_cells(row) for row in range(6)) == sum(column_cells(column) for column in range(7))
    assert row_cells(0) & column_cells(2) == 1 << 14


@pytest.mark.parametrize("worth", [[0], [0, 1], [0, 1, 10, 100, 1000], [5, -1, 7, 0, 3, 2, 2, 9, -4], [0, *range(15)]])
def test_weights_of_subsets_of_bits_add_up_to_what_each_count_is_worth(worth):
    weights = subset_weights(worth)
    assert len(weights) == len(worth)
    for count, value in enumerate(worth):
        assert sum(weight for bits, weight in enumerate(weights) if bits & count == bits) == value
    assert subset_weights([0, 1, 10, 100, 1000]) == (0, 1, 10, 89, 1000)


@pytest.mark.parametrize(
    ("rules", "windows", "limit"),
    [(STANDARD, 69, 13043), (Rules(4, 4), 10, 89999), (Rules(2, 2, 2), 6, 149999)],
    ids=str,
)
def test_weights_are_refused_from_the_first_on_whose_sum_could_be_a_win(rules, windows, limit):
    for weights in ([limit], [-limit, 3, limit], [0, -limit]):
        check_weights(rules, weights)
    assert windows * limit < WIN_BOUND <= windows * (limit + 1)
    for weights in ([limit + 1], [3, -limit - 1], [limit, limit + 1, -3]):
        with pytest.raises(InputError) as raised:
            check_weights(rules, weights)
        assert str(raised.value) == (
            f"a weight of {limit + 1} in {windows} windows outgrows a win; {limit} is the limit"
        )


def test_a_mark_of_bounds_is_put_on_the_heuristic_itself():
    def evaluate(own, opp):
        return own - opp

    assert bounded(evaluate, 7) is evaluate
    assert vars(evaluate) == {"most": 7}
