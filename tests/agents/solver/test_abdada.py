"""What threads that solve one position together tell each other, word by word."""

import functools

import numpy as np
import pytest
from as_python import as_python
from slow_solver import SOLVED, SlowSolver

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import copy_with
from agents.solver import abdada
from agents.solver.abdada import PLIES, SHARED_PLIES
from agents.solver.claimeven import wild_rows
from agents.solver.node import (
    BUCKET,
    RANKS,
    REMAINDER,
    SHARED,
    STOPPED,
    THREAD,
    THREADS,
    TRIED,
    Shape,
    empty_memory,
    frame_of,
    safe_moves,
)
from agents.solver.solver import Stopped
from agents.solver.table import BUCKET as BUCKET_WORDS
from agents.solver.table import empty_table, store

from .few import python_solver

SHAPE = Shape(*STANDARD.size, STANDARD.bottom, wild_rows(7, 6), 13, 13, 1 << 16, 8)
GAME = [Board.from_moves("4453621"[:ply]) for ply in range(8)]


def part(name):
    """Return a function of the module as plain Python."""
    return as_python(getattr(abdada, name))


def place(ply):
    return as_python(frame_of)(ply, SHAPE)


def memory(thread, threads=3, shared=5):
    words = empty_memory(7, 6)
    words[[THREAD, THREADS, SHARED]] = thread, threads, shared
    return words


def number(board):
    return part("number_of")(board.own, board.own | board.opp, SHAPE)


@pytest.fixture
def searching():
    return np.zeros(3 * PLIES, np.int64)


def enter(searching, thread, ply, bucket=-1, remainder=0):
    words, board = memory(thread), GAME[ply]
    part("enter")(words, searching, board.own, board.opp, ply, bucket, remainder, SHAPE)
    return words


def test_a_position_and_its_mirror_image_have_one_number_and_others_have_others():
    boards = [*GAME, Board.from_moves("1"), Board.from_moves("12"), Board.from_moves("4453612")]
    assert [number(board) for board in boards] == [number(board.mirror()) for board in boards]
    assert len({number(board) for board in boards}) == len(boards)
    assert min(number(board) for board in boards) >= 0


def test_a_thread_notes_the_positions_that_it_searches_in_its_row_until_it_leaves_them(searching):
    for ply in range(5):
        words = enter(searching, 1, ply, 8 * ply, 70 + ply)
        assert words[[place(ply) + BUCKET, place(ply) + REMAINDER]].tolist() == [8 * ply, 70 + ply]
    expected = np.zeros_like(searching)
    expected[PLIES : PLIES + 5] = [number(board) for board in GAME[:5]]
    assert (searching == expected).all()
    elsewhere = part("is_elsewhere")
    assert [elsewhere(memory(thread), searching, 2, number(GAME[2])) for thread in range(3)] == [True, False, True]
    assert not elsewhere(memory(0), searching, 3, number(GAME[2]))
    assert not elsewhere(memory(0, threads=1), searching, 2, number(GAME[2]))
    assert part("leave")(empty_table(49, 0), words, searching, 4, 7, 3, SHAPE) == 7
    assert searching[PLIES + 4] == 0
    assert (searching[: PLIES + 4] == expected[: PLIES + 4]).all()


def test_the_table_settles_a_position_where_a_bound_does(searching):
    table = empty_table(49, 0)
    as_python(store)(table, 8, 77, -3, 4, 5)
    expected = [-3, -3, STOPPED, STOPPED, 4, 4]
    for bucket, remainder, values in ((8, 77, expected), (8, 78, [STOPPED] * 6), (-1, 77, [STOPPED] * 6)):
        words = enter(searching, 0, 3, bucket, remainder)
        alphas = (-5, -4, -3, 3, 4, 5)
        assert [part("settled")(table, words, 3, alpha, SHAPE) for alpha in alphas] == values
        stopped = [part("leave")(table, words, searching, 3, STOPPED, alpha, SHAPE) for alpha in alphas]
        assert stopped == values


@pytest.mark.parametrize(("plies", "bounds", "alphas"), [(0, (-3, 4), range(-3, 4)), (1, (-3, 4), range(-4, 3))])
def test_a_path_is_settled_if_the_table_settles_a_position_of_it_with_its_own_alpha(plies, bounds, alphas):
    table, root = empty_table(49, 0), 3
    as_python(store)(table, 8, 77, *bounds, 5)
    words = memory(0, shared=root + SHARED_PLIES)
    for ply in range(8):
        words[place(ply) + BUCKET] = -1
    words[[place(7 - plies) + BUCKET, place(7 - plies) + REMAINDER]] = 8, 77
    unsettled = [alpha for alpha in range(-8, 8) if not part("is_path_settled")(table, words, 7, alpha, SHAPE)]
    assert unsettled == list(alphas)
    words[SHARED] = 8 - plies + SHARED_PLIES  # the position is above the root
    assert not part("is_path_settled")(table, words, 7, 9, SHAPE)


