import random

import numpy as np
import pytest
from as_python import as_python
from recorded import holds, plain

from agents.board import Board, Rules
from agents.jit.compiler import copy_with
from agents.solver import marks
from tests.support.checked_explanation import Checker, Wrong

SMALL = Rules(4, 4, 3)
OTHERS = Rules(5, 3, 3), Rules(3, 5, 3), Rules(6, 4)


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


def examples_of(chance, rules, number):
    """Return examples for `learn`: of each, safe cells and good ones among them, discs and a reply, by chance."""
    rows = []
    for _ in range(number):
        board = Board(rules)
        for _ in range(chance.randrange(1, 9)):
            after = board.play(chance.choice(board.legal_moves()))
            board = board if after.outcome else after
        safe = (board.own | board.opp) + rules.bottom & rules.cells
        good = safe & chance.getrandbits(30) or safe & -safe
        column = rules.columns_of_cells[board.moves[-1]] & (board.own | board.opp)
        rows += [safe, good, board.opp, board.own, 1 << column.bit_length() - 1]
    return np.array(rows, np.int64)


def agrees(words, count, examples):
    """Return whether the marks, in their order, choose a good cell in every example where one of them applies."""
    for example in examples.reshape(-1, marks.EXAMPLE).tolist():
        for mark in words.reshape(-1, marks.MARK)[:count].tolist():
            safe, good, theirs, ours, reply = example
            cells, follow, opp, own, empty = mark
            fits = not (opp & ~theirs or own & ~ours or empty & (theirs | ours))
            found = safe & cells & (reply << 1 if follow else -1) if fits else 0
            if found:
                if found & ~good and not found & good:
                    return False
                break
    return True


def test_whatever_marks_are_learnt_agree_and_stay(request):
    chance, found = random.Random(7), {}
    written = as_python(marks.learn)
    for number in (1, 2, 4, 7):
        for case in range(4):
            examples = examples_of(chance, SMALL, number)
            for conditions, seed, noise in ((0, 0, 0.0), (3, 0, 0.0), (9, 5, 0.5)):
                made = np.zeros(marks.MARK * marks.MOST_MARKS, np.int64)
                given = made, SMALL.columns, SMALL.rows + 1, conditions, seed, noise
                count = int(written(examples, number, *given))
                if count > 0:
                    assert agrees(made, count, examples)
                    assert made[: count * marks.MARK].reshape(-1, marks.MARK)[-1].tolist() == [SMALL.cells, 1, 0, 0, 0]
                rows = made[: max(count, 0) * marks.MARK].reshape(-1, marks.MARK)
                found[f"{number} {case} {conditions} {seed}"] = [count, rows.tolist()]
    for rules in OTHERS:
        for number in (3, 6):
            examples, made = examples_of(chance, rules, number), np.zeros(marks.MARK * marks.MOST_MARKS, np.int64)
            count = int(written(examples, number, made, rules.columns, rules.rows + 1, 4, 1, 0.3))
            rows = made[: max(count, 0) * marks.MARK].reshape(-1, marks.MARK)
            assert count < 0 or (agrees(made, count, examples) and rows[-1].tolist() == [rules.cells, 1, 0, 0, 0])
            found[f"{rules} {number}"] = [count, rows.tolist()]
    assert {each[0] for each in found.values()} >= {marks.TOO_LONG, 2, 3}
    holds("solver-learnt", plain(found), request)


def test_more_marks_than_a_strategy_may_have_are_too_long(monkeypatch):
    chance = random.Random(7)
    while True:
        examples, made = examples_of(chance, SMALL, 7), np.zeros(marks.MARK * marks.MOST_MARKS, np.int64)
        given = examples, 7, made, SMALL.columns, SMALL.rows + 1, 9, 0, 0.0
        count = int(as_python(marks.learn)(*given))
        if count > 3:
            break
    found = []
    for most in (count - 1, count, count + 1):
        monkeypatch.setattr(marks, "MOST_MARKS", most)
        found.append(int(as_python(marks.learn)(*given)))
    assert found == [marks.TOO_LONG, count, count]


