import doctest

import pytest
from grid import FREAKS, SIZES, Grid, bits_of, games, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.bits import bitboard
from agents.bits.bitboard import anchors, fours, has_line, line_completers, mirrored, strides
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import jit
from agents.jit.vectors import popcount
from agents.rules import all_cells, bottom_row

ALL = pytest.mark.parametrize("rules", SIZES + FREAKS, ids=str)
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@jit()
def count(bits):
    return popcount(bits)


def test_the_worked_example_is_the_position_that_it_draws():
    assert doctest.testmod(bitboard).attempted > 0
    assert doctest.testmod(bitboard).failed == 0
    board = Board.from_moves("12233434464")
    words = doctest.DocTestFinder().find(bitboard)[0].examples
    x, o = (eval(example.source.partition("=")[2]) for example in words[:2])
    assert (x, o) == (board.opp, board.own)
    drawn = [line.split() for line in bitboard.__doc__.splitlines() if set(line.split()) - {"."} <= {"X", "O"}]
    rows = [row for row in drawn if len(row) == 7]
    for r, row in enumerate(reversed(rows)):
        for c, cell in enumerate(row):
            assert cell == {(1, 0): "X", (0, 1): "O", (0, 0): "."}[x >> 7 * c + r & 1, o >> 7 * c + r & 1]
    assert len(rows) == 6


@given(st.integers(-(2**63), 2**63 - 1))
def test_popcount_counts_all_64_bits(bits):
    assert count(bits) == f"{bits & 2**64 - 1:b}".count("1")


@ALL
def test_the_masks_name_the_cells_of_the_board(rules):
    cells = [(column, row) for column in range(rules.columns) for row in range(rules.rows)]
    assert all_cells(rules.columns, rules.rows) == rules.cells == bits_of(cells, rules)
    assert bottom_row(rules.columns, rules.rows) == rules.bottom == bits_of([c for c in cells if c[1] == 0], rules)


@ALL
def test_the_anchors_are_the_cells_from_which_a_line_stays_on_the_board(rules):
    cells = [(column, row) for column in range(rules.columns) for row in range(rules.rows)]
    for mask, (right, up) in zip(anchors(rules.columns, rules.rows, rules.connect), DIRECTIONS, strict=True):
        far = rules.connect - 1
        assert mask == bits_of([(c, r) for c, r in cells if (c + far * right, r + far * up) in cells], rules)


@given(open_boards())
def test_a_mirrored_word_is_that_of_the_mirrored_board(board):
    rules = board.rules
    assert mirrored(board.own, rules.columns, rules.rows) == board.mirror().own
    assert mirrored(board.mirror().opp, rules.columns, rules.rows) == board.opp


def test_a_step_along_a_stride_is_one_cell_in_its_direction():
    for stride, (right, up) in zip(strides(6), DIRECTIONS, strict=True):
        assert 1 << 2 * 7 + 2 << stride == 1 << (2 + right) * 7 + 2 + up


@given(st.sampled_from(SIZES + FREAKS), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_line_is_found_where_a_list_of_cells_has_one(rules, one, other):
    for bits in (one & rules.cells, (one | other) & rules.cells, rules.cells):
        grid = Grid(rules)
        cells = [(column, row) for column in range(rules.columns) for row in range(rules.rows)]
        grid.cells = {cell: 0 for cell in cells if bits & bits_of([cell], rules)}
        assert has_line(bits, rules.rows, rules.connect) == bool(grid.lines(0))
        assert rules.line(bits) == bits_of(grid.lines(0), rules)
        assert fours(bits, rules.rows, rules.connect) == len(grid.fours(0))


@pytest.mark.parametrize("rules", [STANDARD, Rules(4, 15), Rules(3, 15, 3), Rules(2, 31, 2), Rules(15, 3)], ids=str)
def test_each_window_is_a_line_that_each_of_its_cells_completes(rules):
    for stride, starts in zip(strides(rules.rows), anchors(*rules.size), strict=True):
        for start in (start for start in range(64) if starts >> start & 1):
            cells = [1 << start + step * stride for step in range(rules.connect)]
            assert has_line(sum(cells), rules.rows, rules.connect)
            assert fours(sum(cells), rules.rows, rules.connect) == 1
            for cell in cells:
                discs = sum(cells) - cell
                assert not has_line(discs, rules.rows, rules.connect)
                assert line_completers(discs, rules.rows, rules.connect) & cell


@pytest.mark.parametrize("rules", [rules for rules in SIZES + FREAKS if rules.columns < rules.connect], ids=str)
def test_a_full_row_is_no_line_where_a_line_is_longer_than_the_row(rules):
    assert not has_line(rules.bottom, rules.rows, rules.connect)


@given(games())
def test_the_completers_are_the_empty_cells_that_make_a_line(grid):
    rules = grid.rules
    for player in (0, 1):
        empty = {(c, r) for c in range(rules.columns) for r in range(rules.rows)} - grid.cells.keys()
        before = grid.lines(player)
        found = line_completers(grid.bits(player), rules.rows, rules.connect) & bits_of(empty, rules)
        completing = [cell for cell in empty if completes(grid, cell, player, before)]
        assert found == bits_of(completing, rules)


def completes(grid, cell, player, before):
    grid.cells[cell] = player
    try:
        return grid.lines(player) > before
    finally:
        del grid.cells[cell]
