import random

import numpy as np
import pytest

from agents.board import Board, Rules
from agents.solver import marks
from tests.support.checked_explanation import Checker, Wrong

SMALL = Rules(4, 4, 3)


def random_marks(chance, rules):
    """Return marks as words, and as a checker reads them."""
    rows, said = [], []
    for _ in range(chance.randrange(8)):
        column, row = chance.randrange(rules.columns), chance.randrange(rules.rows)
        cell, name = 1 << column * (rules.rows + 1) + row, f"{'abcdefg'[column]}{row + 1}"
        rows.append([cell, 0, 0, 0, 0])
        said.append({"cell": name})
        if chance.random() < 0.3:
            rows[-1][:2], said[-1] = [rules.columns_of_cells[column], 1], {"on_top": column + 1}
        term = chance.choice([None, None, ("challenger", 2), ("holder", 3), ("empty", 4)])
        if term is not None:
            other = chance.randrange(rules.columns), chance.randrange(rules.rows)
            rows[-1][term[1]] = 1 << other[0] * (rules.rows + 1) + other[1]
            said[-1][term[0]] = f"{'abcdefg'[other[0]]}{other[1] + 1}"
    rows.append([rules.cells, 1, 0, 0, 0])
    return np.array(rows, np.int64).ravel(), [*said, {"on_top": "last"}]


def test_marks_hold_where_a_checker_that_tries_all_replies_says_so():
    chance, follow = random.Random(1), marks.build_follow(*SMALL.size)
    work = np.zeros(marks.FRAME * 17, np.int64), np.zeros(marks.SEEN, np.int64)
    failing = np.zeros((marks.MOST_FAILING, 1 + len(work[0])), np.int64)
    held = 0
    for _ in range(400):
        board = Board(SMALL)
        for _ in range(chance.randrange(3, 9)):
            board = board if board.outcome else board.play(chance.choice(board.legal_moves()))
        if board.outcome:
            continue
        column, win = chance.choice(board.legal_moves()), chance.random() < 0.5
        after = board.play(column)
        if after.outcome:
            continue
        words, said = random_marks(chance, SMALL)
        replies = after.own | after.opp
        replies = replies + SMALL.bottom & SMALL.cells
        found = follow(words, len(said), after.opp, after.own, replies, int(win), *work, failing)
        then = {"replies": list(range(1, 5)), "then": {"marks": said}}
        row = {"position": board.text, "after": -1 if win else 0, "strategy": {"play": column + 1, "branches": [then]}}
        checker = Checker(*SMALL.size)
        try:
            checker.check(row)
        except Wrong:
            assert found < 0
        else:
            held += 1
            assert found > 0
    assert held > 20


@pytest.mark.parametrize("needed", [False, True])
def test_what_is_learnt_is_right_in_every_example_or_says_that_it_cannot_be(needed):
    rules, made = SMALL, np.zeros(marks.MARK * marks.MOST_MARKS, np.int64)
    a1, b1, c1 = 1, 1 << 5, 1 << 10
    first = [a1 | b1, a1, c1, 0, c1]  # with c1 taken by the challenger a1 is right, else b1
    second = [a1 | b1, b1, 0, 0, 0]
    examples = np.array([*first, *second], np.int64)
    if needed:
        count = marks.learn(examples, 2, made, rules.columns, rules.rows + 1, 1, 0, 0.0)
        assert count > 0
        assert any(made.reshape(-1, marks.MARK)[:count, 2:].ravel())
    else:
        assert marks.learn(examples, 2, made, rules.columns, rules.rows + 1, 0, 0, 0.0) == marks.TOO_LONG
