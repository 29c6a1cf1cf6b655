"""One node of the search."""

import pytest
from as_python import as_python

from agents.board import STANDARD, Board
from agents.jit.compiler import address_of
from agents.solver.claimeven import wild_rows
from agents.solver.node import PENDING, RANKS, TRIED, Shape, empty_memory, enhanced_cutoff, frame_of, slot
from agents.solver.search import next_alpha
from agents.solver.table import BUCKET, empty_table, far_bits, near_bits, store


def test_what_the_table_says_of_a_child_settles_a_node_only_above_the_question():
    bits = STANDARD.columns * (STANDARD.rows + 1)
    near, far = near_bits(bits), far_bits(bits, 0)
    shape = Shape(7, 6, 4, STANDARD.bottom, wild_rows(7, 6), near, far, BUCKET << far, 8)
    table, words = empty_table(bits, 0), empty_memory(7, 6)
    memory, frames, ranks = address_of(table), address_of(words), frame_of(0, shape) + RANKS
    child = Board.from_moves("4")
    words[ranks : ranks + 7] = TRIED
    words[[ranks + 3, ranks + shape.lanes + 3]] = 3, 0b1000_0001
    store(memory, *slot(child.own, child.own | child.opp, 1, shape), -18, -5, 1)
    bounds = {alpha: enhanced_cutoff(memory, frames, 0, child.own, 0, alpha, shape) for alpha in (3, 4, 5, 6)}
    assert bounds == {3: 5, 4: 5, 5: PENDING, 6: PENDING}


@pytest.mark.parametrize("start", ["4", "44", "121", "4453", "44536", "44455"])
def test_of_all_children_with_several_replies_the_first_that_the_table_knows_settles_a_node(start):
    bits, cutoff = STANDARD.columns * (STANDARD.rows + 1), as_python(enhanced_cutoff)
    near, far = near_bits(bits), far_bits(bits, 0)
    shape = Shape(7, 6, 4, STANDARD.bottom, wild_rows(7, 6), near, far, BUCKET << far, 8)
    board, several = Board.from_moves(start), 0b1000_0001
    table, words = empty_table(bits, 0), empty_memory(7, 6)
    write, ranks = as_python(store), as_python(frame_of)(board.ply, shape) + RANKS
    words[ranks : ranks + 7] = TRIED
    children = {1: (several, -6), 2: (several, -9), 3: (1 << 7, -20)}  # replies, upper bound
    for column, (replies, upper) in children.items():
        child = board.play(column)
        words[[ranks + column, ranks + shape.lanes + column]] = 1, replies
        write(table, *slot(child.own, child.own | child.opp, child.ply, shape), -21, upper, 1)
        child = board.play(0)
        write(table, *slot(child.own, child.own | child.opp, child.ply, shape), -21, -21, 1)  # a move that was tried
    arguments = table, words, board.own, board.opp, board.ply
    bounds = {-8: 6, 1: 6, 2: 6, 5: 6, 6: 9, 8: 9, 9: PENDING, 19: PENDING}
    assert {alpha: cutoff(*arguments, alpha, shape) for alpha in bounds} == bounds


@pytest.mark.parametrize(
    ("lowest", "highest", "left", "alpha"),
    [
        (-15, 14, 30, 8),  # a win in at most seven moves?
        (-15, 8, 30, -9),  # a loss in seven?
        (-8, 9, 32, 6),  # a win in ten?
        (-8, 8, 30, -6),  # a loss in ten?
        (-7, 7, 28, 0),  # a win or a loss in ten would be no score of six or more: which side wins?
        (-5, 8, 30, 0), (1, 8, 30, 1), (3, 4, 30, 3), (-5, 0, 30, -1), (-5, -3, 30, -4),
    ],
)  # fmt: skip
def test_the_solver_asks_for_a_near_end_first_then_for_the_winner_then_step_by_step(lowest, highest, left, alpha):
    assert as_python(next_alpha)(lowest, highest, left) == alpha
