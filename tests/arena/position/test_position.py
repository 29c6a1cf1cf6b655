import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from agents.search.compiled import ordering
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from arena.position import position
from arena.position.position import Tried, Value, orders, values


def test_a_value_is_told_for_the_side_to_move_and_for_the_first_player():
    [mine] = values(Board.from_moves("44"), ["windows(1,10,100,1000)"])
    [theirs] = values(Board.from_moves("4"), ["windows(1,10,100,1000)"])
    assert mine.first == mine.mover
    assert theirs.first == -theirs.mover != 0
    assert (theirs.position, theirs.heuristic) == ("4", "windows(1,10,100,1000)")


def test_without_names_every_heuristic_is_asked_and_one_without_a_meaning_has_no_value():
    assert [row.heuristic for row in values(Board(), compiled=False)] == list(complete(HEURISTICS))
    small = values(Board(Rules(3, 3, 3)), compiled=False)
    assert Value("", "smart-aware") in small
    assert Value("", "zero", 0, 0) in small
    with pytest.raises(InputError, match="smart-aware"):
        values(Board(Rules(3, 3, 3)), ["smart-aware"], compiled=False)


def test_choices_ranges_and_a_file_of_several_functions_stand_for_a_row_each(tmp_path):
    path, board = tmp_path / "mine.py", Board.from_moves("4")
    path.write_text("def more(own, opp): return 5\n\ndef less(own, opp): return 4\n\ndef score(own): ...\n")
    rows = values(board, ["windows(1,10,100..101,1000)|zero", f"{path}", "zero"], compiled=False)
    assert [(row.heuristic, row.mover) for row in rows] == [
        ("windows(1,10,100,1000)", -7), ("windows(1,10,101,1000)", -7), ("zero", 0),
        (f"{path}:more", 5), (f"{path}:less", 4), ("zero", 0),
    ]  # fmt: skip
    assert [row.ordering for row in orders(board, ["centre|left-to-right", "centre"])] == [
        "centre", "left-to-right", "centre",
    ]  # fmt: skip


def test_an_ordering_tries_the_columns_of_the_highest_score_first_and_no_full_one():
    board = Board.from_moves("444444")
    assert orders(board, ["centre"]) == [Tried("444444", "centre", (3, 5, 2, 6, 1, 7), None)]
    [found] = orders(board, ["column-score"])
    assert sorted(found.columns) == [1, 2, 3, 5, 6, 7]
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert found.scores[0] > found.scores[-1]
    ties = [(found.scores[place], (3, 5, 2, 6, 1, 7).index(column)) for place, column in enumerate(found.columns)]
    assert ties == sorted(ties, key=lambda pair: (-pair[0], pair[1]))
    assert [row.ordering for row in orders(board)] == list(ORDERINGS)


def test_an_order_that_never_changes_is_that_of_the_board():
    rows = [row for rules in (Rules(4, 4), Rules(10, 5)) for row in orders(Board(rules), ["centre", "left-to-right"])]
    assert [row.columns for row in rows] == [
        (2, 3, 1, 4), (1, 2, 3, 4), (5, 6, 4, 7, 3, 8, 2, 9, 1, 10), tuple(range(1, 11)),
    ]  # fmt: skip


def test_a_users_function_that_fails_is_told_with_the_position(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def evaluate(own, opp):\n    return own / 0\n")
    with pytest.raises(InputError) as caught:
        values(Board(), [f"{path}:evaluate"], compiled=False)
    assert str(caught.value).startswith(f"heuristic '{path}:evaluate' fails on the empty board: ")


FAILING = [
    ("[][3]", "IndexError: list index out of range"),
    ("{}['weights']", "KeyError: 'weights'"),
    ("own + 'x'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"),
    ("own.discs", "AttributeError: 'int' object has no attribute 'discs'"),
    ("weights[0]", "NameError: name 'weights' is not defined"),
    ("open('no such weights')", "FileNotFoundError: [Errno 2] No such file or directory: 'no such weights'"),
    ("next(iter(()))", "StopIteration"),
    ("again(own)", "RecursionError: maximum recursion depth exceeded"),
    ("int('x')", "ValueError: invalid literal for int() with base 10: 'x'"),
    ("fail()", "Broken: it has no plan"),
]
FUNCTIONS = """class Broken(Exception): ...

def fail(): raise Broken("it has no plan\\nat all")

def again(own): return again(own)

def evaluate(own, opp): return {code}

def score(own, opp, column): return {code}
"""


@pytest.mark.parametrize(("code", "said"), FAILING)
def test_whatever_error_a_users_function_ends_in_is_told_in_a_line(tmp_path, monkeypatch, code, said):
    path = tmp_path / "mine.py"
    path.write_text(FUNCTIONS.replace("{code}", code))
    monkeypatch.setattr(position, "_ordering", lambda name, rules: ordering(name, rules, compiled=False))
    with pytest.raises(InputError) as caught:
        values(Board(), [f"{path}:evaluate"], compiled=False)
    first, *more = str(caught.value).splitlines()
    assert first.startswith(f"heuristic '{path}:evaluate' fails on the empty board: {said}")
    with pytest.raises(InputError) as caught:
        orders(Board.from_moves("45"), [f"{path}:score"])
    assert str(caught.value).startswith(f"ordering '{path}:score' fails on 45: {said}")
    assert more == str(caught.value).splitlines()[1:] == []


def test_ctrl_c_in_a_users_function_is_no_error_of_it(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def evaluate(own, opp):\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        values(Board(), [f"{path}:evaluate"], compiled=False)
