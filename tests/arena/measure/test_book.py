import multiprocessing
import threading
import time
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest
from slow_solver import SlowSolver

from agents.board import Rules
from agents.errors import InputError
from agents.solver.book import enumerate_positions, read_book
from agents.solver.solver import Solver
from arena.measure import book
from arena.measure.book import UNKNOWN, BookPlan, build_book, finish_book, open_state

RULES = Rules(4, 4)
PLIES = 6


@pytest.fixture
def plan(tmp_path):
    return BookPlan(tmp_path / "state", RULES, PLIES, "scores", 1)


def right_scores():
    slow, last = SlowSolver(RULES), enumerate_positions(RULES, PLIES)[-1]
    return [slow.score(own, opp) for own, opp in zip(last.own.tolist(), last.opp.tolist(), strict=True)]


def test_a_book_built_in_threads_that_share_a_table_holds_the_right_scores(plan, tmp_path):
    progress = list(build_book(plan, threads=2))
    count = len(enumerate_positions(RULES, PLIES)[-1])
    assert progress[0] == (0, count)
    assert progress[-1] == (count, count)
    finish_book(plan, tmp_path / "book")
    assert read_book(tmp_path / "book").values[-1].tolist() == right_scores()


def test_a_state_with_values_that_cannot_be_is_refused(plan):
    open_state(plan)[3] = 77
    with pytest.raises(InputError, match="is damaged: it holds scores that no position has"):
        open_state(plan)


def test_two_runs_that_begin_at_once_share_a_state(plan, tmp_path):
    (tmp_path / "state.new").write_text("somebody's own")
    with ThreadPool(4) as pool:
        states = pool.map(lambda _: open_state(plan), range(4))
    states[0][5] = 1
    assert [state[5] for state in states] == [1] * 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state", "state.new"]


@pytest.mark.parametrize("plies", [-1, 11])
def test_a_book_has_no_plies_to_ten(plies, tmp_path):
    assert [BookPlan(tmp_path / "state", RULES, number).plies for number in (0, 10)] == [0, 10]
    with pytest.raises(InputError, match=f"a book has at most 10 plies, not {plies}"):
        BookPlan(tmp_path / "state", RULES, plies)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "."], "the book . cannot be written"),
        (["--out", "none/such.book"], "cannot be written"),
        (["--out", "a.book", "--state", "a.book"], "book and state are both a.book"),
        (["--values", "a.book"], "--values needs --scores"),
        (["--plies", "11"], "a book has at most 10 plies, not 11"),
    ],
)
def test_what_would_be_lost_is_refused_before_anything_is_solved(arena, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.book").write_text("precious")
    result = arena("book", "--board", "4x4", "--plies", 2, *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]
    assert (tmp_path / "a.book").read_text() == "precious"


def test_the_command_builds_a_book_of_scores_with_a_hint(arena, tmp_path):
    words = ["--board", "4x4", "--plies", 4, "--table", 1, "-q"]
    assert arena("book", *words, "--out", tmp_path / "weak").code == 0
    done = arena("book", *words, "--scores", "--values", tmp_path / "weak", "--out", tmp_path / "strong")
    assert done.code == 0
    assert (read_book(tmp_path / "weak").kind, read_book(tmp_path / "strong").kind) == ("values", "scores")
    signs = np.sign(read_book(tmp_path / "strong").values[-1])
    assert signs.tolist() == read_book(tmp_path / "weak").values[-1].tolist()


def test_what_is_known_is_not_solved_again(plan):
    values = open_state(plan)
    values[:] = 5
    values[[2, 5]] = UNKNOWN
    first, *_ = build_book(plan)
    assert first == (len(values) - 2, len(values))
    right = right_scores()
    assert [values[2], values[5]] == [right[2], right[5]]
    assert np.count_nonzero(values == 5) == len(values) - 2


def build(plan):
    for _ in build_book(plan):
        pass


def test_a_build_that_is_killed_goes_on_where_it_was(plan):
    process = multiprocessing.get_context("spawn").Process(target=build, args=(plan,))
    process.start()
    while not plan.state.exists() or (open_state(plan) == UNKNOWN).all():
        time.sleep(0.01)
    process.kill()
    process.join()
    known = np.array(open_state(plan))
    for _ in build_book(plan):
        pass
    assert open_state(plan).tolist() == right_scores()
    assert all(value in (UNKNOWN, right) for value, right in zip(known, right_scores(), strict=True))


def test_a_finished_book_of_values_helps_with_the_scores(plan, tmp_path, monkeypatch):
    weak = BookPlan(tmp_path / "weak", RULES, PLIES, "values", 1)
    build(weak)
    finish_book(weak, tmp_path / "values")
    solvers = []
    monkeypatch.setattr(book, "Solver", lambda *words: solvers.append(Solver(*words)) or solvers[0])
    hinted = BookPlan(plan.state, RULES, PLIES, "scores", 1, tmp_path / "values")
    build(hinted)
    assert open_state(hinted).tolist() == right_scores()
    assert solvers[0].book.kind == "values"


def test_a_hint_for_another_board_or_of_scores_is_refused(plan, tmp_path):
    build(plan)
    finish_book(plan, tmp_path / "scores")
    with pytest.raises(InputError, match="a book of scores for 4x4x4, not of values for 4x4x4"):
        build(BookPlan(tmp_path / "other", RULES, PLIES, "scores", 1, tmp_path / "scores"))


def test_stopping_a_build_stops_its_threads(plan):
    threads = threading.active_count()
    progress = build_book(plan, threads=2)
    next(progress)
    next(progress)
    progress.close()
    while threading.active_count() > threads:
        time.sleep(0.01)
    known = np.array(open_state(plan))
    assert all(value in (UNKNOWN, right) for value, right in zip(known, right_scores(), strict=True))


def test_an_unfinished_book_is_not_written(plan, tmp_path):
    open_state(plan)[:3] = 0
    with pytest.raises(InputError, match="not solved yet"):
        finish_book(plan, tmp_path / "book")
    assert not (tmp_path / "book").exists()


def test_the_state_of_another_book_is_refused(plan, tmp_path):
    open_state(plan)
    with pytest.raises(InputError, match="not the state of this book, 4x4x4 6 values, but of 4x4x4 6 scores"):
        open_state(BookPlan(plan.state, RULES, PLIES, "values", 1))
    plan.state.write_bytes(plan.state.read_bytes()[:-1])
    with pytest.raises(InputError, match="not the state of this book"):
        open_state(plan)


def test_a_book_of_an_unknown_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match="values or scores"):
        BookPlan(tmp_path / "state", kind="hopes")
