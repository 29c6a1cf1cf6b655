"""Bounds, refusals and draws of the measurements that no other test here comes to."""

import json
import math

import numpy as np
import pytest
from recorded import holds, plain, tried

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.measure import check, exercises, marks
from arena.measure.exercises import Exercise, default_plies, positions_from, questions, solve
from arena.measure.study.claims import Claim, Estimate
from arena.measure.tuning import weighted
from arena.measure.tuning.weighted import Family, Weighted
from arena.records import Interval

SMALL = Rules(5, 4)


@pytest.mark.parametrize("name", ["windows", "mine.py:make"])
def test_weights_of_ones_own_heuristic_may_not_look_like_a_win_compiled(monkeypatch, name):
    made, children = [], []

    def specialize(function, key, signature, *, inline, directory, **names):
        made.append((function.__name__, key, directory, names))
        return f"{function.__name__} {key}"

    monkeypatch.setattr(weighted, "specialize", specialize)
    monkeypatch.setattr(weighted, "jit", lambda inline: lambda function: function.__name__)
    monkeypatch.setattr(weighted, "address_of", lambda weights: 4711)
    monkeypatch.setattr(weighted, "_count", lambda family, unit, rules: ("count", unit, rules))
    monkeypatch.setattr(weighted.compiled, "compile_children", lambda *given: children.append(given) or "children")
    one = object.__new__(Weighted)
    one.family, one.rules, one.weights = Family(name, (), (3, 5)), SMALL, np.array([3, 5])
    found = one._compiled()
    place, bounded = 4711, ("clamped", "weighted", None, {"unbounded": "weighted 1"})
    assert made == [
        ("weighted", "0", None,
         {"WEIGHTS": place, "PLACE": 0, "count": ("count", (1, 0), SMALL), "rest": "nothing"}),
        ("weighted", "1", None,
         {"WEIGHTS": place, "PLACE": 1, "count": ("count", (0, 1), SMALL), "rest": "weighted 0"}),
        *[bounded] * (name != "windows"),
    ]  # fmt: skip
    total = "weighted 1" if name == "windows" else "clamped weighted"
    assert (found.evaluate, found.evaluate_children) == (total, "children")
    assert children == [(total, "weighted", SMALL, None)]


def test_rules_of_marks_that_are_not_there_or_no_text_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"there is no file .*rule\.toml"):
        marks.read_rule(tmp_path / "rule.toml")
    (tmp_path / "rule.toml").write_bytes(b"\xff\xfe")
    for path in (tmp_path, tmp_path / "rule.toml"):
        with pytest.raises(InputError, match=rf"^{path} is no rule of marks: "):
            marks.read_rule(path)


def test_claims_of_equality_and_open_ends():
    known = {}

    def claim(check, value, low, high):
        made = Claim.of(1, {"check": check})
        known.clear()
        known[made.quantities[0]] = Estimate(value, lambda alpha: (low, high), "so")
        return made.holds(known, 0.05), made.shown(known)

    assert claim("nodes('a') == 3", 3.0, 3.0, 3.0) == (True, Interval(3.0, 3.0, 3.0))
    assert claim("nodes('a') == 3", 3.0, 2.0, 4.0) == (None, Interval(3.0, 2.0, 4.0))
    assert claim("nodes('a') == 3", 5.0, 4.0, 6.0) == (False, Interval(5.0, 4.0, 6.0))
    assert claim("nodes('a') == 3", 2.0, 1.0, 2.5) == (False, Interval(2.0, 1.0, 2.5))
    assert claim("nodes('a') > 3", 5.0, 4.0, math.inf) == (True, Interval(5.0, 4.0, None))
    assert claim("1 / nodes('a') > 0", 5.0, -1.0, 6.0) == (None, Interval(0.2, None, None))


def test_positions_of_a_check_and_exercises_on_other_boards(request):
    found = {}
    for rules in (STANDARD, SMALL, Rules(3, 3, 3), Rules(12, 3), Rules(4, 4)):
        found[f"asked on {rules}"] = [board.text for board in check.boards(rules, 20)]
        found[f"three on {rules}"] = [board.text for board in check.boards(rules, 3)]
        last = check._one_cell_left(rules)
        found[f"last on {rules}"] = last and (last.text, last.outcome)
        found[f"plies of {rules}"] = list(default_plies(rules))[:: max(1, len(default_plies(rules)) - 1)]
    for seed, plies, games in ((1, [4, 9], 12), (2, [0], 5), (3, [*range(20)], 30)):
        found[f"from {games} games, seed {seed}"] = [board.text for board in positions_from(seed, plies, SMALL, games)]
    for plies, games in (([20], 5), ([-1], 5), ([], 5)):
        found[f"of {plies} plies"] = tried(
            lambda plies=plies, games=games: list(positions_from(1, plies, SMALL, games))
        )
    found["most fours"] = tried(lambda: list(positions_from(1, [2], Rules(5, 4, 3, most_fours=True), 5)))
    holds("exercises-drawn", plain(found), request)


def test_questions_come_from_a_seed_or_a_file(tmp_path):
    boards = [Board.from_moves(moves, SMALL) for moves in ("12", "121", "1213", "12131")]
    rows = [{"position": board.text, "score": 0, "columns": [0] * 5 if board.ply < 4 else None} for board in boards]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked, known = questions(tmp_path / "a.jsonl", 1, None, SMALL)
    assert [board.text for board in asked] == ["12", "121", "1213", "12131"]
    assert known == {(board.own, board.opp): (0,) * 5 for board in boards[:2]}
    asked, known = questions(tmp_path / "a.jsonl", 1, [3, 5], SMALL)
    assert ([board.text for board in asked], len(known)) == (["121", "12131"], 1)
    with pytest.raises(InputError, match=r"a\.jsonl has no position of 6 to 8 plies"):
        questions(tmp_path / "a.jsonl", 1, [6, 7, 8], SMALL)
    steps = []
    asked, known = questions(5, 2, [6, 7], SMALL, progress=lambda: steps.append(1))
    assert (known, len(asked), len(steps)) == ({}, 5, 5)
    assert asked == exercises.sample(5, 2, [6, 7], SMALL)
    assert {board.ply for board in questions(9, 2, None, SMALL)[0]} <= {*default_plies(SMALL)}


def test_what_is_known_is_not_solved():
    boards = [Board.from_moves(moves, SMALL) for moves in ("1213425", "1234511", "12131425", "1234512345123")]
    steps = []
    whole = solve(boards, progress=lambda: steps.append(1))
    assert ([each.board for each in whole], len(steps)) == (boards, 4)
    solver = Solver(SMALL, 1)
    assert [each.scores for each in whole] == [solver.column_scores(each.own, each.opp) for each in boards]
    known = {(boards[1].own, boards[1].opp): (1, 1, 1, 1, 1)}
    steps.clear()
    some = solve(boards, known=known, progress=lambda: steps.append(1))
    assert (some[1].scores, len(steps), len(known)) == ((1,) * 5, 3, 4)  # an interruption loses none
    weak = solve(boards, strong=False)
    assert [each.scores for each in weak] == [
        solver.column_scores(each.own, each.opp, weak=True) for each in boards
    ]  # fmt: skip
    lost = Exercise(boards[0], (-2, -1, -3, None, -1))
    assert (lost.score, lost.good, lost.perfect, lost.legal, lost.clear_cut) == (-1, {0, 1, 2, 4}, {1, 4}, 4, False)
