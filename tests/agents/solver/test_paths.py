"""What threads that solve one position together tell each other, word by word."""

import numpy as np
import pytest
from as_python import as_python
from scored import SOLVED
from slow_solver import SlowSolver

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import copy_with
from agents.solver import search
from agents.solver.claimeven import wild_rows
from agents.solver.node import (
    BEST,
    BUCKET,
    CONTROL_WORDS,
    NEAR_START,
    OPEN,
    OPP,
    OWN,
    PARTS,
    RANK,
    RANKS,
    REMAINDER,
    SHARED,
    THREAD,
    THREADS,
    TRIED,
    Shape,
    next_rank,
    safe_moves,
    stack_words,
)
from agents.solver.search import LEFT_PLY, PLIES, SHARED_PLIES
from agents.solver.solver import Solver, Stopped
from agents.solver.table import empty_table, near_bits, store

SHAPE = Shape(*STANDARD.size, STANDARD.bottom, wild_rows(7, 6), 13, 13, 1 << 16, 8)
GAME = [Board.from_moves("4453621"[:ply]) for ply in range(8)]


def part(name):
    """Return a function of the search as plain Python."""
    return as_python(getattr(search, name))


def control(thread, threads=3, shared=5):
    words = np.zeros(CONTROL_WORDS, np.int64)
    words[[THREAD, THREADS, SHARED]] = thread, threads, shared
    return words


def number(board):
    return part("number_of")(board.own, board.own | board.opp, SHAPE)


@pytest.fixture
def path():
    return np.zeros(3 * PLIES, np.int64)


def published(path, thread, plies):
    for ply in plies:
        part("publish")(control(thread), path, GAME[ply].own, GAME[ply].opp, ply, SHAPE)


@pytest.mark.parametrize(("threads", "root", "shared"), [(1, 3, 0), (2, 3, 3 + SHARED_PLIES), (4, 60, LEFT_PLY)])
def test_threads_share_the_first_plies_and_one_alone_none(threads, root, shared):
    words = control(0, threads, 7)
    part("share")(words, root)
    assert words[SHARED] == shared


def test_a_position_and_its_mirror_image_have_one_number_and_others_have_others():
    boards = [*GAME, Board.from_moves("1"), Board.from_moves("12"), Board.from_moves("4453612")]
    assert [number(board) for board in boards] == [number(board.mirror()) for board in boards]
    assert len({number(board) for board in boards}) == len(boards)
    assert min(number(board) for board in boards) >= 0


def test_positions_are_published_in_the_row_of_their_thread_while_plies_are_shared(path):
    published(path, 1, range(7))
    expected = np.zeros_like(path)
    expected[PLIES : PLIES + 5] = [number(board) for board in GAME[:5]]
    assert (path == expected).all()
    assert [part("is_elsewhere")(control(thread), path, 2, number(GAME[2])) for thread in range(3)] == [
        True,
        False,
        True,
    ]
    assert not part("is_elsewhere")(control(0), path, 3, number(GAME[2]))
    assert not part("is_elsewhere")(control(0, threads=1), path, 2, number(GAME[2]))


def test_who_leaves_a_position_tells_those_below_it_the_lowest_ply(path):
    for thread in range(3):
        published(path, thread, range(1, 5))
    part("publish")(control(2), path, GAME[6].own, GAME[6].opp, 3, SHAPE)  # the third thread went elsewhere there
    part("unpublish")(control(0), path, 3, 6)
    rows = path.reshape(3, PLIES)
    assert rows[0, :6].tolist() == [0, number(GAME[1]), number(GAME[2]), 0, 0, 0]
    assert rows[:, LEFT_PLY].tolist() == [0, 3, 4]
    part("unpublish")(control(0), path, 2, 2)
    assert rows[:, LEFT_PLY].tolist() == [0, 2, 2]
    part("unpublish")(control(1), path, 4, 4)
    assert rows[:, LEFT_PLY].tolist() == [0, 2, 2]  # the third has left a lower one, too
    assert [part("take_left_ply")(control(thread), path) for thread in (1, 1, 2, 0)] == [2, 0, 2, 0]
    assert not rows[:, LEFT_PLY].any()


def test_the_table_settles_a_position_that_was_left_where_a_bound_does(path):
    table, stack = empty_table(49, 0), np.zeros(stack_words(7, 6), np.int64)
    as_python(store)(table, 8, 77, -3, 4, 5)
    stack[[BUCKET, REMAINDER]] = 8, 77
    ask = [part("settled")(table, stack, 0, alpha) for alpha in (-5, -4, -3, 3, 4, 5)]
    assert ask == [-3, -3, OPEN, OPEN, 4, 4]
    stack[REMAINDER] = 78
    assert part("settled")(table, stack, 0, 9) == OPEN
    stack[[BUCKET, REMAINDER]] = -1, 77
    assert part("settled")(table, stack, 0, 9) == OPEN


