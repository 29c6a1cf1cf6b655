import multiprocessing
import threading
import time
from multiprocessing.pool import ThreadPool
from types import SimpleNamespace

import numpy as np
import pytest
from slow_solver import SlowSolver

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.solver.book import enumerate_positions, read_book
from agents.solver.solver import Solver
from arena.measure import book
from arena.measure.book import UNKNOWN, BookPlan, DeepCheck, build_book, finish_book, moves_to, open_state

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
    result = arena("book", "--board", "4x4", *(() if "--plies" in words else ("--plies", 2)), *words)
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


def test_each_position_that_was_solved_is_counted_on_from_what_was_known(plan):
    values = open_state(plan)
    values[:] = 5
    values[[2, 5, 70, 71]] = UNKNOWN
    whole = len(values)
    assert list(build_book(plan)) == [(whole - left, whole) for left in (4, 3, 2, 1, 0)]
    assert list(build_book(plan, threads=2)) == [(whole, whole)]
    assert list(build_book(BookPlan(plan.state.with_name("one"), RULES, 0, "values", 1))) == [(0, 1), (1, 1)]


DEEP = ("121212343434", "111222333444", "765432176543", "117722661177", "123456712345", "777666555444")


@pytest.fixture
def deep(monkeypatch):
    """A book of six positions of 12 plies, all stored as drawn, and what each of them is worth to a stand-in."""
    boards = [Board.from_moves(moves) for moves in DEEP]
    stored = SimpleNamespace(codes=np.arange(10, 16), scores=np.zeros(6, np.int8))
    monkeypatch.setattr(book, "deep_book", lambda: stored)
    monkeypatch.setattr(book, "position_of", lambda code: (boards[code - 10].own, boards[code - 10].opp))
    worth = {(board.own, board.opp): place % 3 - 1 for place, board in enumerate(boards)}
    monkeypatch.setattr(Solver, "score", lambda self, own, opp: worth[own, opp])
    return boards


def test_only_what_was_solved_otherwise_is_wrong_in_the_deep_book(deep, tmp_path):
    state = tmp_path / "state"
    checked = DeepCheck(state, mebibytes=1)
    assert state.read_bytes() == b"connect4-arena book in progress 7x6x4 12 scores\n" + bytes([128] * 6)
    assert checked.wrong() == []
    steps = checked.run(1)
    assert [next(steps) for _ in range(3)] == [(0, 6), (1, 6), (2, 6)]
    steps.close()
    done = np.array(np.memmap(state, np.int8, "r"))[-6:] != UNKNOWN
    assert 2 <= done.sum() <= 6
    assert len(checked.wrong()) == sum(done[[0, 2, 3, 5]])
    again = DeepCheck(state, mebibytes=1)
    assert list(again.run(1)) == [(known, 6) for known in range(done.sum(), 7)]
    found = again.wrong()
    assert [(each.stored, each.solved) for each in found] == [(0, -1), (0, 1), (0, -1), (0, 1)]
    for each, board in zip(found, [deep[0], deep[2], deep[3], deep[5]], strict=True):
        reached = Board.from_moves(each.position)
        assert (reached.own, reached.opp) == (board.own, board.opp)
        assert str(each) == f"{each.position}: 0 is stored, {each.solved} is true"


def test_the_deep_book_is_checked_without_a_book_and_with_a_table_of_the_size_asked_for(deep, tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(book, "Solver", lambda *words: given.append(words) or Solver(words[0], 1))
    assert len(list(DeepCheck(tmp_path / "state", 2, mebibytes=3).run(1))) == 3
    assert len(list(DeepCheck(tmp_path / "state", 2, mebibytes=5).run(2))) == 1
    assert given == [(STANDARD, 3), (STANDARD, 5)]


def test_a_sample_of_the_deep_book_is_drawn_by_its_seed(deep, tmp_path):
    places = {seed: DeepCheck(tmp_path / "state", 3, seed, 1)._places.tolist() for seed in (1, 2, 3)}
    assert all(len(each) == 3 and each == sorted(set(each)) for each in places.values())
    assert len({*map(tuple, places.values())}) > 1
    assert DeepCheck(tmp_path / "state", 3, 1, 1)._places.tolist() == places[1]
    assert DeepCheck(tmp_path / "state")._places.tolist() == [*range(6)]
    part = DeepCheck(tmp_path / "state", 3, 2, 1)
    assert list(part.run(1)) == [(known, 3) for known in range(4)]
    assert len(part.wrong()) == sum(place % 3 != 1 for place in places[2])


@pytest.mark.parametrize("moves", ["", "4", "44", "1234567", "121212", "11111122222234", "7754433", "123123123"])
def test_moves_lead_to_a_position_with_each_sides_own_discs(moves):
    board = Board.from_moves(moves)
    reached = Board.from_moves(moves_to(board.own, board.opp))
    assert (reached.own, reached.opp, reached.ply) == (board.own, board.opp, board.ply)


def test_no_moves_lead_to_what_no_game_has():
    assert moves_to(0b11, 0) == ""
    assert moves_to(0b1010101, 0b0101010) == ""


def test_a_book_of_scores_may_have_the_hint_of_its_own_board_alone(plan, tmp_path):
    other = BookPlan(tmp_path / "weak", Rules(5, 4), 2, "values", 1)
    build(other)
    finish_book(other, tmp_path / "values")
    with pytest.raises(InputError, match=r"values is a book of values for 5x4x4, not of values for 4x4x4"):
        build(BookPlan(plan.state, RULES, PLIES, "scores", 1, tmp_path / "values"))
    assert not plan.state.exists()


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
    assert [(each.rules, each.mebibytes, each.book.kind) for each in solvers] == [(RULES, 1, "values")]


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
    values = open_state(plan)
    values[:] = 0
    values[[1, 7]] = UNKNOWN
    with pytest.raises(InputError, match=rf"^2 of {len(values)} positions are not solved yet$"):
        finish_book(plan, tmp_path / "book")


def test_the_state_of_another_book_is_refused(plan, tmp_path):
    open_state(plan)
    with pytest.raises(InputError, match="not the state of this book, 4x4x4 6 values, but of 4x4x4 6 scores"):
        open_state(BookPlan(plan.state, RULES, PLIES, "values", 1))
    plan.state.write_bytes(plan.state.read_bytes()[:-1])
    for whole in (plan.state.read_bytes(), b"", b"precious\n", plan.state.read_bytes() + bytes(2)):
        plan.state.write_bytes(whole)
        with pytest.raises(InputError, match=r"state is not the state of this book, 4x4x4 6 scores$"):
            open_state(plan)
        assert plan.state.read_bytes() == whole


def test_a_book_of_an_unknown_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match="values or scores"):
        BookPlan(tmp_path / "state", kind="hopes")
