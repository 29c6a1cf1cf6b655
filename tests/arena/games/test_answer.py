"""Decisions of an agent, asked outside a game."""

from dataclasses import replace

import numpy as np
import pytest
from scripted import Awkward, Scripted

from agents.agent import Analysis, Iteration
from agents.board import Board, Rules
from agents.score import WIN
from arena.games.referee import Fault, decide


@pytest.mark.parametrize("whole", [np.int8, np.int32, np.int64, np.uint64])
def test_numpy_integers_are_numbers_and_are_stored_as_plain_ones(whole):
    step = Iteration(whole(2), whole(9), np.float32(0.0625), whole(5), whole(3))
    answer = Analysis(whole(3), whole(5), whole(2), whole(9), (whole(3), whole(2)), (step,))
    decision = decide(Scripted(answer), Board())
    stored = [decision.column, decision.score, decision.depth, decision.nodes, *decision.pv]
    assert stored == [3, 5, 2, 9, 3, 2]
    iteration = decision.iterations[0]
    stored += [iteration.depth, iteration.nodes, iteration.score, iteration.column]
    assert {type(value) for value in stored} == {int}
    assert type(iteration.seconds) is float


@pytest.mark.parametrize("score", [float("inf"), float("nan"), 1e300, "0.5", True, 1 << 63, Awkward()])
def test_a_score_that_is_no_number_of_a_word_is_kept_as_nothing_with_a_remark(score):
    decision = decide(Scripted(Analysis(3, score, 1, 8, extra=5)), Board())
    assert (decision.column, decision.score, decision.depth, decision.nodes) == (3, None, 1, 8)
    assert "is no number of at most 64 bits, and is not kept; its extra is no mapping" in decision.remark


@pytest.mark.parametrize(
    ("score", "kept"), [(None, None), (3.0, 3), (0.4, 0), (np.float32(2.6), 3), (np.float64(-2), -2), (WIN, WIN)]
)
def test_a_score_that_is_a_number_of_any_type_is_rounded_and_needs_no_remark(score, kept):
    decision = decide(Scripted(Analysis(3, score)), Board())
    assert (decision.score, decision.remark) == (kept, "")


def test_of_an_analysis_64_moves_and_256_iterations_are_kept_and_as_many_as_one_of_either():
    for moves, iterations in ((64, 256), (1, 1), (0, 0)):
        answer = Analysis(3, 1, 2, 50, (3,) * moves, (Iteration(2, 50, 0.0, 3, 3),) * iterations)
        decision = decide(Scripted(answer), Board())
        assert (decision.pv, decision.iterations, decision.remark) == (answer.pv, answer.iterations, "")


def test_a_bare_column_is_an_answer():
    decision = decide(Scripted(2), Board.from_moves("44"))
    assert (decision.ply, decision.column, decision.score, decision.depth, decision.nodes) == (2, 2, None, 0, 0)


def test_a_fault_outside_a_game_is_raised():
    with pytest.raises(Fault, match="does not exist"):
        decide(Scripted(7), Board())


BEYOND = [43, 10**12, 1 << 63, 10**30, 10**5000, np.uint64((1 << 64) - 1)]


@pytest.mark.parametrize("depth", BEYOND, ids=range(len(BEYOND)))
def test_a_depth_beyond_the_board_is_not_kept(depth):
    decision = decide(Scripted(Analysis(3, 1, depth, 8)), Board())
    assert (decision.column, decision.score, decision.depth, decision.nodes) == (3, 1, 0, 8)
    assert decision.remark.startswith("its depth ")
    assert decision.remark.endswith("is not from 0 to 42, and is not kept")
    assert decide(Scripted(Analysis(3, 1, 42)), Board()).remark == ""
    assert decide(Scripted(Analysis(3, 1, 42)), Board(Rules(5, 4))).depth == 0


@pytest.mark.parametrize("nodes", [9 * 10**18, 1 << 63, 10**30])
def test_nodes_that_no_machine_visits_in_the_time_are_not_kept(nodes):
    decision = decide(Scripted(Analysis(3, 1, 2, nodes)), Board())
    assert (decision.depth, decision.nodes) == (2, 0)
    assert "its nodes " in decision.remark


@pytest.mark.parametrize("score", [WIN + 1, -WIN - 1, 10**9, -(1 << 62)])
def test_a_score_beyond_a_win_is_not_kept(score):
    decision = decide(Scripted(Analysis(3, score, 2, 8)), Board())
    assert (decision.score, decision.depth) == (None, 2)
    assert decision.remark == f"its score {score} is not from {-WIN} to {WIN}, and is not kept"


GOOD = Iteration(2, 50, 0.0, 3, 3)


@pytest.mark.parametrize(
    "change",
    [{"seconds": 1e11}, {"score": WIN + 1}]
    + [{"depth": depth} for depth in BEYOND]
    + [{"nodes": nodes} for nodes in (9 * 10**18, 10**30)],
)
def test_an_iteration_that_cannot_be_is_not_kept(change):
    odd = replace(GOOD, **change)
    decision = decide(Scripted(Analysis(3, 1, 2, 50, (3,), (GOOD, odd, GOOD))), Board())
    assert decision.iterations == (GOOD, GOOD)
    assert decision.remark == "of its iterations 1 cannot be, and are not kept"


@pytest.mark.parametrize(("nodes", "seconds", "kept"), [(10**12, 1.0, True), (10**12 + 1, 1.001, False)])
def test_nodes_and_times_are_kept_up_to_what_the_clock_of_the_referee_leaves_room_for(nodes, seconds, kept):
    answer = Analysis(3, 1, 2, nodes, (3,), (replace(GOOD, seconds=seconds),))
    decision = decide(Scripted(answer), Board(), clock=iter((0.0, 0.9)).__next__)  # and a tenth of a second more
    assert (decision.nodes == nodes, bool(decision.iterations)) == (kept, kept)
