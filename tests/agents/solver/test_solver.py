import random
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored import MIDDLE, SOLVED
from slow_solver import SlowSolver, careful_board

from agents.bits.bitboard import bottom_row, line_completers
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.jit.words import address_of
from agents.solver.claimeven import UNKNOWN, follow_up_bound, wild_rows
from agents.solver.node import OPEN, RANKS, TRIED, Shape, known_move, place_of, stack_words
from agents.solver.solver import Solver, Stopped
from agents.solver.table import BUCKET, NEAR_TABLES, bucket_of, empty_table, far_bits, find, near_bits, near_start, put

PONS = Path(__file__).parents[4] / "shared" / "positions"
SMALL = 1
"""Mebibytes of table."""
BOARDS = [Rules(4, 4), Rules(5, 4), Rules(4, 5), Rules(5, 4, 3), Rules(6, 3, 5), Rules(3, 3, 2), Rules(2, 9)]
"""Boards small enough for the slow solver, even and odd in rows and columns."""


@pytest.fixture(scope="module")
def solvers():
    """A solver for each board, compiled once."""
    made = {}
    return lambda rules: made.setdefault(rules, Solver(rules, SMALL))


def published(name, number):
    path = PONS / f"{name}.txt"
    if not path.exists():
        pytest.skip("the published positions are not here")
    rows = [line.split() for line in path.read_text().splitlines()[:number]]
    return [(Board.from_moves(moves), int(score)) for moves, score in rows]


def sign(score):
    return (score > 0) - (score < 0)


@pytest.mark.parametrize("rules", SOLVED, ids=str)
def test_positions_solved_by_another_solver_get_the_same_score_and_outcome(rules, solvers):
    solver = solvers(rules)
    for board, score in SOLVED[rules][: None if JIT else 12]:
        assert solver.outcome_of(board) == sign(score), board.text
        assert solver.score_of(board) == score, board.text


@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_a_bound_at_the_very_question_settles_nothing():
    """The scores are the slow solver's, which takes seconds; with `>=` in `known_move` each of them comes out wrong."""
    for moves, score in MIDDLE.items():
        assert Solver(STANDARD, SMALL).score_of(Board.from_moves(moves)) == score, moves


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("end-easy", 250),
        ("middle-easy", 250),
        ("middle-medium", 250),
        ("begin-easy", 250),
        ("begin-medium", 40),
        pytest.param("begin-medium", 250, marks=pytest.mark.slow),
        pytest.param("begin-hard", 250, marks=pytest.mark.slow),
    ],
)
@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_published_positions_get_their_published_scores(name, number, solvers):
    solver = solvers(STANDARD)
    for board, score in published(name, number):
        assert solver.score_of(board) == score, board.text


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_question_of_a_game_is_answered_as_a_slow_solver_does(rules, solvers):
    solver, slow, chance = solvers(rules), SlowSolver(rules), random.Random(7)
    cells = rules.columns * rules.rows
    for _ in range(60 if JIT else 6):
        board = careful_board(rules, chance.randrange(max(0, cells - 16), cells), chance)
        if board is None:
            continue
        score = slow.score(board.own, board.opp)
        assert solver.score_of(board) == score
        assert solver.outcome_of(board) == sign(score)
        columns = solver.column_scores(board.own, board.opp)
        assert max(each for each in columns if each is not None) == score
        assert solver.column_scores(board.own, board.opp, weak=True) == tuple(
            None if each is None else sign(each) for each in columns
        )
        for column in board.legal_moves():
            child = board.play(column)
            expected = -slow.score(child.own, child.opp) if child.outcome is None else columns[column]
            assert columns[column] == expected


