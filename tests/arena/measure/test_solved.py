import threading

import pytest

from agents.board import Board
from agents.errors import InputError
from agents.solver.solver import Solver, Stopped
from arena.measure.solve import solved_in_order

LATE = "162763511717327445577335341162225"


def test_a_position_is_told_before_the_next_one_is_known():
    heard = threading.Event()

    def typed():
        yield Board.from_moves(LATE)
        assert heard.wait(60)
        yield Board.from_moves(LATE[:-1])

    rows = []
    solved_in_order(Solver(mebibytes=1), 2, typed(), lambda _, row: (rows.append(row), heard.set()))
    assert [row.position for row in rows] == [LATE, LATE[:-1]]


def test_what_goes_wrong_in_telling_ends_the_work():
    boards = (Board.from_moves(LATE) for _ in range(1_000_000))

    def tell(*_):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        solved_in_order(Solver(mebibytes=1), 2, boards, tell)
    assert next(boards)


def test_ctrl_c_stops_the_solvers():
    def boards():
        yield Board.from_moves("4")
        raise KeyboardInterrupt

    solver, rows = Solver(mebibytes=1), []
    with pytest.raises(KeyboardInterrupt):
        solved_in_order(solver, 2, boards(), lambda *row: rows.append(row))
    assert rows == []
    with pytest.raises(Stopped):
        solver.score_of(Board.from_moves("4"))


def test_a_mistake_in_a_later_line_is_raised_after_the_earlier_ones_were_told():
    def boards():
        yield Board.from_moves(LATE)
        raise InputError("line 2: no")

    rows = []
    with pytest.raises(InputError, match="line 2: no"):
        solved_in_order(Solver(mebibytes=1), 1, boards(), lambda *row: rows.append(row))
    assert len(rows) == 1