def test_a_strategy_is_given_up_after_so_many_positions_and_places_of_seen_ones_begin_anew(monkeypatch):
    def followed(board, size, most):
        monkeypatch.setattr(marks, "SEEN", size)
        monkeypatch.setattr(marks, "MOST_POSITIONS", most)
        rules = board.rules
        stack, seen = np.zeros(marks.FRAME * 17, np.int64), np.zeros(size, np.int64)
        failing = np.zeros((marks.MOST_FAILING, 1 + len(stack)), np.int64)
        words, cells = np.array([rules.cells, 1, 0, 0, 0], np.int64), board.own | board.opp
        follow = as_python(copy_with(marks.build_follow.__wrapped__, jit=lambda *_: lambda kernel: kernel)(*rules.size))
        given = words, 1, board.opp, board.own, cells + rules.bottom & rules.cells, 0, stack, seen, failing
        return int(follow(*given)), failing[:, 0].tolist(), np.count_nonzero(seen)

    board = Board(SMALL)
    whole = followed(board, 1 << 17, 1 << 16)
    for rules, moves, size in ((SMALL, "1", 64), (SMALL, "3", 64), (OTHERS[0], "33", 32), (OTHERS[1], "23", 32),
                               (OTHERS[1], "3", 32), (OTHERS[1], "1", 32)):  # fmt: skip
        board = Board.from_moves(moves, rules)
        assert followed(board, size, size) == followed(board, 1 << 17, 1 << 16)  # with nearly all places taken
    board = Board(SMALL)
    lines, *_ = whole
    few = [followed(board, 1 << 8, most)[0] for most in range(1, 40)]
    assert few[0] == 0
    assert few[-1] == lines
    assert few == sorted(few, key=abs)


def test_every_line_that_fails_is_a_game_and_they_stay(request):
    chance, found = random.Random(11), {}
    for rules, number in ((SMALL, 60), *((other, 16) for other in OTHERS)):
        follow = as_python(copy_with(marks.build_follow.__wrapped__, jit=lambda *_: lambda kernel: kernel)(*rules.size))
        size = rules.columns * rules.rows
        for case in range(number):
            board = Board(rules)
            for _ in range(chance.randrange(1, 7) if rules.connect == 3 else size - 8):
                after = board.play(chance.choice(board.legal_moves()))
                board = board if after.outcome else after
            words, said = random_marks(chance, rules)
            seen, stack = np.zeros(marks.SEEN, np.int64), np.zeros(marks.FRAME * (size + 1), np.int64)
            failing = np.zeros((marks.MOST_FAILING, 1 + len(stack)), np.int64)
            win = case % 2
            cells = (board.own | board.opp) + rules.bottom & rules.cells
            count = follow(words, len(said), board.opp, board.own, cells, win, stack, seen, failing)
            rows = []
            for line in failing[: max(0, -count)]:
                frames = line[1 : 1 + line[0] * marks.FRAME].reshape(-1, marks.FRAME).tolist()
                game = board
                for holder, challenger, _, reply, answer in frames:
                    assert (holder, challenger | reply) == (game.opp, game.own | reply)
                    game = game.play(column_of(reply, rules))
                    game = game if game.outcome else game.play(column_of(answer, rules))
                assert game.outcome is not None
                assert game.outcome.winner != 1 - board.mover  # the holder has not won
                assert win or game.outcome.winner == board.mover
                rows.append(game.text)
            label = f"{board.text} {case}" if rules is SMALL else f"{rules} {board.text} {case}"
            found[label] = [int(count), rows]
            assert count != 0
            assert board.legal_moves()
    holds("solver-followed", plain(found), request)


def column_of(cell, rules):
    return (cell.bit_length() - 1) // (rules.rows + 1)