@given(seed=st.integers(0, 1 << 32), rules=st.sampled_from([Rules(4, 4), Rules(5, 4), Rules(4, 5), Rules(5, 4, 3)]))
def test_following_up_never_promises_too_much(seed, rules):
    chance = random.Random(seed)
    cells = rules.columns * rules.rows
    board = careful_board(rules, chance.randrange(cells - 12, cells), chance)
    if board is None or any(board.play(column).outcome for column in board.legal_moves()):
        return
    wins = int(line_completers(board.opp, rules.rows, rules.connect)) & rules.cells & ~(board.own | board.opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    bound = follow_up_bound(board.own, board.opp, wins, bottom, wild, rules.rows, rules.connect)
    assert SlowSolver(rules).score(board.own, board.opp) <= bound


@pytest.mark.parametrize(
    ("moves", "rules", "bound"),
    [
        ("", Rules(4, 4), UNKNOWN),  # the mover's cells of the first row are a line
        ("", Rules(3, 4), 0),  # three columns hold upright lines only, and he never gets two cells on top of each other
        ("523652557227745776231362331", STANDARD, -2),  # at last he must play below one of the follower's cells
        ("571157721134435541343657741743", STANDARD, -5),
    ],
)
def test_following_up_is_enough_where_the_mover_reaches_no_line(moves, rules, bound):
    board = Board.from_moves(moves, rules)
    wins = int(line_completers(board.opp, rules.rows, rules.connect)) & rules.cells & ~(board.own | board.opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    assert follow_up_bound(board.own, board.opp, wins, bottom, wild, rules.rows, rules.connect) == bound


def test_a_position_and_its_mirror_image_score_the_same(solvers):
    solver = solvers(STANDARD)
    for board, score in SOLVED[STANDARD][:20]:
        assert solver.score_of(board.mirror()) == score


def test_a_full_column_has_no_score_and_a_win_at_once_the_best(solvers):
    for board, _ in SOLVED[STANDARD][:10]:
        columns = solvers(STANDARD).column_scores(board.own, board.opp)
        assert [column for column, score in enumerate(columns) if score is not None] == list(board.legal_moves())
    board = Board.from_moves("121212")
    assert solvers(STANDARD).score_of(board) == 18
    assert solvers(STANDARD).outcome_of(board) == 1


def test_a_question_with_limits_is_answered_within_them_or_on_their_side(solvers):
    for board, score in SOLVED[STANDARD][:10]:
        for lowest in range(-8, 8):
            value = solvers(STANDARD).within(board.own, board.opp, lowest, lowest + 1)
            assert (value >= lowest + 1) == (score >= lowest + 1)
            assert (value <= lowest) == (score <= lowest)


def test_what_was_learnt_is_kept_until_it_is_forgotten(solvers):
    solver = solvers(STANDARD)
    boards = [board for board, _ in SOLVED[STANDARD][:20]]

    def effort():
        before = solver.nodes
        for board in boards:
            solver.score_of(board)
        return solver.nodes - before

    solver.forget()
    first = effort()
    assert effort() < first / 4
    solver.forget()
    assert effort() == first


@pytest.mark.skipif(not JIT, reason="too many nodes for plain Python")
def test_partners_know_what_each_other_learnt():
    boards = [Board.from_moves(moves) for moves in MIDDLE]
    solver = Solver(STANDARD, SMALL)
    _, partner = solver.partners(2)
    scores = [solver.score_of(board) for board in boards]
    assert partner.nodes == 0
    assert [partner.score_of(board) for board in boards] == scores
    assert 0 < partner.nodes < solver.nodes / 4


def test_a_table_that_does_not_fit_into_memory_is_refused():
    with pytest.raises(InputError, match="there is no memory for a table of 67108864 MiB"):
        Solver(STANDARD, 1 << 26)


@pytest.mark.skipif(not JIT, reason="the interpreter would not let two threads run")
def test_a_long_question_can_be_stopped_and_the_solver_used_again():
    solver = Solver(STANDARD, SMALL)
    threading.Timer(0.2, solver.stop).start()
    start = time.perf_counter()
    with pytest.raises(Stopped):
        solver.score_of(Board())
    assert 0.1 < time.perf_counter() - start < 5
    with pytest.raises(Stopped):
        solver.score_of(Board())
    solver.go_on()
    for board, score in SOLVED[STANDARD][:5]:
        assert solver.score_of(board) == score


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
        put(memory, *place, lower, upper, 5)
        kept[place] = lower, upper
    for place, (lower, upper) in kept.items():
        entry = find(memory, *place)
        assert entry == 0 or ((entry >> 6 & 63) - 32, (entry & 63) - 32) == (lower, upper)
    buckets = [place[0] for place in kept]
    for place in kept:
        assert find(memory, *place) or buckets.count(place[0]) > BUCKET


def test_a_full_bucket_gives_up_the_entry_of_least_effort():
    table = empty_table(49, 0)
    memory = address_of(table)
    for remainder in range(1, BUCKET + 2):
        put(memory, 0, remainder, -1, 1, 1000 if remainder != 3 else 2)
    assert [bool(find(memory, 0, remainder)) for remainder in range(1, BUCKET + 2)] == [
        remainder != 3 for remainder in range(1, BUCKET + 2)
    ]


def test_the_table_is_as_large_as_asked_and_its_buckets_are_cache_lines():
    table = empty_table(49, 16)
    assert table.nbytes == (16 << 20) + (NEAR_TABLES << near_bits(49)) * 64
    assert table.ctypes.data % 64 == 0


def test_a_cut_in_one_column_closes_no_other():
    rules, own, opp = Rules(6, 4), 106592, 400512
    wins = int(line_completers(opp, rules.rows, rules.connect)) & rules.cells & ~(own | opp)
    bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
    assert SlowSolver(rules).score(own, opp) == -1
    assert follow_up_bound(own, opp, wins, bottom, wild, rules.rows, rules.connect) >= -1


def test_what_the_table_says_of_a_child_settles_a_node_only_above_the_question():
    bits = STANDARD.columns * (STANDARD.rows + 1)
    near, far = near_bits(bits), far_bits(bits, 0)
    shape = Shape(7, 6, 4, STANDARD.bottom, wild_rows(7, 6), near, far, BUCKET << far, 8)
    table, stack = empty_table(bits, 0), np.zeros(stack_words(7, 6), np.int64)
    memory, frames = address_of(table), address_of(stack)
    child = Board.from_moves("4")
    stack[RANKS : RANKS + 7] = TRIED
    stack[[RANKS + 3, RANKS + shape.lanes + 3]] = 3, 0b1000_0001
    put(memory, *place_of(child.own, child.own | child.opp, 1, shape), -18, -5, 1)
    known = {alpha: known_move(memory, frames, 0, 0, child.own, 0, alpha, shape) for alpha in (3, 4, 5, 6)}
    assert known == {3: 5, 4: 5, 5: OPEN, 6: OPEN}


@pytest.mark.parametrize(("ply", "same"), [(1, True), (21, True), (22, False)])
def test_mirror_images_share_a_place_in_the_far_table_alone(ply, same):
    bits = STANDARD.columns * (STANDARD.rows + 1)
    shape = Shape(
        7, 6, 4, STANDARD.bottom, wild_rows(7, 6), near_bits(bits), far_bits(bits, 1), near_start(bits, 1, 0), 8
    )
    board = Board.from_moves("4453")
    places = [place_of(each.own, each.own | each.opp, ply, shape) for each in (board, board.mirror())]
    assert (places[0] == places[1]) is same
