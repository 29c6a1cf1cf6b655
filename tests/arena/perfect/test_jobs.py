"""Jobs of perfect play as Python asks them: their threads, their bars, and what they refuse."""

import io
import json

import pytest
from tqdm import tqdm

import arena as package
from agents.board import Board, Rules
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.perfect import grade as grades
from arena.perfect import grading
from arena.perfect import solved as solving
from arena.perfect.audit import audit
from arena.perfect.exercises import default_plies, sample
from arena.perfect.grade import grade
from arena.perfect.grading import Grading
from arena.perfect.solve import solve, solve_random

SMALL = Rules(4, 4)
DRAWN = {"plies": range(4, 10), "rules": "4x4"}


@pytest.fixture
def bars():
    return []


@pytest.fixture
def progress(bars):
    """What makes a bar, of which a test then sees how far it came."""

    def bar(unit, total=None, **_):
        bars.append(tqdm(total=total, file=io.StringIO()))
        return bars[-1]

    return bar


def test_an_audit_counts_its_positions(bars, progress, unaudited):
    positions = audit(unaudited, progress=progress)
    assert [(bar.n, bar.total) for bar in bars] == [(positions, positions)]


def test_random_positions_are_counted_as_they_are_drawn_and_as_they_are_solved(bars, progress):
    steps = []

    def watched(unit, total):
        bar = progress(unit, total)
        count = bar.update
        bar.update = lambda: (steps.append((unit, bar.desc)), count())
        return bar

    solve_random(5, threads=1, progress=watched, **DRAWN)
    assert [(bar.n, bar.total) for bar in bars] == [(10, 10)]
    assert steps == [("step", "drawing: ")] * 5 + [("step", "solving: ")] * 5


