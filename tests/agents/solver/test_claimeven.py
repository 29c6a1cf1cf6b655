"""What following up promises."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_solver import SlowSolver, careful_board

from agents.bits.bitboard import line_completers
from agents.board import STANDARD, Board, Rules
from agents.rules import bottom_row
from agents.solver.claimeven import UNKNOWN, claimeven_bound, wild_rows


@given(
    seed=st.integers(0, 1 << 32),
    rules=st.sampled_from([Rules(4, 4), Rules(5, 4), Rules(4, 5), Rules(5, 4, 3)]),
    loss=st.booleans(),
)
def test_claimeven_never_promises_too_much(seed, rules, loss):
    chance = random.Random(seed)
    cells = rules.columns * rules.rows
    board = careful_board(rules, chance.randrange(cells - 12, cells), chance)
    if board is None or any(board.play(column).outcome for column in board.legal_moves()):
        return
    wins = int(line_completers(board.opp, rules.rows, rules.connect)) & rules.cells & ~(board.own | board.opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    bound = claimeven_bound(board.own, board.opp, wins, bottom, wild, rules.rows, rules.connect, loss)
    assert SlowSolver(rules).score(board.own, board.opp) <= bound


@pytest.mark.parametrize(
    ("moves", "rules", "bound"),
    [
        ("", Rules(4, 4), UNKNOWN),  # the mover's cells of the first row are a line
        ("", Rules(3, 4), 0),  # only upright lines fit, and the mover never gets two cells on top of each other
        ("523652557227745776231362331", STANDARD, -2),  # at last he must play below one of the follower's cells
        ("571157721134435541343657741743", STANDARD, -5),
    ],
)
def test_claimeven_is_enough_where_the_mover_reaches_no_line(moves, rules, bound):
    board = Board.from_moves(moves, rules)
    wins = int(line_completers(board.opp, rules.rows, rules.connect)) & rules.cells & ~(board.own | board.opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    assert claimeven_bound(board.own, board.opp, wins, bottom, wild, rules.rows, rules.connect, True) == bound


def test_a_cut_in_one_column_closes_no_other():
    rules, own, opp = Rules(6, 4), 106592, 400512
    wins = int(line_completers(opp, rules.rows, rules.connect)) & rules.cells & ~(own | opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    assert SlowSolver(rules).score(own, opp) == -1
    assert claimeven_bound(own, opp, wins, bottom, wild, rules.rows, rules.connect, True) >= -1
