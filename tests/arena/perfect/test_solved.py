import threading
import time

import pytest

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.solver.book import shipped_book
from agents.solver.solver import Solver, Stopped
from arena.perfect import solved as module
from arena.perfect.solved import solved, solved_in_order

whole = module._Reports
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


def test_what_went_wrong_in_telling_is_raised_before_a_mistake_in_a_later_line():
    late = threading.Event()

    def boards():
        yield Board.from_moves(LATE)
        late.set()
        raise InputError("line 2: no")

    def tell(*_):
        assert late.wait(10)
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        solved_in_order(Solver(mebibytes=1), 1, boards(), tell)


def test_no_more_lines_are_waited_for_once_nothing_can_be_told(monkeypatch):
    made, taken = [], []
    monkeypatch.setattr(module, "_Reports", lambda report: made.append(whole(report)) or made[0])

    def typed():
        yield Board.from_moves(LATE)
        for number in range(20):
            for _ in range(2000):
                if made[0].broken:
                    break
                time.sleep(0.001)
            taken.append(number)
            yield Board.from_moves(LATE)

    def tell(*_):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        solved_in_order(Solver(mebibytes=1), 1, typed(), tell)
    assert len(taken) <= 1


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


class Workers:
    """Stands for a cluster: answers each batch in this thread, later batches and later positions first."""

    def __init__(self):
        self.asked = []

    def each(self, function, batches, *given):
        batches = [*batches]
        self.asked.append((*given[:3], [len(batch) for batch in batches]))
        for batch in reversed(batches):
            yield [*reversed(function(*given, batch))]


SMALL = Rules(5, 4)
MOVES = [f"{one}{two}{three}234" for one in range(1, 5) for two in (1, 2, 5) for three in (4, 2)]


def told(threads, solver=None, **asked):
    """Return what is told of positions of a small board, without times; nodes depend on what was solved before."""
    rows = []
    boards = [Board.from_moves(moves, SMALL) for moves in MOVES]
    solver = Solver(SMALL, mebibytes=1) if solver is None else solver
    solved_in_order(solver, threads, boards, lambda board, row: rows.append((board.text, row)), **asked)
    assert all(row.nodes > 0 < row.seconds or row.nodes == 0 for _, row in rows)
    return [(moves, row.position, row.score, row.outcome, row.columns) for moves, row in rows]


@pytest.mark.parametrize("columns", [True, False])
def test_a_cluster_tells_in_order_what_threads_tell(columns):
    workers = Workers()
    found = told(workers, columns=columns)
    assert found == told(1, columns=columns)
    assert workers.asked == [(SMALL, 1, False, [16, 8])]
    solver = Solver(SMALL, mebibytes=1)
    for moves, position, score, outcome, worth in found:
        board = Board.from_moves(moves, SMALL)
        exact = solver.score_of(board)
        sign = (exact > 0) - (exact < 0)
        assert (position, score, outcome) == (moves, exact, ("draw", "win", "loss")[sign])
        expected = solver.column_scores(board.own, board.opp) if columns else None
        assert worth == (None if expected is None else tuple(expected))
    assert len({row[2] for row in found}) > 2


@pytest.mark.parametrize("threads", [1, Workers()], ids=["threads", "cluster"])
def test_a_position_that_comes_again_is_told_each_time(threads):
    late = [Board.from_moves(LATE), *[Board.from_moves(LATE[:-1])] * 2]
    rows = []
    solved_in_order(Solver(mebibytes=1), threads, late, lambda board, row: rows.append((board.text, row.position)))
    assert rows == [(board.text, board.text) for board in late]


def test_workers_of_a_cluster_use_the_book_that_the_solver_has():
    solver, workers = Solver(STANDARD, mebibytes=1, book=shipped_book(STANDARD)), Workers()
    rows = []
    boards = [Board.from_moves(moves) for moves in ("4", "44", "")]
    solved_in_order(solver, workers, boards, lambda board, row: rows.append((board.text, row.outcome, row.nodes)))
    assert workers.asked == [(STANDARD, 1, True, [3])]
    assert [(text, outcome) for text, outcome, _ in rows] == [("4", "loss"), ("44", "win"), ("", "win")]
    assert sum(nodes for *_, nodes in rows) < 100


def test_a_thread_of_a_worker_keeps_its_solver_with_the_book_or_without():
    module._kept.cache_clear()
    kept = [module._kept(STANDARD, 1, booked, thread) for booked, thread in
            ((True, 1), (False, 1), (True, 2), (True, 1))]  # fmt: skip
    assert [solver.book is not None for solver in kept] == [True, False, True, True]
    assert kept[0] is kept[3]
    assert len({id(solver) for solver in kept}) == 3
    assert {(solver.rules, solver.mebibytes) for solver in kept} == {(STANDARD, 1)}
    board = Board.from_moves(LATE)
    answered = module.answers_there(STANDARD, 1, False, lambda solver, each: (solver.book, each.text), [board] * 2)
    assert answered == [(board, (None, LATE))] * 2
    module._kept.cache_clear()


def test_the_nodes_and_seconds_of_a_position_are_its_own(monkeypatch):
    clock = iter([10.0, 10.25, 20.0, 20.5])
    monkeypatch.setattr(module.time, "perf_counter", lambda: next(clock))
    solver = Solver(SMALL, mebibytes=1)
    first = solved(solver, Board.from_moves("12", SMALL), columns=True)
    whole = solver.nodes
    second = solved(solver, Board.from_moves("11", SMALL))
    assert (first.seconds, second.seconds, second.columns) == (0.25, 0.5, None)
    assert 0 < first.nodes < whole  # the columns are scored afterwards
    assert second.nodes == solver.nodes - whole


def test_a_game_that_is_over_is_not_solved():
    with pytest.raises(InputError, match=r"^position '1212121': the game is already over \(first player won\)$"):
        solved(Solver(mebibytes=1), Board.from_moves("1212121"))
    for threads in (1, Workers()):
        with pytest.raises(InputError, match="the game is already over"):
            solved_in_order(Solver(mebibytes=1), threads, [Board.from_moves("1212121")], lambda *_: None)


def test_what_goes_wrong_first_is_raised_and_nothing_is_told_after_it():
    told, late = [], [Board.from_moves(LATE), Board.from_moves("1212121"), *[Board.from_moves(LATE)] * 3]
    with pytest.raises(InputError, match="position '1212121'"):
        solved_in_order(Solver(mebibytes=1), 2, late, lambda board, _: told.append(board.text))
    assert told == [LATE]


def test_positions_are_taken_no_further_ahead_of_those_that_were_told(monkeypatch):
    monkeypatch.setattr(module, "AHEAD", 3)
    fourth, told, ahead = threading.Event(), [], []

    def boards():
        for number in range(9):
            ahead.append(number - len(told))
            if number == 3:
                fourth.set()
            yield Board.from_moves(LATE)

    def tell(*_):
        assert fourth.wait(10)
        told.append(1)

    solved_in_order(Solver(mebibytes=1), 1, boards(), tell)
    assert (len(told), ahead[:4], max(ahead)) == (9, [0, 1, 2, 3], 3)
