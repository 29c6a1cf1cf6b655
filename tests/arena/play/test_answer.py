"""Decisions of an agent, asked outside a game."""

import numpy as np
import pytest
from scripted import Awkward, Scripted

from agents.agent import Analysis, Iteration
from agents.board import Board
from arena.play.answer import Fault
from arena.play.match import decide


@pytest.mark.parametrize("whole", [np.int8, np.int32, np.int64, np.uint64])
def test_numpy_integers_are_numbers_and_are_stored_as_plain_ones(whole):
    step = Iteration(whole(2), whole(9), np.float32(0.5), whole(5), whole(3))
    answer = Analysis(whole(3), whole(5), whole(2), whole(9), (whole(3), whole(2)), (step,))
    decision = decide(Scripted(answer), Board())
    stored = [decision.column, decision.score, decision.depth, decision.nodes, *decision.pv]
    assert stored == [3, 5, 2, 9, 3, 2]
    iteration = decision.iterations[0]
    stored += [iteration.depth, iteration.nodes, iteration.score, iteration.column]
    assert {type(value) for value in stored} == {int}
    assert type(iteration.seconds) is float


@pytest.mark.parametrize("score", [0.5, float("inf"), float("nan"), np.float32(2.5), "x", True, 1 << 63, Awkward()])
def test_a_score_that_is_no_whole_number_is_kept_as_nothing_with_a_remark(score):
    decision = decide(Scripted(Analysis(3, score, 1, 8)), Board())
    assert (decision.column, decision.score, decision.depth, decision.nodes) == (3, None, 1, 8)
    assert "is no whole number, and is not kept" in decision.remark


@pytest.mark.parametrize(("score", "kept"), [(None, None), (3.0, 3), (np.float64(-2), -2), (10**9, 10**9)])
def test_a_score_that_is_a_whole_number_of_any_type_or_none_needs_no_remark(score, kept):
    decision = decide(Scripted(Analysis(3, score)), Board())
    assert (decision.score, decision.remark) == (kept, "")


def test_a_bare_column_is_an_answer():
    decision = decide(Scripted(2), Board.from_moves("44"))
    assert (decision.ply, decision.column, decision.score, decision.depth, decision.nodes) == (2, 2, None, 0, 0)


def test_a_fault_outside_a_game_is_raised():
    with pytest.raises(Fault, match="does not exist"):
        decide(Scripted(7), Board())
