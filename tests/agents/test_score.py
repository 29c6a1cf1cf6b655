import decimal
import fractions

import numpy as np
import pytest
from slow_solver import SOLVED

from agents.board import STANDARD, Board, Outcome, Rules
from agents.score import (
    WIN,
    WIN_BOUND,
    coerce_score,
    ending,
    from_solver_score,
    in_words,
    of_outcome,
    one_ply_earlier,
    plies_to_end,
    proven,
    sign,
)


def test_sooner_wins_and_later_losses_are_better():
    scores = [ending(sign, plies) for sign, plies in ((-1, 2), (-1, 40), (0, 42), (1, 41), (1, 1))]
    assert scores == sorted(set(scores))
    assert [plies_to_end(score) for score in scores if proven(score)] == [2, 40, 41, 1]


def test_what_a_heuristic_may_say_is_never_proven():
    assert not proven(WIN_BOUND - 1)
    assert not proven(1 - WIN_BOUND)
    assert proven(ending(1, 64))
    assert proven(ending(-1, 64))


def test_an_opinion_has_no_distance():
    with pytest.raises(AssertionError):
        plies_to_end(100)


def test_a_win_is_one_ply_further_from_the_move_before():
    assert one_ply_earlier(WIN - 3) == WIN - 4
    assert one_ply_earlier(3 - WIN) == 4 - WIN
    assert [one_ply_earlier(score) for score in (12, 0, -WIN_BOUND + 1)] == [12, 0, -WIN_BOUND + 1]


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (None, "-"),
        (0, "0"),
        (12, "+12"),
        (-3, "-3"),
        (WIN - 5, "win in 5"),
        (2 - WIN, "loss in 2"),
        (-(10**9), "-1000000000"),
    ],
)
def test_a_score_in_words(score, text):
    assert in_words(score) == text


@pytest.mark.parametrize(
    ("value", "score"),
    [(None, None), (3, 3), (-3.0, -3), (True, None), (False, None), (0.6, 1), (-12.4, -12), (1e300, None), ("3", None),
     (1 << 62, 1 << 62), (1 << 63, None)],
)  # fmt: skip
def test_a_score_of_others_is_rounded_to_a_number_of_a_word_or_is_nothing(value, score):
    assert coerce_score(value) == score


class Odd:
    """A number of an author who did not expect to be asked."""

    def __index__(self):
        raise ValueError("which one?")


@pytest.mark.parametrize(
    ("value", "score"),
    [(np.int8(-3), -3), (np.uint64(7), 7), (np.float32(2.6), 3), (np.float64(-2.6), -3), (fractions.Fraction(7, 2), 4),
     (fractions.Fraction(-5, 2), -2), (decimal.Decimal(3), None), (2.5, 2), (float("inf"), None),
     (float("nan"), None), (1j, None), (np.array([1, 2]), None), ([], None), (Odd(), None), (np.bool_(True), None),
     (1 - (1 << 63), 1 - (1 << 63)), (-(1 << 63), None), (np.uint64((1 << 64) - 1), None), (9e18, 9 * 10**18),
     (1e19, None)],
)  # fmt: skip
def test_a_score_is_whatever_stands_for_a_number_of_a_word_and_nothing_else(value, score):
    found = coerce_score(value)
    assert found == score
    assert type(found) is (int if score is not None else type(None))


def test_a_value_on_another_scale_is_no_proof():
    values = (WIN_BOUND, WIN_BOUND + 1, WIN - 1, WIN, WIN + 1, 10 * WIN)
    assert [proven(value) for value in values] == [proven(-value) for value in values]
    assert [proven(value) for value in values] == [False, True, True, True, False, False]
    assert in_words(WIN + 1) == "+1000001"
    assert in_words(-WIN_BOUND) == "-900000"
    assert one_ply_earlier(-WIN - 1) == -WIN - 1
    assert [sign(value) for value in (9, 0, -9)] == [1, 0, -1]


@pytest.mark.parametrize("rules", [STANDARD, Rules(most_fours=True)], ids=str)
def test_an_outcome_is_a_score_of_the_side_to_move(rules):
    for ply in (9, 10):
        found = [of_outcome(Board(rules, ply=ply, outcome=outcome), 5) for outcome in Outcome]
        assert found == ([5 - WIN, WIN - 5, 0] if ply == 9 else [WIN - 5, 5 - WIN, 0])


@pytest.mark.parametrize("rules", SOLVED, ids=str)
def test_a_solvers_score_says_with_which_disc_the_game_ends(rules):
    cells = rules.columns * rules.rows
    for ply in range(cells):
        board = Board(rules, ply=ply)
        assert from_solver_score(0, board) == 0
        for score in range(1, (cells + 1 - ply) // 2 + 1):
            # The winner's disc leaves `score - 1` of its discs: the first player has the odd discs of the game.
            mine, theirs = (each for each in ((cells + 1) // 2, cells // 2)[:: 1 if board.mover == 0 else -1])
            last = {True: 2 * (mine - score) + 1 + board.mover, False: 2 * (theirs - score) + 2 - board.mover}
            if last[True] > ply:
                assert from_solver_score(score, board) == WIN - (last[True] - ply)
            if last[False] > ply + 1:
                assert from_solver_score(-score, board) == (last[False] - ply) - WIN
