import random
import threading
import time
from pathlib import Path

import pytest
from slow_solver import MIDDLE, SOLVED, SlowSolver, careful_board

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.solver.search import build
from agents.solver.solver import Solver, Stopped

from .few import few_of

PONS = Path(__file__).parents[4] / "shared" / "positions"
SMALL = 1
"""Mebibytes of table."""
BOARDS = [Rules(4, 4), Rules(5, 4), Rules(4, 5), Rules(5, 4, 3), Rules(6, 3, 5), Rules(3, 3, 2), Rules(2, 9)]
"""Boards small enough for the slow solver, even and odd in rows and columns."""


@pytest.fixture(scope="module")
def solvers():
    """A solver for each board, compiled once."""
    by_rules = {}
    return lambda rules: by_rules.setdefault(rules, Solver(rules, SMALL))


def published(name, number):
    path = PONS / f"{name}.txt"
    if not path.exists():
        pytest.skip("the published positions are not here")
    rows = [line.split() for line in path.read_text().splitlines()[:number]]
    return [(Board.from_moves(moves), int(score)) for moves, score in rows]


def sign(score):
    return (score > 0) - (score < 0)


@pytest.mark.parametrize("rules", few_of(SOLVED), ids=str)
def test_positions_solved_by_another_solver_get_the_same_score_and_outcome(rules, solvers):
    solver = solvers(rules)
    for board, score in SOLVED[rules][: None if JIT else 12]:
        assert solver.outcome_of(board) == sign(score), board.text
        assert solver.score_of(board) == score, board.text


@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_a_bound_at_the_very_question_settles_nothing():
    """The slow solver found these scores; with `>=` in `enhanced_cutoff` each of them comes out wrong."""
    nodes, outcomes = 0, 0
    for moves, score in MIDDLE.items():
        solver, board = Solver(STANDARD, SMALL), Board.from_moves(moves)
        assert solver.score_of(board) == score, moves
        nodes += solver.nodes
        solver.forget()
        before = solver.nodes
        solver.outcome_of(board)
        outcomes += solver.nodes - before
    assert (nodes, outcomes) == (51252, 37474)  # as it computed them: every rank, margin and bound counts


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


@pytest.mark.parametrize("rules", few_of(BOARDS), ids=str)
def test_every_question_of_a_game_is_answered_as_a_slow_solver_does(rules, solvers):
    solver, slow, chance = solvers(rules), SlowSolver(rules), random.Random(7)
    cells = rules.columns * rules.rows
    for _ in range(30 if JIT else 6):
        board = careful_board(rules, chance.randrange(max(0, cells - 16), cells), chance)
        if board is None:
            continue
        score = slow.score(board.own, board.opp)
        assert solver.score_of(board) == score
        assert solver.outcome_of(board) == sign(score)
        columns = solver.column_scores(board.own, board.opp)
        assert max(value for value in columns if value is not None) == score
        assert solver.column_scores(board.own, board.opp, weak=True) == tuple(
            None if value is None else sign(value) for value in columns
        )
        for column in board.legal_moves():
            child = board.play(column)
            expected = -slow.score(child.own, child.opp) if child.outcome is None else columns[column]
            assert columns[column] == expected


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
    small = Board.from_moves("112233", Rules(4, 4))
    at_once = [solvers(small.rules).column_scores(small.own, small.opp, weak=weak)[3] for weak in (False, True)]
    assert at_once == [5, 1]


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
    solver.resume()
    for board, score in SOLVED[STANDARD][:5]:
        assert solver.score_of(board) == score


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_search_is_compiled_for_one_type_of_its_parameters():
    """If it passed itself a literal, numba would compile a second function, which its cache on disk does not hold."""
    negamax = build(7, 6, 4).py_func.__globals__["negamax"]
    assert len(negamax.nopython_signatures) == 1