@pytest.mark.parametrize(
    ("elsewhere", "shared", "column"),
    [
        ((), 9, 3),
        ((3,), 9, 2),
        ((3, 2), 9, 5),
        ((3, 2, 5), 9, 3),  # others search all of them
        ((3,), 3, 3),  # the next ply is not shared
        ((3,), 4, 2),
    ],
)
def test_moves_to_what_others_search_are_postponed(elsewhere, shared, column):
    board, ranks = GAME[2], {3: 9 << 12 | 6 - 3, 2: 5 << 12 | 6 - 2, 5: 1 << 12 | 6 - 5}
    words, searching = memory(0, threads=4, shared=shared), np.zeros(4 * PLIES, np.int64)
    for thread, other in enumerate(elsewhere, 1):
        searching[thread * PLIES + 3] = number(board.play(other))
    words[place(2) + RANKS : place(2) + RANKS + 7] = [ranks.get(column, TRIED) for column in range(7)]
    arguments = words, searching, board.own, board.opp, 2
    assert part("free_rank")(*arguments, ranks[3], SHAPE) == ranks[column]
    words[place(2) + RANKS : place(2) + RANKS + 7] = TRIED
    assert part("free_rank")(*arguments, TRIED, SHAPE) == TRIED


def left(board):
    return board.rules.columns * board.rules.rows - board.ply


slow_solver = functools.cache(SlowSolver)

CLOSE = [
    next((board, score) for board, score in SOLVED[rules] if score == wanted and 11 <= left(board) <= 13)
    for rules in (Rules(4, 4), Rules(5, 4), Rules(5, 5, 3)) for wanted in (-2, -1, 0, 1, 2)
    if any(score == wanted and 11 <= left(board) <= 13 for board, score in SOLVED[rules])
]  # fmt: skip


@pytest.mark.parametrize("every", [2, 5])
@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize(("board", "score"), CLOSE, ids=lambda value: getattr(value, "text", None))
def test_a_search_goes_back_to_whatever_position_another_thread_has_settled(monkeypatch, board, score, every, loses):
    """The other thread is played here: every so many moves it stores the score of a position on the path.

    With `loses` the table has lost every second one when the search gets there.
    """
    rules, slow = board.rules, slow_solver(board.rules)
    solver = python_solver(rules, monkeypatch)
    solver.control[[THREAD, THREADS]] = 1, 2
    solver._arrays = (*solver._arrays[:2], np.zeros(2 * PLIES, np.int64))
    solver._addresses = solver._arrays
    path, answers, stored, went_back = {}, {}, [], []
    entered, is_settled, left_with = map(part, ("enter", "is_path_settled", "leave"))

    def enter(m, searching, own, opp, ply, bucket, remainder, shape):
        path[ply], answers[ply] = (own, opp, bucket, remainder), False
        entered(m, searching, own, opp, ply, bucket, remainder, shape)

    def is_path_settled(table, m, ply, alpha, shape):
        """Check what the thread notes of its path; settle a position of it."""
        is_path_settled.moves += 1
        assert m[SHARED] == board.ply + SHARED_PLIES
        numbers = [
            part("number_of")(own, own | opp, shape) for own, opp, *_ in (path[at] for at in range(board.ply, ply + 1))
        ]
        row = solver._arrays[2].reshape(2, PLIES)[1].tolist()
        assert row == [0] * board.ply + numbers + [0] * (PLIES - ply - 1)
        own, opp, bucket, remainder = path[board.ply + is_path_settled.moves // every % (ply + 1 - board.ply)]
        if is_path_settled.moves % every or bucket < 0:
            answers[ply] = is_settled(table, m, ply, alpha, shape)
            return answers[ply]
        exact = slow.score(own, opp)
        bounds = ((exact, exact), (exact - 2, 8), (-8, exact + 2), (exact - 1, 9), (-9, exact + 1))[len(stored) % 5]
        as_python(store)(table, bucket, remainder, *bounds, 9)
        stored.append(bucket)
        answers[ply] = is_settled(table, m, ply, alpha, shape)
        if answers[ply] and loses and len(stored) % 2:
            table[bucket : bucket + BUCKET_WORDS] = 0
        return answers[ply]

    def leave(table, m, searching, ply, value, alpha, shape):
        went_back.append(value == STOPPED)
        assert value == STOPPED or not answers[ply]
        return left_with(table, m, searching, ply, value, alpha, shape)

    is_path_settled.moves = 0
    plain = solver._solve.__globals__["negamax"]
    negamax = copy_with(plain, enter=enter, is_path_settled=is_path_settled, leave=leave)
    solver._solve = copy_with(solver._solve, negamax=negamax)
    assert solver.score_of(board) == score
    for limit in range(score - 3, score + 3):
        solver.forget()
        assert (solver.within(board.own, board.opp, limit, limit + 1) > limit) == (score > limit)
        assert not solver._arrays[2].any()
    assert every > 2 or (stored and any(went_back))
    solver.forget()
    solver.allow(2)
    with pytest.raises(Stopped):
        solver.score_of(board)
    assert not solver._arrays[2].any()


def test_safe_moves_stop_what_wins_and_lay_no_cell_below_it():
    moves, cells = as_python(safe_moves), STANDARD.bottom
    assert moves(cells, 0) == cells
    assert moves(cells, 1 << 7) == 1 << 7  # it must be stopped
    assert moves(cells, 1 << 7 | 1) == 0  # two cannot
    assert moves(cells, 1 << 8) == cells & ~(1 << 7)  # a disc below it would make it playable
    assert moves(cells, 1 << 7 | 1 << 8) == 0
    assert moves(cells, 1 << 7 | 1 << 15) == 1 << 7
