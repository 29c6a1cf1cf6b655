from hypothesis import given
from samples import cells_of, positions, windows

from agents.bits.windows import all_cells, column_cells, open_windows, playable, row_cells, threats


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