@pytest.mark.parametrize(
    ("best", "elsewhere", "shared", "column"),
    [
        (OPEN, (), 9, 3),  # the first move is never deferred
        (OPEN, (3,), 9, 3),
        (0, (3,), 9, 2),
        (0, (3, 2), 9, 5),
        (0, (3, 2, 5), 9, 3),  # all are on the paths of others
        (0, (3,), 2, 3),  # this ply is not shared
    ],
)
def test_moves_on_the_path_of_others_are_deferred(path, best, elsewhere, shared, column):
    stack, board = np.zeros(stack_words(7, 6), np.int64), GAME[2]
    stack[RANKS : RANKS + 7] = TRIED
    ranks = {3: 9 << 12 | 6 - 3, 2: 5 << 12 | 6 - 2, 5: 1 << 12 | 6 - 5}
    for place, rank in ranks.items():
        stack[RANKS + place] = rank
    stack[[OWN, OPP, BEST, RANK]] = board.own, board.opp, best, ranks[3]
    for thread, place in enumerate(elsewhere):
        child = board.play(place)
        path[(thread % 2 + 1) * PLIES + 3] = number(child)
        if thread == 2:
            path[2 * PLIES + 3] = number(board.play(elsewhere[1]))
            other = np.zeros(PLIES, np.int64)
            other[3] = number(board.play(elsewhere[2]))
            path = np.concatenate([path, other])
            path[PLIES + 3] = number(board.play(elsewhere[0]))
    words = control(0, threads=len(path) // PLIES, shared=shared)
    assert part("free_column")(words, path, stack, 0, 2, SHAPE) == column
    assert stack[RANK] == ranks[column]
    left = as_python(next_rank)(stack, 0, SHAPE)
    assert left == max(rank for place, rank in ranks.items() if place != column)
    assert stack[RANKS + column] == TRIED


def left(board):
    return board.rules.columns * board.rules.rows - board.ply


FOUND = [
    next((board, score) for board, score in SOLVED[rules] if score == wanted and 11 <= left(board) <= 13)
    for rules in (Rules(4, 4), Rules(5, 4), Rules(5, 5, 3)) for wanted in (-2, -1, 0, 1, 2)
    if any(score == wanted and 11 <= left(board) <= 13 for board, score in SOLVED[rules])
]  # fmt: skip


@pytest.mark.parametrize("every", [2, 5])
@pytest.mark.parametrize(("board", "score"), FOUND, ids=lambda each: getattr(each, "text", None))
def test_a_search_goes_back_to_whatever_position_another_thread_has_left(board, score, every):
    """The other thread is played here: at every so many nodes it leaves a position, whose score it has stored."""
    rules, slow = board.rules, SlowSolver(board.rules)
    solver = Solver(rules, 1)
    solver.control[[THREAD, THREADS]] = 1, 2
    shape = Shape(
        *rules.size,
        rules.bottom,
        wild_rows(*rules.size[:2]),
        near_bits(rules.columns * (rules.rows + 1)),
        solver._far,
        int(solver.control[NEAR_START]),
        8,
    )
    solver._shared_path = path = np.zeros(2 * PLIES, np.int64)
    words, store_as_python, noted = RANKS + PARTS * 8, as_python(store), []
    taken = as_python(search.take_left_ply)

    def take_left_ply(control, shared_path):
        """Check what is published of the path; leave a position."""
        nodes, here = take_left_ply.nodes, board.ply
        take_left_ply.nodes += 1
        published = path.reshape(2, PLIES)[1, :LEFT_PLY].tolist()
        assert control[SHARED] == min(board.ply + SHARED_PLIES, LEFT_PLY)
        assert not any(published[: board.ply])
        frames = []  # of the nodes on the path
        while here < control[SHARED] and published[here]:
            own, opp = solver._stack[[(here - board.ply) * words + OWN, (here - board.ply) * words + OPP]].tolist()
            frames.append((own, opp))
            here += 1
        for place, (own, opp) in enumerate(frames[:-1]):  # that of the last one is not written yet
            assert published[board.ply + place] == part("number_of")(own, own | opp, shape)
        if nodes % every or len(frames) < 2:
            return taken(control, shared_path)
        place = nodes // every % (len(frames) - 1)
        bucket, remainder = solver._stack[[place * words + BUCKET, place * words + REMAINDER]].tolist()
        if bucket < 0:
            return taken(control, shared_path)
        known = slow.score(*frames[place])
        bounds = ((known, known), (known - 2, 8), (-8, known + 2), (known - 1, 9), (-9, known + 1))[len(noted) % 5]
        store_as_python(solver._table, bucket, remainder, *bounds, 9)
        noted.append(place)
        path[PLIES + LEFT_PLY] = board.ply + place
        return taken(control, shared_path)

    take_left_ply.nodes = 0
    plain = as_python(solver._solve)
    solver._solve = copy_with(plain, search=copy_with(plain.__globals__["search"], take_left_ply=take_left_ply))
    assert solver.score_of(board) == score
    assert solver.nodes == take_left_ply.nodes
    for limit in range(score - 3, score + 3):
        solver.forget()
        assert (solver.within(board.own, board.opp, limit, limit + 1) > limit) == (score > limit)
        assert not path.any()
    assert every > 2 or noted
    solver.forget()
    solver.allow(2)
    with pytest.raises(Stopped):
        solver.score_of(board)
    assert not path.any()


def test_safe_moves_stop_what_wins_and_lay_no_cell_below_it():
    ask, cells = as_python(safe_moves), STANDARD.bottom
    assert ask(cells, 0) == cells
    assert ask(cells, 1 << 7) == 1 << 7  # it must be stopped
    assert ask(cells, 1 << 7 | 1) == 0  # two cannot
    assert ask(cells, 1 << 8) == cells & ~(1 << 7)  # a disc below it would make it playable
    assert ask(cells, 1 << 7 | 1 << 8) == 0
    assert ask(cells, 1 << 7 | 1 << 15) == 1 << 7