def test_a_grade_counts_what_is_drawn_or_not_known_and_each_answer_of_agents_and_rungs(bars, progress, tmp_path):
    path = tmp_path / "positions.jsonl"
    rows = package.solve_random(6, threads=1, **DRAWN).to_dict("records")
    lines = [row if place < 4 else {"position": row["position"]} for place, row in enumerate(rows)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for positions, counted in ((6, 6 + 6), (path, 2)):
        grade(["random", "greedy"], positions=positions, ladder=[1, 2], progress=progress, **DRAWN)
        assert (bars[-1].n, bars[-1].total) == (counted + 4 * 6,) * 2


def test_what_is_solved_before_an_interruption_is_kept(bars, progress):
    def interrupting(unit, total=None, **_):
        bar = progress(unit, total)
        count = bar.update

        def update():
            count()
            if bar.n == 7:
                raise KeyboardInterrupt

        bar.update = update
        return bar

    found = solve_random(5, threads=1, progress=interrupting, **DRAWN)
    assert (found.interrupted, len(found.rows)) == (True, 2)


def test_the_threads_that_are_asked_for_solve(monkeypatch, unaudited):
    asked, whole = [], solving.in_threads
    monkeypatch.setattr(solving, "in_threads", lambda solver, *rest: asked.append(rest[0]) or whole(solver, *rest))
    audit(unaudited, workers=2)
    grade(["random"], positions=2, workers=3, **DRAWN)
    solve_random(2, threads=4, **DRAWN)
    monkeypatch.setattr(solving, "solved_in_order", lambda solver, threads, *_, **__: asked.append(threads))
    solve("1122", threads=5, rules="4x4")
    assert asked == [2, 3, 4, 5]


def test_the_book_of_a_board_is_left_out_where_it_is_not_wanted(monkeypatch):
    books, late = [], "162763511717327445577335341162225"
    monkeypatch.setattr("agents.solver.solver.Solver", lambda _, book: books.append(book is not None) or Solver())
    for book in (True, False):
        package.solve(late, book=book, threads=1)
    assert books == [True, False]


def test_a_grade_is_of_the_positions_of_its_seed_and_says_so():
    graded = grade(["random"], positions=3, seed=7, plies=[6], rules="4x4")
    assert [exercise.board for exercise in graded.grading.exercises] == sample(3, 7, [6], SMALL)
    assert (graded.grading.seed, graded.meta["seed"], graded.candidates) == (7, 7, 1)


def test_a_grade_hands_on_what_it_is_asked_for(monkeypatch):
    asked, specs, candidates = [], grades.specs, grading.candidates
    monkeypatch.setattr(grades, "specs", lambda *given: asked.append(given) or specs(*given))
    monkeypatch.setattr(grading, "candidates", lambda *given: asked.append(given[1:]) or candidates(*given))
    monkeypatch.setattr(Grading, "of", lambda *given, rungs: asked.append((*given[:4], rungs)) or Grading((), 1))
    monkeypatch.setattr(Grading, "grades", lambda *_: iter(()))
    options = {"depth": [2, 1], "seed": 7, "workers": 3, "isolation": {"memory": 99}, "warn": asked.append}
    grade(["alphabeta"], positions=3, plies=[6, 5], ladder=[1, 3], rules="4x4", **options)
    first = (["alphabeta"], {"memory": 99}, asked.append)
    assert asked == [first, ([2, 1], SMALL), (sample(3, 7, [6, 5], SMALL), {}, 7, 3, [1, 3])]
    asked.clear()
    grade(["alphabeta"], positions=3, rules="4x4", warn=asked.append)
    drawn = sample(3, 1, default_plies(SMALL), SMALL)
    assert asked[1:] == [([1, 2, 3, 4, 5, 6], SMALL), (drawn, {}, 1, 1, None)]


@pytest.mark.parametrize("asked", [{"seed": 7, "plies": [9, 6]}, {"seed": 3}, {}])
def test_random_positions_are_those_of_their_seed_and_plies_with_the_best_of_their_columns(asked):
    table = package.solve_random(4, rules="4x4", **asked)
    drawn = sample(4, asked.get("seed", 1), asked.get("plies") or default_plies(SMALL), SMALL)
    assert (table["position"].tolist(), table.attrs["meta"]["seed"]) == (
        [board.text for board in drawn], asked.get("seed", 1),
    )  # fmt: skip
    solved = [package.solve(board, columns=True).iloc[0] for board in drawn]
    for name in ("score", "columns"):
        assert table[name].tolist() == [row[name] for row in solved]


def test_positions_of_several_boards_are_solved_each_by_its_rules_and_have_columns_where_these_are_asked_for():
    boards = [Board.from_moves("112233", rules) for rules in (SMALL, Rules(5, 4), SMALL)]
    for columns in (True, False):
        table = package.solve(boards, columns=columns)
        assert table["score"].tolist() == [package.solve(board)["score"][0] for board in boards] == [5, 7, 5]
        assert ("columns" in table) == columns


def failing(self, candidates, agents, progress, faults):
    """Stand in for grades of agents that all fail."""
    faults.append(InputError("it broke"))
    yield from ()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: grade(["random"], plies=12), r"plies is a list, as in \[12\]"),
        (lambda: grade(["random"], seed=-1), "seed is a whole number from 0, not -1"),
        (lambda: grade(["random"], positions=2, **DRAWN), "it broke"),
        (lambda: solve_random(0), "count is a whole number from 1 to 100000000, not 0"),
        (lambda: solve_random(2, plies=12), r"plies is a list, as in \[12\]"),
        (lambda: solve_random(2, seed=-1), "seed is a whole number from 0, not -1"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(monkeypatch, ask, message):
    monkeypatch.setattr(Grading, "grades", failing)
    with pytest.raises(InputError, match=message):
        ask()


def test_what_was_audited_before_a_mistake_is_kept(monkeypatch, unaudited):
    def broken(*_):
        raise InputError("no memory")

    monkeypatch.setattr("arena.perfect.judge.audit", broken)
    with pytest.raises(InputError, match="no memory; what was audited is kept"):
        audit(unaudited)
